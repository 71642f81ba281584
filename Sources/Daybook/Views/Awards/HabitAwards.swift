import Calendar
import Streaks

/// The awards that one habit earned, found while the entries of the habit and its owner are applied.
///
/// A streak is judged after each entry, by the days that are recent then (``RecentDays``). A week or month is judged
/// when it is over, by what the book knew then, and again when an entry changes its days. What was earned by an entry
/// depends on no later one, so the awards as of any past moment are found without applying its entries again.
package struct HabitAwards: Projection, Sendable {
  /// The position of the entry before which an award was earned, or with which.
  private typealias Earned = (award: Award, by: Int64)
  /// An entry that gave a day its record, or cleared it.
  private typealias DayEntry = (day: Day, position: Int64, at: Instant, isRecorded: Bool)

  private let habit: Habit.ID
  private let owner: Account.ID
  private let zones: any TimeZones
  private var state: BookState
  /// In the order of ``Earned/by``.
  private var earned: [Earned] = []
  /// The causes of the awards so far.
  private var causes: Set<Award.Cause> = []
  /// The entries about days, oldest first.
  private var dayEntries: [DayEntry] = []
  /// The entry behind the present record of each day.
  private var logs: [Day: EntryPlace] = [:]
  private var weeks = Periods(Periods.week)
  private var months = Periods(Periods.month)
  /// From which entry on which weeks and months were over.
  private var closings: [(position: Int64, weeks: Periods, months: Periods)] = []
  private var streaksLeft = Award.streaks[...]
  /// Whether done days may change whether other days are due.
  private var hasQuota = false
  /// The recent days; nothing when all days have to be judged from the first one on.
  private var recent: RecentDays?

  /// Begins before the first entry.
  package init(_ habit: Habit.ID, of owner: Account.ID, _ zones: any TimeZones) {
    self.habit = habit
    self.owner = owner
    self.zones = zones
    state = BookState(of: habit, ownedBy: owner, [])
  }

  /// The position of an entry, and when it was recorded.
  private struct EntryPlace {
    var position: Int64
    var at: Instant
  }

  /// Applies the next entry of the habit or of its owner.
  package mutating func apply(_ entry: Entry) {
    closePeriods(before: entry.head)
    state.apply(entry)
    guard let found = state.habits[habit] else { return }
    switch entry.event.dayEffect {
    case .creation:
      weeks.begin(from: found.createdOn)
      months.begin(from: found.createdOn)
      closings.append((entry.head.position, weeks, months))
      hasQuota = found.hasQuota
    case .day(_, let day, let record):
      let isRecorded = record?.value != nil
      dayEntries.append((day, entry.head.position, entry.head.at, isRecorded))
      logs[day] = isRecorded ? EntryPlace(position: entry.head.position, at: entry.head.at) : nil
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
      !causes.contains(.comeback(habit, event.day))
    {
      earn(
        Award(
          cause: .comeback(habit, event.day), day: event.day, position: entry.head.position,
          at: entry.head.at, evidence: [entry.head.position], isUndone: false), by: entry.head)
    }
    // On weekdays a day's log affects only its own week and month.
    let touched = hasQuota ? nil : day
    for week in weeks.over(holding: touched) { takePeriod(week, &seen, entry.head) }
    for month in months.over(holding: touched) { takePeriod(month, &seen, entry.head) }
  }

  private mutating func earn(_ award: Award, by head: EntryHead) {
    causes.insert(award.cause)
    earned.append((award, head.position))
  }

  /// The awards as of a moment, marked if they no longer hold.
  ///
  /// - Parameters:
  ///   - position: The position of the last entry that is known: the last applied one, or an earlier one.
  ///   - instant: The moment: weeks and months that are over by then are judged.
  ///   - state: The state after the entry at that position, with the habit and its owner.
  /// - Returns: The awards, in no order.
  package func list(
    through position: Int64, at instant: Instant, in state: BookState
  ) -> [Award] {
    guard let found = state.habits[habit] else { return [] }
    let open = state.accounts[owner]?.openDay(at: instant, in: zones) ?? .first
    let judgement = StreakRule.daybook.judgement(of: state.history(of: found, today: open))
    var awards = earned.sortedPrefix { $0.by <= position }.map(\.award)
    if var (_, weeks, months) = closings.sortedPrefix(while: { $0.position <= position }).last {
      if weeks.hasOver(by: open) || months.hasOver(by: open) {
        let causes = Set(awards.map(\.cause))
        let logs = logs(through: position)
        func judge(_ period: ClosedRange<Day>) {
          guard !causes.contains(cause(period)), judgement.isPerfect(period) else { return }
          awards.append(award(period, judgement, logs))
        }
        while let week = weeks.next(by: open) { judge(week) }
        while let month = months.next(by: open) { judge(month) }
      }
    }
    for index in awards.indices { awards[index].isUndone = !judgement.holds(awards[index].cause) }
    return awards
  }

  /// The entries behind the records of days, as of a position.
  private func logs(through position: Int64) -> [Day: EntryPlace] {
    guard let last = dayEntries.last, last.position > position else { return logs }
    var logs: [Day: EntryPlace] = [:]
    for entry in dayEntries.sortedPrefix(while: { $0.position <= position }) {
      logs[entry.day] =
        entry.isRecorded ? EntryPlace(position: entry.position, at: entry.at) : nil
    }
    return logs
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

  /// Judges the weeks and months that are over when the next entry is recorded.
  private mutating func closePeriods(before head: EntryHead) {
    let open = openDay(at: head.at)
    guard weeks.hasOver(by: open) || months.hasOver(by: open) else { return }
    var seen = knownDays(at: head.at)
    while let week = weeks.next(by: open) { takePeriod(week, &seen, head) }
    while let month = months.next(by: open) { takePeriod(month, &seen, head) }
    closings.append((head.position, weeks, months))
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
      earn(
        Award(
          cause: .streak(habit, length),
          day: days.first { $0.streak >= length }?.day ?? streak.end, position: head.position,
          at: head.at, evidence: Self.evidence(days, logs), isUndone: false), by: head)
    }
  }

  private mutating func takePeriod(
    _ period: ClosedRange<Day>, _ seen: inout KnownDays, _ head: EntryHead
  ) {
    guard !causes.contains(cause(period)) else { return }
    let isOld = seen.first.map { period.lowerBound < $0 } ?? false
    let judgement = isOld ? all(&seen) : seen.recent
    guard judgement.isPerfect(period) else { return }
    earn(award(period, judgement, logs), by: head)
  }

  private func cause(_ period: ClosedRange<Day>) -> Award.Cause {
    period.lowerBound.distance(to: period.upperBound) == 6
      ? .perfectWeek(habit, monday: period.lowerBound)
      : .perfectMonth(habit, first: period.lowerBound)
  }

  /// The award for a perfect week or month.
  private func award(
    _ period: ClosedRange<Day>, _ judgement: Judgement, _ logs: [Day: EntryPlace]
  ) -> Award {
    let days = judgement.days(period)
    let last = days.compactMap { logs[$0.day] }.max { $0.position < $1.position }
    return Award(
      cause: cause(period), day: period.upperBound, position: last?.position ?? 0,
      at: last?.at ?? .first, evidence: Self.evidence(days, logs), isUndone: false)
  }

  /// The entries behind full days.
  private static func evidence(
    _ days: ArraySlice<JudgedDay>, _ logs: [Day: EntryPlace]
  ) -> [Int64] {
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
