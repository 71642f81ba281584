public import Values
public import Avro

/// A person created a goal (MO-2).
public struct GoalCreated: EventRecord, BackdatableEvent {
  /// The client's name for the goal.
  public var key: Key = Key(high: 0, low: 0)
  /// The owner.
  public var owner: Account.ID = .placeholder
  /// The title; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "GoalCreated" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A goal's title or description changed; the event holds both as they are now.
public struct GoalDescribed: EventRecord {
  /// The goal.
  public var goal: Goal.ID = .placeholder
  /// The title; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?

  public static var recordName: String { "GoalDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("goal", &goal)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
  }
}

/// A goal was deleted; its habits were deleted in the same commit (MO-2).
public struct GoalDeleted: EventRecord {
  /// The goal.
  public var goal: Goal.ID = .placeholder

  public static var recordName: String { "GoalDeleted" }
}

/// A habit was attached to a goal (MO-3).
public struct HabitAttached: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The goal.
  public var goal: Goal.ID = .placeholder

  public static var recordName: String { "HabitAttached" }
  var verb: String { "attached to a goal" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("goal", &goal)
  }
}

/// A habit was detached from its goal.
public struct HabitDetached: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder

  public static var recordName: String { "HabitDetached" }
  var verb: String { "detached from its goal" }
}

/// A deleted goal was restored; the habits that were deleted with it have entries of their own.
public struct GoalRestored: EventRecord {
  /// The goal.
  public var goal: Goal.ID = .placeholder

  public static var recordName: String { "GoalRestored" }
}
