public import Values
public import Calendar
public import Streaks
public import Avro

/// A person created a habit (HH-7).
public struct HabitCreated: EventRecord, BackdatableEvent {
  /// The client's name for the habit.
  public var key: Key = Key(high: 0, low: 0)
  /// The owner.
  public var owner: Account.ID = .placeholder
  /// The goal that it serves.
  public var goal: Goal.ID?
  /// The name and look.
  public var description: HabitDescription = .placeholder
  /// Whether it is checked or counted.
  public var type: HabitType = .checkbox
  /// The amount that makes a day done.
  public var target: Target = .placeholder
  /// When it is due.
  public var schedule: Schedule = .daily
  /// When the owner is reminded, by local time.
  public var reminders: [LocalTime] = []
  /// The user-local day of creation.
  public var day: Day = .placeholder
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "HabitCreated" }
  var rowScope: RowScope { .everything }
  var dayEffect: DayEffect { .creation }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("goal", &goal)
    try visitor.visit("description", &description)
    try visitor.visit("type", &type)
    try visitor.visit("target", &target)
    try visitor.visit("schedule", &schedule)
    try visitor.visit("reminders", &reminders)
    try visitor.visit("day", &day)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A habit's name and look; no rule depends on them.
public struct HabitDescription: AvroRecord, Hashable {
  /// The name; never empty.
  public var name: String = ""
  /// A picture for it, or empty.
  public var emoji: String = ""
  /// Its colour, `#RRGGBB`.
  public var color: String = ""
  /// The question that asks whether it was done, or empty.
  public var question: String = ""
  /// The unit of its values, such as km, or empty.
  public var unit: String = ""

  public static var recordName: String { "HabitDescription" }
  public static var placeholder: HabitDescription { HabitDescription() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("name", &name, [.personal, .needed])
    try visitor.visit("emoji", &emoji, [.personal, .mayBeEmpty])
    try visitor.visit("color", &color, [.column("color_hex")])
    try visitor.visit("question", &question, [.personal, .mayBeEmpty])
    try visitor.visit("unit", &unit, [.personal, .mayBeEmpty])
  }
}

/// The name or look of a habit changed; the event holds all of it as it is now.
public struct HabitDescribed: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The name and look as they are now.
  public var description: HabitDescription = .placeholder

  public static var recordName: String { "HabitDescribed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("description", &description)
  }
}

/// A habit has another schedule from a day on.
public struct HabitScheduleChanged: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// When it is due.
  public var schedule: Schedule = .daily
  /// The first user-local day of the new schedule.
  public var day: Day = .placeholder

  public static var recordName: String { "HabitScheduleChanged" }
  var dayEffect: DayEffect { .rule(from: day) }
  var verb: String { "new schedule from \(day)" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("schedule", &schedule)
    try visitor.visit("day", &day)
  }
}

/// A habit has another target from a day on.
public struct HabitTargetChanged: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// Whether it is checked or counted.
  public var type: HabitType = .checkbox
  /// The amount that makes a day done.
  public var target: Target = .placeholder
  /// The first user-local day of the new target.
  public var day: Day = .placeholder

  public static var recordName: String { "HabitTargetChanged" }
  var dayEffect: DayEffect { .rule(from: day) }
  var verb: String { "new target" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("type", &type)
    try visitor.visit("target", &target)
    try visitor.visit("day", &day)
  }
}

/// The owner of a habit is reminded at other times.
public struct HabitRemindersChanged: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// When, by local time.
  public var reminders: [LocalTime] = []

  public static var recordName: String { "HabitRemindersChanged" }
  var verb: String {
    reminders.isEmpty
      ? "reminders off"
      : "reminders at " + reminders.map(\.description).joined(separator: " and ")
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("reminders", &reminders)
  }
}

/// A habit was archived: from the day on it neither extends nor breaks its streak.
public struct HabitArchived: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder

  public static var recordName: String { "HabitArchived" }
  var dayEffect: DayEffect { .pause(.archiving, DaySpan(first: day, last: nil)) }
  var verb: String { "archived" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
  }
}

/// An archived habit was restored: the day counts again.
public struct HabitRestored: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder
  /// The user-local day.
  public var day: Day = .placeholder

  public static var recordName: String { "HabitRestored" }
  var dayEffect: DayEffect { .end(.archiving, on: day) }
  var verb: String { "restored from the archive" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("habit", &habit)
    try visitor.visit("day", &day)
  }
}

/// A habit was deleted with its logs; as-of queries still find both (MO-2).
public struct HabitDeleted: EventRecord {
  /// The habit.
  public var habit: Habit.ID = .placeholder

  public static var recordName: String { "HabitDeleted" }
  var rowScope: RowScope { .everything }
}
