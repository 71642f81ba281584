public import Calendar
public import Streaks

/// The parameters of a query on a state: the day, and the rule.
///
/// The two time axes meet here: the state is *as of* an instant (the entries until then), and `on` is the day that the
/// query is about. Everything that is shown is a pure function of a state and a query.
public struct Query: Sendable {
  /// The instant of the state: now, or a past moment. Today follows from it.
  public var asOf: Instant
  /// The day that the query is about; today if not given. Later days are left out.
  public var on: Day?
  /// The streak rule.
  public var rule: StreakRule
  /// The time zones.
  public var zones: any TimeZones

  public init(
    asOf: Instant, on: Day? = nil, rule: StreakRule = .daybook, zones: any TimeZones
  ) {
    self.asOf = asOf
    self.on = on
    self.rule = rule
    self.zones = zones
  }

  /// The user-local today of an account, at the query's instant.
  ///
  /// - Throws: ``Rejection/unknownTimeZone(_:)`` when this machine does not know the account's zone.
  public func today(of account: Account) throws(Rejection) -> Day {
    guard let day = account.dayClock.day(of: asOf, in: zones) else {
      throw .unknownTimeZone(account.dayClock.timeZone)
    }
    return day
  }
}

/// A habit as a query sees it: its history up to the requested day, and the judgement of its days.
public struct HabitView: Sendable {
  /// The habit.
  public let habit: Habit
  /// The history that the rule was given.
  public let history: HabitHistory
  /// The rule's judgement of the days, up to the requested one.
  public let judgement: Judgement
  /// The requested day: today, unless the query names another.
  public let day: Day
  /// The rule.
  public let rule: StreakRule

  /// The strength of the habit on the day, 0…1, by Loop's formula.
  public var strength: Double { history.strength(after: day) }
}

extension BookState {
  /// The habit's history in this state.
  ///
  /// - Throws: ``Rejection``.
  public func history(
    of habit: Habit, _ query: Query
  ) throws(Rejection) -> (HabitHistory, day: Day) {
    guard let owner = accounts[habit.owner] else { throw .accountNotFound }
    let today = try query.today(of: owner)
    var history = history(of: habit, today: today)
    if query.rule.needsRecordTimes { history.addRecordTimes(habit.days, of: owner, query.zones) }
    let lastDay = max(history.openFrom, history.records.last?.day ?? today)
    if let on = query.on, on > lastDay { throw .futureDayAsked(day: on, today: today) }
    return (history, query.on ?? today)
  }

  /// The habit as the query sees it.
  ///
  /// - Throws: ``Rejection``.
  public func view(of habit: Habit, _ query: Query) throws(Rejection) -> HabitView {
    let (whole, day) = try history(of: habit, query)
    let (history, last) = query.rule.seen(whole, on: query.on)
    var judgement = query.rule.judgement(of: history)
    if last != .last { judgement = judgement.upTo(last) }
    return HabitView(
      habit: habit, history: history, judgement: judgement, day: day, rule: query.rule)
  }

  /// The habits of an account, or of all accounts, in the order in which they are shown; archived ones included,
  /// deleted ones excluded.
  public func habits(of account: Account.ID?) -> [Habit] {
    guard let account else {
      let places = habits.elements.indices.filter { !habits.elements[$0].isDeleted }
      return shown(places).map { habits.elements[$0] }
    }
    return shownHabits(of: account).compactMap { habits[$0] }
  }
}

extension BookState {
  /// The goals of an account, or of all accounts, in the order of their creation; deleted ones excluded.
  public func goals(of account: Account.ID?) -> [(number: Goal.ID, goal: Goal)] {
    let numbers = account.map { indexes.owned[Goal.self][$0] }
    return (numbers ?? goals.elements.indices.map { Goal.ID(index: $0) }).compactMap { number in
      guard let goal = goals[number], !goal.isDeleted else { return nil }
      return (number, goal)
    }
  }

  /// The current habit of an account: the one with the focus, or else the newest that is not archived (DG-2).
  public func currentHabit(of account: Account.ID) -> Habit? {
    if let focus = accounts[account]?.focusHabit, let habit = habits[focus], !habit.isDeleted {
      return habit
    }
    var newest: Habit?
    indexes.owned[Habit.self].visitBackwards(account) { number in
      newest = habits[number].flatMap { $0.isDeleted || $0.isArchived ? nil : $0 }
      return newest == nil
    }
    return newest
  }

  /// The habits that serve a goal, in the order in which they are shown (MO-2).
  public func habits(serving goal: Goal.ID) -> [Habit] {
    shown(indexes.habits.habits(serving: goal).compactMap { habits.place(of: $0) })
      .map { habits.elements[$0] }
  }
}
