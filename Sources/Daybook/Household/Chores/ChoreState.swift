/// Something to do in a household: a household task (MC-3), told from a person's own tasks by this short word.
public struct Chore: Entity, Hashable {
  /// The number of a household task in its book.
  public typealias ID = EntityNumber<Chore>
  /// "chore-number".
  @inlinable
  public static var entityName: StaticString { "chore-number" }

  /// The client's name for it.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who wrote it down.
  public internal(set) var creator: Account.ID
  /// What is to be done.
  public internal(set) var content: ChoreContent
  /// Who is to do it; a member as long as it is open.
  public internal(set) var assignee: Account.ID?
  /// When it was done; nothing while it is open.
  public internal(set) var completed: Instant?
  /// Who did it.
  public internal(set) var completer: Account.ID?
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false

  /// Whether it is done.
  public var isComplete: Bool { completed != nil }
  /// What people call it.
  public var calledName: String { content.title }
  /// Who wrote it down; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension State {
  mutating func apply(_ event: ChoreCreated, _ head: EntryHead) {
    create(
      Chore(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        assignee: event.assignee, created: head.at, updated: head.at))
  }

  mutating func apply(_ event: ChoreDescribed, _ head: EntryHead) {
    update(event.chore) { chore in
      chore.content = event.content
      chore.updated = head.at
    }
  }

  mutating func apply(_ event: ChoreAssigned, _ head: EntryHead) {
    update(event.chore) { chore in
      chore.assignee = event.assignee
      chore.updated = head.at
    }
  }

  mutating func apply(_ event: ChoreCompleted, _ head: EntryHead) {
    update(event.chore) { chore in
      chore.completed = head.at
      chore.completer = head.actor
      chore.updated = head.at
    }
  }

  mutating func apply(_ event: ChoreReopened, _ head: EntryHead) {
    update(event.chore) { chore in
      chore.completed = nil
      chore.completer = nil
      chore.updated = head.at
    }
  }

  mutating func apply(_ event: ChoreDeleted, _ head: EntryHead) {
    update(event.chore) { chore in
      chore.isDeleted = true
      chore.updated = head.at
    }
  }
}
