import Streaks
import Values
public import Calendar
public import Avro

/// The day that a command is about: given by date, or derived from an instant (HH-3).
public enum DayChoice: Sendable, Hashable {
  /// The user-local day of the book's clock.
  case today
  /// A day by its date.
  case day(Day)
  /// The user-local day of the client's instant, for actions queued offline.
  case dayOf(Instant)
}

extension DayChoice: ExpressibleByStringLiteral {
  /// `"2026-03-01"`.
  public init(stringLiteral text: String) { self = .day(Day(stringLiteral: text)) }
}

/// Logs a day of a habit; logging again replaces the value (HH-8).
public struct LogHabit: DayCommand {
  package var habit: Habit.ID
  /// The value to log.
  package var value: Amount
  /// The day to log.
  package var day: DayChoice
  /// The source of the log.
  package var source: LogSource
  /// The person's note about the day.
  package var note: String?
  /// Whether the day may be today's date in any time zone, because the book does not know the device's zone. This does
  /// not hold for the hives that are linked: there a day counts for others, too.
  package var isOfAnyZone = false

  public init(
    _ habit: Habit.ID, value: Amount = .one, day: DayChoice = .today, source: LogSource = .manual,
    note: String? = nil
  ) {
    self.habit = habit
    self.value = value
    self.day = day
    self.source = source
    self.note = note
  }

  package static let form = CommandForm(
    "log_habit", "Logs a day of a habit; logging the day again replaces the value.", answer: "log")
  /// The defaults; no habit is named yet.
  public static var defaults: LogHabit { LogHabit(.placeholder) }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    let habit = habit
    try visitor.columns(
      LoggedAmountCodec("value") { $0.habits[habit]?.version.target.bound == .atLeast }, &value)
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
    try visitor.column("note", &note)
  }

  /// Reads the columns. It does the same as for every command, but for this concrete type: logs come by the million,
  /// and the compiler specialises the visit.
  ///
  /// - Throws: ``Rejection``.
  public init(_ reader: inout RequestReader) throws {
    self = Self.defaults
    try visitColumns(&reader)
  }

  /// Decides the command; the answer is the day.
  ///
  /// The counting value of an at-least habit is clamped to 1…target of that day (to the target itself when that is
  /// below 1); if the entered value differs, it is stored beside it. A value from an import counts as it is.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Day> {
    var today = TodayCache()
    let (day, counted) = try dayAndValue(in: state, context, &today)
    var events: [Event] = [.habitLogged(logged(day, counted))]
    if !state.hives.elements.isEmpty, let owner = context.actor {
      events += state.linkedLogs(habit, owner, day, counted, entered: value, source, context)
    }
    return Decision(events, day)
  }

  /// Writes the single entry of the command. It is decided on a state that may lack the logs right before it, because a
  /// batch may bring thousands of them.
  ///
  /// The rules of a habit do not depend on its logs, except that a day out of bounds may be logged again.
  ///
  /// - Parameters:
  ///   - state: The state, possibly without the logs right before.
  ///   - context: The actor and the time.
  ///   - today: The cache from the log before, in the same state.
  ///   - writer: The writer of the entry.
  /// - Returns: The day. Nothing when the decision needs the whole state, because the command may be refused, or affect
  ///   a hive; then nothing was written.
  package func decide(
    aheadOf state: BookState, _ context: Context, _ today: inout TodayCache,
    to writer: inout BinaryWriter
  ) -> Day? {
    guard state.hives.elements.isEmpty || state.indexes.hives.hives(linkedTo: habit).isEmpty else {
      return nil
    }
    do throws(Rejection) {
      let (day, counted) = try dayAndValue(in: state, context, &today)
      var logged = logged(day, counted)
      // The position of an entry is not written.
      var head = EntryHead(position: 0, after: 0, of: context, id: nil)
      logged.write(under: &head, to: &writer)
      return day
    } catch { return nil }
  }

  /// The day to log, and the value that counts.
  @inline(__always)
  private func dayAndValue(
    in state: BookState, _ context: Context, _ today: inout TodayCache
  ) throws(Rejection) -> (Day, Amount) {
    let account = try today.placeOfActor(in: state, context)
    guard let habitPlace = state.habits.place(of: habit) else { throw .habitNotFound }
    let terms = state.habits.elements[habitPlace].logTerms
    try terms.checkOwn(context)
    guard !terms.isArchived || source == .import else {
      throw .habitArchived(state.habits.elements[habitPlace].description.name)
    }
    if note != nil { try Limit.text.check(note, "note") }
    let isOfAnyZone = isOfAnyZone && state.indexes.hives.hives(linkedTo: habit).isEmpty
    let place = HabitPlace(habit: habitPlace, account: account)
    let day = try state.day(day, ofAnyZone: isOfAnyZone, of: place, context, &today)
    var value = value
    let target =
      day >= terms.since ? terms.target : state.habits.elements[habitPlace].version(on: day).target
    if target.bound == .atLeast, source != .import {
      value = min(max(value, min(.one, target.amount)), target.amount)
    }
    return (day, value)
  }

  /// The log of a day.
  @inline(__always)
  private func logged(_ day: Day, _ counted: Amount) -> HabitLogged {
    HabitLogged(
      habit: habit, day: day, value: counted, source: source, note: note,
      entered: value.unless(counted))
  }
}

