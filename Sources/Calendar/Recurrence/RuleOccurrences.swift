/// The occurrences of one rule from its start, ascending, each once; lazily, a period at a time.
///
/// The occurrences of a period are its days times the times of day; BYSETPOS picks among them; the start, COUNT and
/// UNTIL cut.
struct RuleOccurrences: IteratorProtocol {
  private let rule: RecurrenceRule
  private let start: Int
  private let clock: WallClock?
  private var from: Int
  /// Whether the steps that may be taken are counted anew from each occurrence on.
  private let renewsSteps: Bool
  private var periods: RulePeriods
  private var isOver = false
  /// How many occurrences there were so far, those before `from` included.
  private var passed = 0

  /// Which occurrences of the current period BYSETPOS picks.
  private var picked: [Int]?
  /// How many the current period has, and which is the next.
  private var (count, index) = (0, 0)

  /// So many months, weeks, days or times are looked at from one occurrence to the next: more than there are days
  /// in all years.
  static let maximumIdleStepCount = 4_000_000

  /// Makes them.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - start: Where it begins.
  ///   - from: The first occurrence that may be among them.
  ///   - clock: By which an UNTIL in UTC is compared.
  ///   - maximumStepCount: How much may be looked at in all; without it, ``maximumIdleStepCount`` from one occurrence to the next.
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

  /// Which of so many occurrences BYSETPOS picks. Its positions ascend: first those from the end, then those from
  /// the beginning.
  private func picks(among size: Int) -> [Int] {
    let positions = rule.positions
    let border = positions.firstIndex { $0 > 0 } ?? positions.endIndex
    let fromStart = positions[border...].lazy.map { $0 - 1 }.prefix { $0 < size }
    let fromEnd = positions[..<border].reversed().lazy.map { size + $0 }.prefix { $0 >= 0 }
    return Set(fromStart).union(fromEnd).sorted()
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
  /// How much was looked at so far.
  var steps: Int { periods.steps }

  /// Whether they ended because enough was looked at.
  var isCutOff: Bool { periods.isSpent }

  /// Goes on to a time: what is before it and was not taken yet does not come any more.
  mutating func advance(to time: LocalDateTime) {
    let seconds = time.secondsSince1970
    guard seconds > from else { return }
    from = seconds
    let later = max(index, firstIndex(from: seconds))
    passed += later - index
    index = later
    if index == count { skipPeriods() }
  }

  /// Goes to the period in which `from` is. COUNT has those before it looked at, one by one only where they differ.
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
        passed += periods.pass(toDay: target.day, limit: wanted / each + 1) * each
        return
      }
    }
  }
}
