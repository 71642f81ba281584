public import Calendar
public import Streaks
public import Avro

// Events that undo changes of a habit which no other event can undo.

/// A deleted habit was restored with its logs.
public struct HabitUndeleted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder

  public static var recordName: String { "HabitUndeleted" }
  var rowScope: RowScope { .everything }
}

/// A change of a habit's rules was undone on the day on which it took effect: the habit's days are judged as before.
public struct HabitVersionsReverted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// Whether the habit is checked or counted, as before the change.
  public var type: HabitType = .checkbox
  /// The versions of its rules; never empty.
  public var versions: [HabitHistory.Version] = []
  /// The first day whose judgement may change.
  public var day: Day = .placeholder

  public static var recordName: String { "HabitVersionsReverted" }
  var dayEffect: DayEffect { .rule(from: day) }
  var verb: String { "schedule and target restored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &type)
    try visitor.visit("versions", &versions)
    try visitor.visit("day", &day)
  }
}

/// A change of a day's record was undone: the former record is restored, with its former times (HH-9).
///
/// A day that was logged in time and cleared by mistake was logged in time: rules that consider when a record was made
/// (``RuleClauses/late``) see the record, not the undo.
public struct HabitDayReverted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder
  /// The value that counts again; nothing for a skipped day.
  public var value: Amount?
  /// The source of the log or skip.
  public var source: LogSource = .manual
  /// The person's note about the day.
  public var note: String?
  /// The value that the person entered, when another value counts (HH-8).
  public var entered: Amount?
  /// When the day was first logged or skipped.
  public var created: Instant = .placeholder
  /// When it was last logged or skipped.
  public var updated: Instant = .placeholder

  public static var recordName: String { "HabitDayReverted" }
  var dayEffect: DayEffect { .day(habit, day, .init(day: day, value: value)) }
  var verb: String { (entered ?? value).map { "\($0) again" } ?? "skipped again" }

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