/// Clears the record of a day (HH-9). A day without a record stays as it is.
public struct ClearLog: DayCommand {
  package var habit: Habit.ID
  /// The day to clear.
  package var day: DayChoice
  /// The source of the command.
  package var source: LogSource

  public init(_ habit: Habit.ID, day: DayChoice = .today, source: LogSource = .manual) {
    self.habit = habit
    self.day = day
    self.source = source
  }

  package static let form = CommandForm(
    "clear_log", "Clears a day of a habit.", answer: "log")
  /// The defaults; no habit is named yet.
  public static var defaults: ClearLog { ClearLog(.placeholder) }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
  }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Day> {
    let place = try state.placeOfOwnHabit(habit, context)
    let day = try state.day(day, of: place, context)
    guard state.habits.elements[place.habit].days[day] != nil else { return Decision([], day) }
    return Decision(
      [.habitLogCleared(HabitLogCleared(habit: habit, day: day, source: source))]
        + state.linkedClears(
          habit, state.habits.elements[place.habit].owner, day, source, context), day)
  }
}

/// Skips a day: it neither extends nor breaks the streak (HH-10). For a skipped day only the note changes.
public struct SkipDay: DayCommand {
  package var habit: Habit.ID
  /// The day to skip.
  package var day: DayChoice
  /// The source of the command.
  package var source: LogSource
  /// The person's note about the day.
  package var note: String?
  /// Whether the day may be today's date in any time zone, as for a log; skips never affect a hive.
  package var isOfAnyZone = false

  public init(
    _ habit: Habit.ID, day: DayChoice = .today, source: LogSource = .manual, note: String? = nil
  ) {
    self.habit = habit
    self.day = day
    self.source = source
    self.note = note
  }

  package static let form = CommandForm(
    "skip_day", "Skips a day of a habit, so that it neither extends nor breaks a streak.",
    answer: "log")
  /// The defaults; no habit is named yet.
  public static var defaults: SkipDay { SkipDay(.placeholder) }

  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("habit", &habit, [.needed])
    try visitor.columns(DayCodec(), &day)
    try visitor.column("source", &source)
    try visitor.column("note", &note)
  }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Day> {
    let place = try state.placeOfOwnHabit(habit, context)
    let found = state.habits.elements[place.habit]
    guard !found.isArchived || source == .import else {
      throw .habitArchived(found.description.name)
    }
    try Limit.text.check(note, "note")
    let day = try state.day(day, ofAnyZone: isOfAnyZone, of: place, context)
    if let record = found.days[day], record.isSkipped,
      note == nil || note == found.days.note(on: day)
    {
      return Decision([], day)
    }
    return Decision(
      [
        .habitDaySkipped(
          HabitDaySkipped(habit: habit, day: day, source: source, note: note))
      ], day)
  }
}

extension BookState {
  fileprivate func day(
    _ choice: DayChoice, ofAnyZone isOfAnyZone: Bool = false, of place: HabitPlace,
    _ context: Context
  ) throws(Rejection) -> Day {
    var today = TodayCache()
    return try day(choice, ofAnyZone: isOfAnyZone, of: place, context, &today)
  }

  /// The chosen day; one that has not come yet is refused. A day that was lived and recorded before a journey west has
  /// come, even if it is after today.
  @inline(__always)
  fileprivate func day(
    _ choice: DayChoice, ofAnyZone isOfAnyZone: Bool, of place: HabitPlace, _ context: Context,
    _ known: inout TodayCache
  ) throws(Rejection) -> Day {
    var instant = context.at
    if case .dayOf(let given) = choice {
      guard given <= instant else { throw .futureInstant(given) }
      instant = given
    }
    let today = try known.day(of: place.account, at: instant, in: self, context.zones)
    guard case .day(let day) = choice else { return today }
    guard day >= Limit.firstLogDay || habits.elements[place.habit].days[day] != nil else {
      throw .dayTooEarly(day)
    }
    let last = isOfAnyZone ? max(today, .latestOnEarth(at: context.at)) : today
    guard day <= last || habits.elements[place.habit].days[day] != nil else {
      throw .futureDay(day: day, today: today)
    }
    return day
  }
}

extension Day {
  /// The date in the time zones where days begin first, 14 hours ahead of UTC.
  fileprivate static func latestOnEarth(at instant: Instant) -> Day {
    Day(utc: instant.advanced(byMilliseconds: 14 * 3_600_000))
  }
}

extension Amount {
  /// The entered value, if it differs from the counting one; otherwise nothing (HH-8).
  func unless(_ counted: Amount) -> Amount? { self == counted ? nil : self }
}

/// A command about one day of a habit, whose answer is the day's row.
package protocol DayCommand: ColumnCommand where Answer == Day {
  var habit: Habit.ID { get }
}

extension DayCommand {
  /// The day's row.
  package func row(of answer: Day, in state: BookState) -> JSON {
    JSON(written: { write(answer, in: state, to: &$0) })
  }

  /// Writes the day's row.
  package func write(_ answer: Day, in state: BookState, to json: inout JSONWriter) {
    guard let place = state.habits.place(of: habit) else { return json.null() }
    if let record = state.habits.elements[place].days[answer] {
      state.write(record, of: state.habits.elements[place], to: &json)
    } else {
      json.value(state.emptyLogRow(state.habits.elements[place], answer))
    }
  }

  /// The habit.
  package func aggregate(of answer: Day) -> Aggregate? { .habit(habit) }
}
