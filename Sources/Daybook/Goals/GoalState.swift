public import Values
public import Calendar

/// A goal that a person has, with the habits that lead to it (MO-2).
public struct Goal: Entity, Hashable {
  /// The number of a goal in its book.
  public typealias ID = EntityNumber<Goal>
  /// "goal-number".
  @inlinable
  public static var entityName: StaticString { "goal-number" }

  /// The client's name for the goal.
  public internal(set) var key: Key
  /// The owner.
  public internal(set) var owner: Account.ID
  /// The title.
  public internal(set) var title: String
  /// More about it.
  public internal(set) var description: String?
  /// The name that people see.
  public var displayName: String { title }
  /// The owner.
  public var ownedBy: Account.ID? { owner }
  /// Whether it was deleted.
  public internal(set) var isDeleted = false
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
}

extension Goal: PersonalEntity {
  static var kind: EntityKind { .goal }
  static var table: WritableKeyPath<BookState, Table<Goal>> { \.goals }
  static var column: StaticString { "goal" }
  static var countField: StaticString { "goals" }
  static var notFound: Rejection { .goalNotFound }

  mutating func erase(at instant: Instant) {
    (title, description) = ("", nil)
    isDeleted = true
    updated = instant
  }

  static func creation(of lost: LostEntity) -> Event {
    .goalCreated(GoalCreated(of: lost) { $0.title = lost.name })
  }
}

extension GoalCreated: OwnedCreationEvent {
  func created(_ head: EntryHead) -> Goal {
    Goal(
      key: key, owner: owner, title: title, description: description,
      created: begun(head), updated: head.at)
  }
}

extension GoalDescribed: EditEvent, SetEvent {
  var changed: Goal.ID { goal }
  func edit(_ goal: inout Goal) {
    goal.title = title
    goal.description = description
  }
  init(_ id: Goal.ID, as goal: Goal) {
    self.init(goal: id, title: goal.title, description: goal.description)
  }
}

extension GoalDeleted: DeletionEvent {
  static var number: Number { \.goal }
  var changed: Goal.ID { goal }
}

extension GoalRestored: RestorationEvent {
  static var number: Number { \.goal }
  var changed: Goal.ID { goal }
}

extension HabitAttached: EditEvent {
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) { habit.goal = goal }
}

extension HabitDetached: EditEvent, BareEvent {
  static var number: Number { \.habit }
  var changed: Habit.ID { habit }
  func edit(_ habit: inout Habit) { habit.goal = nil }
}
