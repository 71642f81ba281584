public import Calendar
public import Streaks
public import Avro

// What takes back what was done to a habit, where no other event says it.

/// A deleted habit is there again, with its logs.
public struct HabitUndeleted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder

  /// "HabitUndeleted".
  public static var recordName: String { "HabitUndeleted" }

  /// The fields in their order.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
  }
}

/// A change of what a habit asks was taken back on a day from which it holds: its days are judged as before.
public struct HabitVersionsReverted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// Whether it is checked or counted again.
  public var type: HabitType = .checkbox
  /// What is asked of each day; never empty.
  public var versions: [HabitHistory.Version] = []
  /// The first day that may be judged otherwise.
  public var day: Day = .placeholder

  /// "HabitVersionsReverted".
  public static var recordName: String { "HabitVersionsReverted" }

  /// The fields in their order.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &type)
    try visitor.visit("versions", &versions)
    try visitor.visit("day", &day)
  }
}
