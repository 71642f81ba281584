public import Avro

/// Somebody set a goal (MO-2).
public struct GoalCreated: AvroRecord, Hashable {
  /// The client's name for the goal.
  public var key: Key = Key(high: 0, low: 0)
  /// Whose it is.
  public var owner: Account.ID = .blank
  /// What it is called; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?

  /// "GoalCreated".
  public static var recordName: String { "GoalCreated" }
  /// About to be read.
  public static var blank: GoalCreated { GoalCreated() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
  }
}

/// A goal's title or description changed; both as they are now.
public struct GoalDescribed: AvroRecord, Hashable {
  /// The goal.
  public var goal: Goal.ID = .blank
  /// What it is called; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?

  /// "GoalDescribed".
  public static var recordName: String { "GoalDescribed" }
  /// About to be read.
  public static var blank: GoalDescribed { GoalDescribed() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("goal", &goal)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
  }
}

/// A goal was deleted; its habits were deleted in the same commit (MO-2).
public struct GoalDeleted: AvroRecord, Hashable {
  /// The goal.
  public var goal: Goal.ID = .blank

  /// "GoalDeleted".
  public static var recordName: String { "GoalDeleted" }
  /// About to be read.
  public static var blank: GoalDeleted { GoalDeleted() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("goal", &goal)
  }
}

/// A habit serves a goal from now on (MO-3).
public struct HabitAttached: AvroRecord, Hashable {
  /// The habit.
  public var habit: Habit.ID = .blank
  /// The goal.
  public var goal: Goal.ID = .blank

  /// "HabitAttached".
  public static var recordName: String { "HabitAttached" }
  /// About to be read.
  public static var blank: HabitAttached { HabitAttached() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("goal", &goal)
  }
}

/// A habit serves no goal from now on.
public struct HabitDetached: AvroRecord, Hashable {
  /// The habit.
  public var habit: Habit.ID = .blank

  /// "HabitDetached".
  public static var recordName: String { "HabitDetached" }
  /// About to be read.
  public static var blank: HabitDetached { HabitDetached() }

  /// The fields in their order.
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
  }
}
