public import Calendar
public import Avro
import Streaks

/// A day of a habit was logged; the log replaces an earlier record of the day (HH-8).
public struct HabitLogged: EventRecord {
  /// The habit.
  public var habit: Habit.ID
  /// The user-local day, decided when the log was accepted (HH-3).
  public var day: Day
  /// The value that counts: clamped to the habit's target, or as an import found it.
  public var value: Amount
  /// The source of the log.
  public var source: LogSource
  /// The person's note about the day.
  public var note: String?
  /// The value that the person entered, when another value counts (HH-8).
  public var entered: Amount?

  /// Makes a log.
  @inlinable
  public init(
    habit: Habit.ID, day: Day, value: Amount, source: LogSource = .manual, note: String? = nil,
    entered: Amount? = nil
  ) {
    self.habit = habit
    self.day = day
    self.value = value
    self.source = source
    self.note = note
    self.entered = entered
  }

  public static var recordName: String { "HabitLogged" }
  var verb: String { "\(entered ?? value)" }
  /// Logs come by the million, and have no such field.
  var emptyField: EmptyField? { nil }
  var dayEffect: DayEffect { .day(habit, day, .init(day: day, value: value)) }
  /// The value before any field is read.
  @inlinable
  public static var placeholder: HabitLogged {
    HabitLogged(habit: .placeholder, day: .placeholder, value: .zero)
  }

  /// The fields in their order.
  @inlinable
  @inline(__always)
  @_lifetime(visitor: copy visitor)
  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
    try visitor.visit("value", &value)
    try visitor.visit("source", &source)
    try visitor.visit("note", &note, [.personal])
    try visitor.visit(
      "entered", &entered, [.doc("what the person entered, when it is not the value that counts")])
  }
}

/// The record of a day was cleared (HH-9).
public struct HabitLogCleared: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder
  /// The source of the command.
  public var source: LogSource = .manual

  public static var recordName: String { "HabitLogCleared" }
  var dayEffect: DayEffect { .day(habit, day, nil) }
  var verb: String { "cleared" }
  public static var placeholder: HabitLogCleared { HabitLogCleared() }

  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
    try visitor.visit("source", &source)
  }
}

/// A day was skipped: it neither extends nor breaks the streak (HH-10).
public struct HabitDaySkipped: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder
  /// The source of the command.
  public var source: LogSource = .manual
  /// The person's note about the day.
  public var note: String?

  public static var recordName: String { "HabitDaySkipped" }
  var dayEffect: DayEffect { .day(habit, day, .init(day: day, value: nil)) }
  var verb: String { "skipped" }
  public static var placeholder: HabitDaySkipped { HabitDaySkipped() }

  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
    try visitor.visit("source", &source)
    try visitor.visit("note", &note, [.personal])
  }
}

/// An account chose its one focus habit, or gave it up (DG-2).
public struct FocusChosen: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The new focus, if there is one.
  public var habit: Habit.ID?

  public static var recordName: String { "FocusChosen" }
  var rowScope: RowScope { .tables(["focus"]) }
  var verb: String { habit == nil ? "removed the focus" : "chose a focus" }
  public static var placeholder: FocusChosen { FocusChosen() }

  public mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("habit", &habit)
  }
}

/// The source of a log (HH-8).
public enum LogSource: String, AvroEnumeration {
  /// A person, in Daybook's own app.
  case manual
  /// A program.
  case api
  /// Another device.
  case sync
  /// Another app's export.
  case `import`

  public static var enumerationName: String { "Source" }

  /// The case's number, without a search, because every log has one.
  @inlinable
  public var symbolNumber: Int {
    switch self {
    case .manual: 0
    case .api: 1
    case .sync: 2
    case .import: 3
    }
  }

  /// The case with a number.
  @inlinable
  public init?(symbolNumber: Int) {
    switch symbolNumber {
    case 0: self = .manual
    case 1: self = .api
    case 2: self = .sync
    case 3: self = .import
    default: return nil
    }
  }
}
