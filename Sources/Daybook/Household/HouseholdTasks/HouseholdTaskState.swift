public import Values
public import Calendar

/// Something to do in a household (MC-3), told from a person's own tasks. Its events and records are named after
/// chores on disk.
public struct HouseholdTask: Entity, Hashable {
  /// The number of a household task in its book.
  public typealias ID = EntityNumber<HouseholdTask>
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
  public internal(set) var content: HouseholdTaskContent
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
  public var displayName: String { content.title }
  /// Who wrote it down; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }
}

extension BookState {
  mutating func apply(_ event: HouseholdTaskCreated, _ head: EntryHead) {
    create(
      HouseholdTask(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        assignee: event.assignee, created: head.at, updated: head.at))
  }

  mutating func apply(_ event: HouseholdTaskDescribed, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.content = event.content
      householdTask.updated = head.at
    }
  }

  mutating func apply(_ event: HouseholdTaskAssigned, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.assignee = event.assignee
      householdTask.updated = head.at
    }
  }

  mutating func apply(_ event: HouseholdTaskCompleted, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.completed = event.completed ?? head.at
      householdTask.completer = event.completed == nil ? head.actor : event.completer
      householdTask.updated = head.at
    }
  }

  mutating func apply(_ event: HouseholdTaskReopened, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.completed = nil
      householdTask.completer = nil
      householdTask.updated = head.at
    }
  }

  mutating func apply(_ event: HouseholdTaskRestored, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.isDeleted = false
      householdTask.updated = head.at
    }
  }

  mutating func apply(_ event: HouseholdTaskDeleted, _ head: EntryHead) {
    update(event.householdTask) { householdTask in
      householdTask.isDeleted = true
      householdTask.updated = head.at
    }
  }
}
