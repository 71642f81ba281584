/// Which day a command is about: named, or told from an instant (HH-3).
public enum DayChoice: Sendable, Hashable {
  /// The user-local day of the book's clock.
  case today
  /// A day by its date.
  case day(Day)
  /// The user-local day of the client's instant, for actions queued offline.
  case dayOf(Instant)
}

/// Logs a day of a habit; logging again replaces the value (HH-8).
public struct LogHabit: Command {
  /// The habit.
  public var habit: Habit.ID
  /// What was done.
  public var value: Amount
  /// Which day.
  public var day: DayChoice
  /// Where the log comes from.
  public var source: Source
  /// What the person wrote about the day.
  public var note: String?

  /// Makes the command.
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

  /// Decides the command; the answer is the day.
  ///
  /// The value of an at-least habit is clamped to 1…target as in force on the day (to the target itself
  /// when that is below 1). An import keeps what the person entered, zero and above the target too.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Day> {
    let place = try state.placeOfOwnHabit(habit, context)
    // Read where it stands: a copy would retain all that a habit holds, and logs come by the million.
    guard !state.habits.elements[place.habit].isArchived || source == .import else {
      throw .habitArchived(state.habits.elements[place.habit].description.name)
    }
    try Limit.text.check(note, "note")
    let day = try state.day(day, of: place, context)
    var value = value
    let target = state.habits.elements[place.habit].version(on: day).target
    if target.bound == .atLeast, source != .import {
      value = min(max(value, min(.one, target.amount)), target.amount)
    }
    let logged = HabitLogged(habit: habit, day: day, value: value, source: source, note: note)
    var events: [Event] = [.habitLogged(logged)]
    if !state.hives.elements.isEmpty {
      events += state.linkedLogs(
        habit, state.habits.elements[place.habit].owner, day, value, source, context)
    }
    return Decision(events, day)
  }
}

/// Takes back what is known of a day (HH-9). An empty day stays as it is.
public struct ClearLog: Command {
  /// The habit.
  public var habit: Habit.ID
  /// Which day.
  public var day: DayChoice
  /// Where the command comes from.
  public var source: Source

  /// Makes the command.
  public init(_ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual) {
    self.habit = habit
    self.day = day
    self.source = source
  }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Day> {
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
public struct SkipDay: Command {
  /// The habit.
  public var habit: Habit.ID
  /// Which day.
  public var day: DayChoice
  /// Where the command comes from.
  public var source: Source
  /// What the person wrote about the day.
  public var note: String?

  /// Makes the command.
  public init(
    _ habit: Habit.ID, day: DayChoice = .today, source: Source = .manual, note: String? = nil
  ) {
    self.habit = habit
    self.day = day
    self.source = source
    self.note = note
  }

  /// Decides the command; the answer is the day.
  ///
  /// - Throws: ``Rejection``.
  public func decide(_ state: State, _ context: Context) throws(Rejection) -> Decision<Day> {
    let place = try state.placeOfOwnHabit(habit, context)
    let found = state.habits.elements[place.habit]
    guard !found.isArchived || source == .import else {
      throw .habitArchived(found.description.name)
    }
    try Limit.text.check(note, "note")
    let day = try state.day(day, of: place, context)
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

extension State {
  /// The day that is meant; one that has not come yet is refused. One that was lived and recorded before a
  /// journey west has come, though it is after today.
  fileprivate func day(
    _ choice: DayChoice, of place: HabitPlace, _ context: Context
  ) throws(Rejection) -> Day {
    var instant = context.at
    if case .dayOf(let given) = choice {
      guard given <= instant else { throw .futureInstant(given) }
      instant = given
    }
    let clock = accounts.elements[place.account].dayClock
    guard let today = clock.day(of: instant, in: context.zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    guard case .day(let day) = choice else { return today }
    guard day >= Limit.firstLogDay || habits.elements[place.habit].days[day] != nil else {
      throw .dayTooEarly(day)
    }
    guard day <= today || habits.elements[place.habit].days[day] != nil else {
      throw .futureDay(day: day, today: today)
    }
    return day
  }
}
