/// The occurrences of one rule from its start, ascending, each once; lazily, a period at a time.
///
/// The occurrences of a period are its days times the times of day; BYSETPOS picks among them; the start, COUNT and
/// UNTIL cut.
struct RuleOccurrences: IteratorProtocol {
  private let rule: RecurrenceRule
  private let start: Int
  private let clock: WallClock?
  private let from: Int
  private var periods: RulePeriods
  private var isOver = false
  /// How many occurrences there were so far, those before `from` included.
  private var passed = 0

  /// Which occurrences of the current period BYSETPOS picks.
  private var picked: [Int]?
  /// How many the current period has, and which is the next.
  private var (count, index) = (0, 0)

  init(_ rule: RecurrenceRule, start: LocalDateTime, from: LocalDateTime?, clock: WallClock?) {
    self.rule = rule
    self.start = start.secondsSince1970
    self.clock = clock
    self.from = from?.secondsSince1970 ?? start.secondsSince1970
    periods = RulePeriods(rule, start: start)
    let most = periods.maximalDayCount * periods.times.offsets.count
    let picksNone = !rule.positions.isEmpty && rule.positions.allSatisfy { $0.magnitude > most }
    isOver = picksNone || (rule.isSubDaily && periods.neverCount)
    skipPeriods()
  }

  mutating func next() -> LocalDateTime? {
    while true {
      while index < count {
        let seconds = occurrence(index)
        index += 1
        if let limit = rule.count, passed >= limit { return nil }
        switch place(of: seconds) {
        case .within: break
        case .beyond: continue
        case .over:
          isOver = true
          index = count
          continue
        }
        passed += 1
        return LocalDateTime(clampingSecondsSince1970: seconds)
      }
      guard !isOver, periods.load() else { return nil }
      takeCurrentPeriod()
    }
  }

  /// The `index`-th occurrence of the current period, in seconds since 1970.
  private func occurrence(_ index: Int) -> Int {
    let ordinal = picked?[index] ?? index
    let offsets = periods.times.offsets
    let (day, time) = ordinal.quotientAndRemainder(dividingBy: offsets.count)
    return periods.days[day] * 86_400 + periods.beginning + Int(offsets[time])
  }

  /// Makes the days that were loaded the current period: picks, and passes over what is too early.
  private mutating func takeCurrentPeriod() {
    let size = periods.days.count * periods.times.offsets.count
    picked = nil
    count = size
    index = 0
    if !rule.positions.isEmpty {
      let picks = picks(among: size)
      picked = picks
      count = picks.count
    }
    guard count > 0 else { return }
    periods.lastFruitful = periods.next - 1
    if occurrence(0) < max(start, from) {
      let begun = firstIndex(from: start)
      index = max(begun, firstIndex(from: from))
      passed += index - begun
    }
  }

  /// Which of so many occurrences BYSETPOS picks.
  private func picks(among size: Int) -> [Int] {
    let indices = rule.positions.map { $0 > 0 ? $0 - 1 : size + $0 }
    return Set(indices.filter { (0..<size).contains($0) }).sorted()
  }

  /// The index of the first occurrence of the current period that is not before.
  private func firstIndex(from seconds: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if occurrence(middle) < seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

// MARK: - UNTIL

extension RuleOccurrences {
  private enum Place { case within, beyond, over }

  /// Where an occurrence is as UNTIL sees it. An UNTIL in UTC is compared as an instant, and near a clock change
  /// a later time on the wall may be the earlier instant: over is what is more than a day beyond.
  private func place(of seconds: Int) -> Place {
    switch rule.until {
    case nil: return .within
    case .date(let day): return seconds < (Int(day.number) + 1) * 86_400 ? .within : .over
    case .local(let local): return seconds <= local.secondsSince1970 ? .within : .over
    case .utc(let instant):
      let limit = WallClock.utc(of: instant).secondsSince1970
      guard let clock else { return seconds <= limit ? .within : .over }
      if seconds < limit - 2 * 86_400 { return .within }
      if seconds > limit + 2 * 86_400 { return .over }
      let own = clock.instant(of: LocalDateTime(clampingSecondsSince1970: seconds))
      return (own ?? instant) <= instant ? .within : .beyond
    }
  }
}

// MARK: - Passing over

extension RuleOccurrences {
  /// Goes to the period in which `from` is. COUNT has those before it looked at, one by one only where they differ.
  private mutating func skipPeriods() {
    guard from > start, !isOver else { return }
    let target = LocalDateTime(clampingSecondsSince1970: from)
    let reached = periods.index(of: target)
    guard reached > 0 else { return }
    guard let limit = rule.count else {
      periods.next = reached
      periods.lastFruitful = reached
      return
    }
    while periods.next < reached, passed < limit, periods.load() {
      takeCurrentPeriod()
      if index < count { break }
      if periods.haveEqualSizes, periods.next > 1 {
        let more = (reached - periods.next).multipliedReportingOverflow(by: count)
        passed = more.overflow ? limit : passed + more.partialValue
        periods.next = reached
        periods.lastFruitful = reached
      } else if rule.isSubDaily, periods.days[0] * 86_400 > start {
        let (each, wanted) = (count, limit - passed)
        passed += periods.pass(toDay: target.day, limit: wanted / each + 1) * each
        return
      }
    }
  }
}
