import Calendar
import Streaks

/// Replays the entries of one habit and its owner, and finds the awards that the habit earned.
///
/// A streak is judged after each entry, by the days that are recent then (``RecentDays``). A week or month is judged
/// when it is over, by what the book knew then, and again when an entry changes its days.
struct HabitAwards {
  private let habit: Habit.ID
  private let owner: Account.ID
  private let zones: any TimeZones
  private var state: BookState
  private var awards: [Award] = []
  /// The entry behind the present record of each day.
  private var logs: [Day: (position: Int64, at: Instant)] = [:]
  private var comebacks: Set<Day> = []
  private var weeks = Periods(Periods.week)
  private var months = Periods(Periods.month)
  private var streaksLeft = Award.streaks[...]
  /// Whether done days may change whether other days are due.
  private var hasQuota = false
  /// The recent days; nothing when all days have to be judged from the first one on.
  private var recent: RecentDays?

  init(_ habit: Habit.ID, of owner: Account.ID, _ zones: any TimeZones) {
    self.habit = habit
    self.owner = owner
    self.zones = zones
    state = BookState(of: habit, ownedBy: owner, [])
  }

  /// Applies the next entry of the habit or of its owner.
  mutating func apply(_ entry: Entry) {
    closePeriods(until: entry.head.at)
    state.apply(entry)
    guard let found = state.habits[habit] else { return }
    switch entry.event.dayEffect {
    case .creation:
      weeks.begin(from: found.createdOn)
      months.begin(from: found.createdOn)
      hasQuota = found.hasQuota
    case .day(_, let day, let record):
      logs[day] = record?.value == nil ? nil : (entry.head.position, entry.head.at)
      update(record, of: day)
      judge(entry, day)
    case .rule:
      hasQuota = hasQuota || found.hasQuota
      recent = nil
      judge(entry, nil)
    case .pause, .end, .pauses, .clock:
      recent = nil
      judge(entry, nil)
    case .nothing: break
    }
  }

  /// Applies a day's new record to the recent days, unless the day is before them.
  private mutating func update(_ record: HabitHistory.DayRecord?, of day: Day) {
    if let first = recent?.first, day < first {
      recent = nil
    } else {
      recent?.update(record, of: day)
    }
  }

  /// Gives the awards that an entry earned; it changed one day, or all.
  private mutating func judge(_ entry: Entry, _ day: Day?) {
    var seen = knownDays(at: entry.head.at)
    takeStreaks(&seen, entry.head)
    if case .habitLogged(let event) = entry.event,
      seen.recent.isComeback(event.day, after: recent?.absence ?? MissedDays()),
      comebacks.insert(event.day).inserted
    {
      awards.append(
        Award(
          cause: .comeback(habit, event.day), day: event.day, position: entry.head.position,
          at: entry.head.at, evidence: [entry.head.position], isUndone: false))
    }
    // On weekdays a day's log affects only its own week and month.
    let touched = hasQuota ? nil : day
    for week in weeks.over(holding: touched) { takePeriod(week, &seen) }
    for month in months.over(holding: touched) { takePeriod(month, &seen) }
  }

  /// Advances time to the last instant.
  ///
  /// - Returns: The awards, marked if they no longer hold.
  mutating func finish(at instant: Instant) -> [Award] {
    guard state.habits[habit] != nil else { return [] }
    closePeriods(until: instant)
    let judgement = judgement(at: instant)
    for index in awards.indices { awards[index].isUndone = !judgement.holds(awards[index].cause) }
    return awards
  }

  /// The habit's days as they are known at an instant.
  private struct KnownDays {
    let at: Instant
    /// The recent days, from the first of them on.
    let recent: Judgement
    let first: Day?
    /// All days, once they are needed.
    var all: Judgement?
  }

  private mutating func knownDays(at instant: Instant) -> KnownDays {
    guard let found = state.habits[habit] else {
      return KnownDays(at: instant, recent: Judgement(folding: []), first: nil)
    }
    let today = openDay(at: instant)
    var days = recent ?? RecentDays(state.history(of: found, today: today))
    recent = nil
    let judgement = days.judgement(open: max(today, state.accounts[owner]?.closedBefore ?? today))
    recent = days
    return KnownDays(at: instant, recent: judgement, first: days.first)
  }

