import Streaks
import Values
public import Calendar
public import Avro

/// Which day a command is about: named, or told from an instant (HH-3).
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
  /// What was done.
  package var value: Amount
  /// Which day.
  package var day: DayChoice
  /// Where the log comes from.
  package var source: Source
  /// What the person wrote about the day.
  package var note: String?
  /// Whether the day is that of a device of which the book knows no zone: it may be the date that it is anywhere. What
  /// goes on to a hive may not: there a day counts for others, too.
  package var isOfAnyZone = false

  public init(
    _ habit: Habit.ID, value: Amount = .one, day: DayChoice = .today, source: Source = .manual,
    note: String? = nil
  ) {
    self.habit = habit
    self.value = value
    self.day = day
    self.source = source
    self.note = note
  }

  package static let form = CommandForm(
    "log_habit", "Logs a day of a habit; again, it replaces the value.", answer: "log")
  /// Of nothing yet.
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

  /// Takes the columns off the reader. It says no more than every command's does, but of one type: logs come by the
  /// million, and the compiler makes a visit of its own of it.
  ///
  /// - Throws: ``Rejection``.
  public init(_ reader: inout RequestReader) throws {
    self = Self.defaults
    try visitColumns(&reader)
  }

  /// Decides the command; the answer is the day.
  ///
  /// The value that counts of an at-least habit is clamped to 1…target as in force on the day (to the target itself
  /// when that is below 1); what was entered is kept beside it when that is another. Of an import it counts.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: BookState, _ context: Context) throws(Rejection) -> Decision<Day> {
    var today = KnownToday()
    let (day, counted) = try dayAndValue(in: state, context, &today)
    var events: [Event] = [.habitLogged(logged(day, counted))]
    if !state.hives.elements.isEmpty, let owner = context.actor {
      events += state.linkedLogs(habit, owner, day, counted, entered: value, source, context)
    }
    return Decision(events, day)
  }

  /// Writes the one entry that the command comes to, decided in a state to which the logs right before it may not have
  /// been applied yet: those of a batch, which come by the thousand.
  ///
  /// What is asked of a habit does not depend on its logs, but that a day that is out of bounds may be logged again.
  ///
  /// - Parameters:
  ///   - state: The state, but for the logs right before.
  ///   - context: Who asks, and when.
  ///   - today: What is known from the log before, in the same state.
  ///   - writer: Where the entry goes.
  /// - Returns: The day. Nothing when only the whole state tells, for the command may be refused, or go on to a hive; then
  ///   nothing was written.
  package func write(
    aheadOf state: BookState, _ context: Context, _ today: inout KnownToday,
    to writer: inout BinaryWriter
  ) -> Day? {
    guard state.hives.elements.isEmpty || state.indexes.hives.hives(linkedTo: habit).isEmpty else {
      return nil
    }
    do throws(Rejection) {
      let (day, counted) = try dayAndValue(in: state, context, &today)
      var logged = logged(day, counted)
      // Where an entry stands is not written.
      var head = EntryHead(position: 0, after: 0, of: context, id: nil)
      logged.write(under: &head, to: &writer)
      return day
    } catch { return nil }
  }

  /// Which day is logged, and what counts of the value.
  @inline(__always)
  private func dayAndValue(
    in state: BookState, _ context: Context, _ today: inout KnownToday
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

/// Takes back what is known of a day (HH-9). An empty day stays as it is.
public struct ClearLog: DayCommand {
  package var habit: Habit.ID
  /// Which day.
  package var day: DayChoice
  /// Where the command comes from.
  package var source: Source

  public init(_ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual) {
    self.habit = habit
    self.day = day
    self.source = source
  }

  package static let form = CommandForm(
    "clear_log", "Takes back what is known of a day.", answer: "log")
  /// Of nothing yet.
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

/// Skips a day: it neither extends nor breaks the streak (HH-10). A skipped day stays as it is, but for a
/// new note.
public struct SkipDay: DayCommand {
  package var habit: Habit.ID
  /// Which day.
  package var day: DayChoice
  /// Where the command comes from.
  package var source: Source
  /// What the person wrote about the day.
  package var note: String?
  /// Whether the day is that of a device of which the book knows no zone, as that of a log may be; no skip goes on to a hive.
  package var isOfAnyZone = false

  public init(
    _ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual, note: String? = nil
  ) {
    self.habit = habit
    self.day = day
    self.source = source
    self.note = note
  }

  package static let form = CommandForm(
    "skip_day", "Skips a day, which then neither extends nor breaks.", answer: "log")
  /// Of nothing yet.
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
    var today = KnownToday()
    return try day(choice, ofAnyZone: isOfAnyZone, of: place, context, &today)
  }

  /// The day that is meant; one that has not come yet is refused. One that was lived and recorded before a
  /// journey west has come, though it is after today.
  @inline(__always)
  fileprivate func day(
    _ choice: DayChoice, ofAnyZone isOfAnyZone: Bool, of place: HabitPlace, _ context: Context,
    _ known: inout KnownToday
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
  /// The date where days begin first: in zones 14 hours before UTC.
  fileprivate static func latestOnEarth(at instant: Instant) -> Day {
    Day(utc: instant.advanced(byMilliseconds: 14 * 3_600_000))
  }
}

extension Amount {
  /// What was entered, where another value counts; nothing where that says it already (HH-8).
  func unless(_ counted: Amount) -> Amount? { self == counted ? nil : self }
}

/// A command about one day of a habit, which answers the day's row.
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
