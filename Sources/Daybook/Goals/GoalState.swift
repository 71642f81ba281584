public import Values
public import Calendar

/// Something a person wants, with the habits that lead there (MO-2).
public struct Goal: Entity, Hashable {
  /// The number of a goal in its book.
  public typealias ID = EntityNumber<Goal>
  /// "goal-number".
  @inlinable
  public static var entityName: StaticString { "goal-number" }

  /// The client's name for the goal.
  public internal(set) var key: Key
  /// Whose it is.
  public internal(set) var owner: Account.ID
  /// What it is called.
  public internal(set) var title: String
  /// More about it.
  public internal(set) var description: String?
  /// What people call it.
  public var displayName: String { title }
  /// Whose it is.
  public var ownedBy: Account.ID? { owner }
  /// Whether it was deleted.
  public internal(set) var isDeleted = false
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
}

extension BookState {
  mutating func apply(_ event: GoalCreated, _ head: EntryHead) {
    create(
      Goal(
        key: event.key, owner: event.owner, title: event.title, description: event.description,
        created: head.at, updated: head.at))
  }

  mutating func apply(_ event: GoalDescribed, _ head: EntryHead) {
    update(event.goal) { goal in
      goal.title = event.title
      goal.description = event.description
      goal.updated = head.at
    }
  }

  mutating func apply(_ event: GoalDeleted, _ head: EntryHead) {
    update(event.goal) { goal in
      goal.isDeleted = true
      goal.updated = head.at
    }
  }

  mutating func apply(_ event: GoalRestored, _ head: EntryHead) {
    update(event.goal) { goal in
      goal.isDeleted = false
      goal.updated = head.at
    }
  }

  mutating func apply(_ event: HabitAttached, _ head: EntryHead) {
    update(event.habit) { habit in
      habit.goal = event.goal
      habit.updated = head.at
    }
  }

  mutating func apply(_ event: HabitDetached, _ head: EntryHead) {
    update(event.habit) { habit in
      habit.goal = nil
      habit.updated = head.at
    }
  }
}