  private func all(_ seen: inout KnownDays) -> Judgement {
    let all = seen.all ?? (seen.first == nil ? seen.recent : judgement(at: seen.at))
    seen.all = all
    return all
  }

  /// All of the habit's days as they are known, at an instant.
  private func judgement(at instant: Instant) -> Judgement {
    guard let found = state.habits[habit] else { return Judgement(folding: []) }
    return StreakRule.daybook.judgement(of: state.history(of: found, today: openDay(at: instant)))
  }

  private func openDay(at instant: Instant) -> Day {
    state.accounts[owner]?.openDay(at: instant, in: zones) ?? .first
  }

  /// Judges the weeks and months that are over by an instant.
  private mutating func closePeriods(until instant: Instant) {
    let open = openDay(at: instant)
    guard weeks.hasOver(by: open) || months.hasOver(by: open) else { return }
    var seen = knownDays(at: instant)
    while let week = weeks.next(by: open) { takePeriod(week, &seen) }
    while let month = months.next(by: open) { takePeriod(month, &seen) }
  }

  private mutating func takeStreaks(_ seen: inout KnownDays, _ head: EntryHead) {
    // A streak that ended long ago has earned all it could.
    guard let next = streaksLeft.first,
      seen.recent.streaks.contains(where: { $0.length >= next })
    else { return }
    let judgement = all(&seen)
    while let length = streaksLeft.first,
      let streak = judgement.streaks.last(where: { $0.length >= length })
    {
      streaksLeft.removeFirst()
      let days = judgement.days(streak.start...streak.end)
      awards.append(
        Award(
          cause: .streak(habit, length),
          day: days.first { $0.streak >= length }?.day ?? streak.end, position: head.position,
          at: head.at, evidence: evidence(days), isUndone: false))
    }
  }

  private mutating func takePeriod(_ period: ClosedRange<Day>, _ seen: inout KnownDays) {
    let isOld = seen.first.map { period.lowerBound < $0 } ?? false
    let judgement = isOld ? all(&seen) : seen.recent
    let isWeek = period.lowerBound.distance(to: period.upperBound) == 6
    guard judgement.isPerfect(period),
      isWeek ? weeks.give(period.lowerBound) : months.give(period.lowerBound)
    else { return }
    let evidence = evidence(judgement.days(period))
    let last = judgement.days(period).compactMap { logs[$0.day] }.max { $0.position < $1.position }
    awards.append(
      Award(
        cause: isWeek
          ? .perfectWeek(habit, monday: period.lowerBound)
          : .perfectMonth(habit, first: period.lowerBound),
        day: period.upperBound, position: last?.position ?? 0, at: last?.at ?? .first,
        evidence: evidence, isUndone: false))
  }

  /// The entries behind full days.
  private func evidence(_ days: ArraySlice<JudgedDay>) -> [Int64] {
    days.filter { $0.mark == .full }.compactMap { logs[$0.day]?.position }.sorted()
  }
}

extension Judgement {
  /// The judged days of a span.
  func days(_ span: ClosedRange<Day>) -> ArraySlice<JudgedDay> {
    guard let first = days.first?.day, let last = days.last?.day, span.upperBound >= first,
      span.lowerBound <= last
    else { return [] }
    // Daybook's own rule judges every day.
    return days[
      first.distance(
        to: max(first, span.lowerBound))...first.distance(
          to: min(last, span.upperBound))]
  }

  /// Whether everything that was due on some days was done, and at least one day was due.
  func isPerfect(_ period: ClosedRange<Day>) -> Bool {
    let days = days(period)
    return days.count == period.lowerBound.distance(to: period.upperBound) + 1
      && days.contains { $0.mark == .full }
      && !days.contains { [.partial, .missed, .skipped, .pending].contains($0.mark) }
  }

  /// Whether the cause of a habit's award still holds.
  fileprivate func holds(_ cause: Award.Cause) -> Bool {
    switch cause {
    case .streak(_, let length): longest.map { $0.length >= length } ?? false
    case .perfectWeek(_, let monday): isPerfect(Periods.week.period(monday))
    case .perfectMonth(_, let first): isPerfect(Periods.month.period(first))
    case .comeback(_, let day): isComeback(day)
    case .firstLog, .logs, .hiveStreak: true
    }
  }
}
