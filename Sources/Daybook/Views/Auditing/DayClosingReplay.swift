import Calendar
import Streaks

/// A rule's judgement of each day of a habit at the day's close, based on the entries recorded until then.
///
/// Consecutive days are judged together if nothing was recorded between their closes. Under Daybook's own rule, while
/// the habit has never had a quota, they are also judged together if everything recorded between their closes was about
/// days after the first of them: there a day's mark and streak do not depend on later days.
struct DayClosingReplay {
  /// A day as it was judged at its close.
  struct ClosedDay {
    let day: Day
    let closed: Instant
    let judged: JudgedDay?
  }

  /// The instant of a day's close, and the number of entries recorded by then.
  private struct Close {
    let day: Day
    let at: Instant
    let entryCount: Int
  }

  private let habit: Habit.ID
  private let owner: Account.ID
  private let entries: [Entry]
  private let query: Query
  /// Whether the habit ever had a quota, under which later days decide about earlier ones.
  private var hasQuota = false

  init(of habit: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry], _ query: Query) {
    self.habit = habit
    self.owner = owner
    self.entries = entries
    self.query = query
  }

  /// The days as they were judged at their close.
  mutating func closedDays(from first: Day, through last: Day) throws(Rejection) -> [ClosedDay] {
    let closes = try closes(from: first, through: last)
    var told: [ClosedDay] = []
    told.reserveCapacity(closes.count)
    var part = BookState(of: habit, ownedBy: owner, [])
    var applied = 0
    var begin = 0
    while begin < closes.count {
      var end = begin
      while end + 1 < closes.count, areTogether(closes[end], closes[end + 1]) { end += 1 }
      while applied < closes[end].entryCount {
        part.apply(entries[applied])
        applied += 1
      }
      let judgement = try judgement(of: part, at: closes[end].at)
      for close in closes[begin...end] {
        told.append(ClosedDay(day: close.day, closed: close.at, judged: judgement?[close.day]))
      }
      begin = end + 1
    }
    return told
  }

  private func judgement(of part: BookState, at closed: Instant) throws(Rejection) -> Judgement? {
    guard let found = part.habits[habit] else { return nil }
    var then = query
    // The day is over right after its close.
    then.asOf = closed.advanced(byMilliseconds: 1)
    then.on = nil
    return try part.view(of: found, then).judgement
  }

  /// Whether the judgement of a day at the next day's close equals that at its own.
  private func areTogether(_ close: Close, _ next: Close) -> Bool {
    let between = entries[close.entryCount..<next.entryCount]
    if between.isEmpty { return true }
    guard query.rule.isDaybooksOwn, !hasQuota else { return false }
    return between.allSatisfy { entry in
      guard case .day(_, let day, _) = entry.event.dayEffect else { return false }
      return day > close.day
    }
  }

  /// The instants at which days closed, by the clock that was in force then.
  private mutating func closes(from first: Day, through last: Day) throws(Rejection) -> [Close] {
    var clock = entries.lazy.compactMap(\.event.firstClock).first
    var since = Instant.first
    var closes: [Close] = []
    closes.reserveCapacity(first.distance(to: last) + 1)
    var part = BookState(of: habit, ownedBy: owner, [])
    var applied = 0
    var day = first
    while day <= last, var known = clock {
      var closed = max(try end(of: day, known), since)
      while applied < entries.count, entries[applied].head.at <= closed {
        let entry = entries[applied]
        part.apply(entry)
        applied += 1
        hasQuota = hasQuota || part.habits[habit]?.hasQuota ?? false
        guard case .dayClockChanged = entry.event, let now = part.accounts[owner]?.dayClock else {
          continue
        }
        // Each day that is over by the new clock closes with the change.
        (known, since) = (now, entry.head.at)
        closed = max(try end(of: day, now), since)
      }
      clock = known
      closes.append(Close(day: day, at: closed, entryCount: applied))
      guard day < .last else { break }
      day = day.advanced(by: 1)
    }
    return closes
  }

  private func end(of day: Day, _ clock: DayClock) throws(Rejection) -> Instant {
    guard let end = clock.close(of: day, in: query.zones) else {
      throw .unknownTimeZone(clock.timeZone)
    }
    return end
  }
}

extension DayClock {
  /// The last instant of a day: ``end(of:in:)``, or later where clocks jump over the day's end.
  ///
  /// - Returns: `nil` when the zone is unknown.
  func close(of day: Day, in zones: any TimeZones) -> Instant? {
    guard var last = end(of: day, in: zones) else { return nil }
    let isOver = { (instant: Instant) in
      self.day(of: instant.advanced(byMilliseconds: 1), in: zones).map { $0 > day } ?? true
    }
    guard !isOver(last) else { return last }
    var over = last
    for _ in 0..<96 where !isOver(over) { over = over.advanced(byMilliseconds: 1_800_000) }
    while over.milliseconds - last.milliseconds > 1 {
      let middle = Instant(clamping: (over.milliseconds + last.milliseconds) / 2)
      if isOver(middle) { over = middle } else { last = middle }
    }
    return over
  }
}

extension StreakRule {
  /// Whether the rule is Daybook's own, in code.
  fileprivate var isDaybooksOwn: Bool { marksAsDaybook && definition == nil }
}

extension Event {
  /// The day clock that an account began with.
  fileprivate var firstClock: DayClock? {
    guard case .accountCreated(let event) = self else { return nil }
    return DayClock(timeZone: event.timeZone, dayStartHour: Int(event.dayStartHour))
  }
}
