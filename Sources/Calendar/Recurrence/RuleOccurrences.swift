/// The occurrences of one rule from its start, ascending and without duplicates, computed lazily a period at
/// a time.
///
/// The occurrences of a period are its days times the times of day. BYSETPOS selects among them; the start,
/// COUNT and UNTIL cut them off.
struct RuleOccurrences: IteratorProtocol {
  private let rule: RecurrenceRule
  private let start: Int
  private let clock: WallClock?
  private var from: Int
  /// Whether the limit on steps applies anew after each occurrence.
  private let renewsSteps: Bool
  private var periods: RulePeriods
  private var isOver = false
  /// The number of occurrences so far, including those before `from`.
  private var passed = 0

  /// The occurrences of the current period that BYSETPOS selects.
  private var picked: [Int]?
  /// The number of occurrences in the current period, and the index of the next.
  private var (count, index) = (0, 0)

  /// The limit on months, weeks, days or times examined from one occurrence to the next: more than there are
  /// days in all years.
  static let maximumIdleStepCount = 4_000_000

  /// Makes the occurrences of a rule.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: The start of the recurrence.
  ///   - from: The earliest occurrence to return.
  ///   - clock: The clock with which an UNTIL in UTC is compared.
  ///   - maximumStepCount: The number of steps allowed in all; without it, ``maximumIdleStepCount`` from one
  ///     occurrence to the next.
  init(
    _ rule: RecurrenceRule, start: LocalDateTime, from: LocalDateTime?, clock: WallClock?,
    maximumStepCount: Int? = nil
  ) {
    self.rule = rule
    self.start = start.secondsSince1970
    self.clock = clock
    self.from = from?.secondsSince1970 ?? start.secondsSince1970
    renewsSteps = maximumStepCount == nil
    periods = RulePeriods(rule, start: start)
    periods.maximumStepCount = maximumStepCount ?? Self.maximumIdleStepCount
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
        if renewsSteps {
          periods.maximumStepCount = periods.steps + Self.maximumIdleStepCount
        } else {
          guard !periods.isSpent else { return nil }
          periods.spend(1)
        }
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

  /// Makes the loaded days the current period: applies BYSETPOS, and skips what is too early.
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

  /// The indices that BYSETPOS selects among `size` occurrences. Its positions ascend: those from the end
  /// come first, then those from the beginning.
  private func picks(among size: Int) -> [Int] {
    let positions = rule.positions
    let border = positions.firstIndex { $0 > 0 } ?? positions.endIndex
    let fromStart = positions[border...].lazy.map { $0 - 1 }.prefix { $0 < size }
    let fromEnd = positions[..<border].reversed().lazy.map { size + $0 }.prefix { $0 >= 0 }
    return Set(fromStart).union(fromEnd).sorted()
  }

  /// The index of the first occurrence of the current period that is not before a time.
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

  /// The place of an occurrence relative to UNTIL. An UNTIL in UTC is compared as an instant, and near a
  /// clock change a later wall-clock time may be the earlier instant. An occurrence is therefore `over` only
  /// if it is more than two days past UNTIL.
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

// MARK: - Skipping ahead

extension RuleOccurrences {
  /// The number of steps taken so far.
  var steps: Int { periods.steps }

  /// Whether the sequence ended because the steps ran out.
  var isCutOff: Bool { periods.isSpent }

  /// Skips ahead to a time: earlier occurrences that were not yet returned are dropped.
  mutating func advance(to time: LocalDateTime) {
    let seconds = time.secondsSince1970
    guard seconds > from else { return }
    from = seconds
    let later = max(index, firstIndex(from: seconds))
    passed += later - index
    index = later
    if index == count { skipPeriods() }
  }

  /// Moves to the period that contains `from`. COUNT requires counting the periods before it, one by one only
  /// if they differ.
  private mutating func skipPeriods() {
    guard from > start, !isOver else { return }
    let target = LocalDateTime(clampingSecondsSince1970: from)
    let reached = periods.index(of: target)
    guard reached > 0 else { return }
    guard let limit = rule.count else {
      periods.next = max(periods.next, reached)
      periods.lastFruitful = periods.next
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
        passed += periods.skip(toDay: target.day, limit: wanted / each + 1) * each
        return
      }
    }
  }
}
