import Calendar
import Streaks

/// The end of a replay, which determines what it shows, and how much.
struct ReplayEnd {
  /// The habit at the end.
  let habit: Habit
  /// When it was created.
  let created: Instant
  /// The clock that assigns instants to the owner's days at the end.
  let clock: DayClock
  fileprivate let history: HabitHistory
  fileprivate let zones: any TimeZones

  /// The days that are shown.
  ///
  /// - Parameters:
  ///   - from: The beginning.
  ///   - entries: The entries until the end.
  ///   - year: The requested year, if there is one.
  /// - Returns: The first and the last day.
  /// - Throws: ``Rejection`` for an invalid year, and for more days than a replay may show.
  func days(
    shownFrom from: Instant, _ entries: [Entry], year: Int?
  ) throws(Rejection) -> ClosedRange<Day> {
    guard let usual = HabitHistory.heatmapDays(year: year, today: history.today) else {
      throw .invalidField("year", "\(year ?? 0) is not a year from 1 to 9999")
    }
    guard year == nil else { return usual }
    var earliest = try day(of: from)
    for entry in entries where entry.head.at > from {
      if let day = entry.event.firstDayBorne { earliest = min(earliest, day) }
    }
    // Before the first judged day there is nothing to show.
    let begun = history.judgedDays?.lowerBound ?? usual.lowerBound
    let first = min(usual.lowerBound, max(begun, earliest))
    let count = first.distance(to: usual.upperBound) + 1
    guard count <= HabitReplay.maximumDayCount else {
      throw .invalidField(
        "from",
        "the comb would have \(count) days, from \(first) on, and may have at most "
          + "\(HabitReplay.maximumDayCount); choose a later time, or a year"
      )
    }
    return first...usual.upperBound
  }

  /// Refuses a replay that would take too long: each step judges every day.
  ///
  /// - Throws: ``Rejection``.
  func requireMeasure(from: Instant, _ entries: [Entry]) throws(Rejection) {
    let dayCount = max(0, try day(of: max(from, created)).distance(to: history.today))
    let recorded = entries.lazy.filter { $0.head.at > from }.count
    let judged = history.judgedDays.map { $0.lowerBound.distance(to: $0.upperBound) + 1 } ?? 0
    let (all, isTooMuch) = (dayCount + recorded).multipliedReportingOverflow(by: judged)
    guard !isTooMuch, all <= HabitReplay.maximumJudgedCount else { throw .replayTooLong }
  }

  private func day(of instant: Instant) throws(Rejection) -> Day {
    guard let day = clock.day(of: instant, in: zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    return day
  }
}

extension ReplayWalk {
  /// The situation at the end.
  ///
  /// - Throws: ``Rejection``.
  static func end(
    of number: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry], at end: Instant,
    _ query: Query
  ) throws(Rejection) -> ReplayEnd {
    let state = BookState(of: number, ownedBy: owner, entries)
    guard let habit = state.habits[number] else { throw .habitNotFound }
    guard let account = state.accounts[owner] else { throw .accountNotFound }
    var query = query
    (query.asOf, query.on) = (end, nil)
    return ReplayEnd(
      habit: habit, created: entries.first { $0.event.isCreation }?.head.at ?? end,
      clock: account.dayClock, history: try state.history(of: habit, query).0, zones: query.zones)
  }
}

extension Event {
  fileprivate var isCreation: Bool {
    if case .habitCreated = self { true } else { false }
  }

  /// The first day that it affects, if it affects any.
  fileprivate var firstDayBorne: Day? {
    switch dayEffect {
    case .day(_, let day, _), .rule(from: let day), .end(_, on: let day): day
    case .pause(_, let days): days.first
    case .pauses(let spans): spans.map(\.first).min()
    case .creation, .clock, .nothing: nil
    }
  }
}
