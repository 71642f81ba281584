public import Calendar
public import Streaks
public import Avro

// What takes back what was done to a habit, where no other event says it.

/// A deleted habit is there again, with its logs.
public struct HabitUndeleted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder

  public static var recordName: String { "HabitUndeleted" }

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

  public static var recordName: String { "HabitVersionsReverted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &type)
    try visitor.visit("versions", &versions)
    try visitor.visit("day", &day)
  }
}

/// What was done about a day was taken back: what was known of it before is known again, as old as it was (HH-9).
///
/// A day that was logged in time and cleared by mistake was logged in time: rules that look at when a record was made
/// (``RuleClauses/late``) are told of the record, not of the undo.
public struct HabitDayReverted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder
  /// What counts again; nothing where the day was skipped.
  public var value: Amount?
  /// Where the log or skip came from.
  public var source: Source = .manual
  /// What the person wrote about the day.
  public var note: String?
  /// What the person entered, when it is not what counts (HH-8).
  public var entered: Amount?
  /// When the day was first logged or skipped.
  public var created: Instant = .placeholder
  /// When it was last logged or skipped.
  public var updated: Instant = .placeholder

  public static var recordName: String { "HabitDayReverted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
    try visitor.visit("value", &value, [.doc("what counts; nothing where the day was skipped")])
    try visitor.visit("source", &source)
    try visitor.visit("note", &note, [.personal])
    try visitor.visit(
      "entered", &entered, [.doc("what the person entered, when it is not the value that counts")])
    try visitor.visit("created", &created, [.doc("when the day was first logged or skipped")])
    try visitor.visit("updated", &updated, [.doc("when it was last logged or skipped")])
  }
}
