/// The periods of a rule in order, with the days that it selects in each.
///
/// Period `k` is the `k`·INTERVAL-th year, month, week (from WKST on), day, hour, minute or second after that
/// of the start. The periods end with the year 9999, or after a full calendar cycle without an occurrence (30
/// February).
struct RulePeriods {
  private let rule: RecurrenceRule
  private let start: LocalDateTime
  /// The first second of the start's own period; only for frequencies below DAILY.
  private let origin: Int
  private var allowedDays: RuleDays
  let times: RuleTimes

  /// The period to examine next.
  var next = 0
  /// The last period with an occurrence, or the first one that matters.
  var lastFruitful = 0
  /// The days of the current period, since 1970; below DAILY, the day that contains it.
  private(set) var days: [Int] = []
  /// The second of the day at which the period begins, below DAILY.
  private(set) var beginning = 0
  /// The number of months, weeks, days or times examined so far.
  private(set) var steps = 0
  /// The limit on steps: a rule that selects no day could otherwise be followed for long.
  var maximumStepCount = Int.max

  init(_ rule: RecurrenceRule, start: LocalDateTime) {
    self.rule = rule
    self.start = start
    allowedDays = RuleDays(rule, start: start.day)
    times = RuleTimes(rule, start: start)
    origin = start.secondsSince1970 - Int(start.second) % times.unit
  }

  /// The largest possible number of days in a period.
  var maximalDayCount: Int {
    switch rule.frequency {
    case .yearly: 366
    case .monthly: 31
    case .weekly: rule.weekdays.isEmpty ? 7 : rule.weekdays.count
    case .daily, .hourly, .minutely, .secondly: 1
    }
  }

  /// Whether no period ever reaches an allowed time, below DAILY.
  var neverCount: Bool {
    !times.canOccur(from: origin - Int(start.day.number) * 86_400, step: step)
  }

  private var originMonth: Int {
    let (year, month, _) = start.day.parts
    return year * 12 + month - 1
  }

  private var originWeek: Int { weekBeginning(of: start.day) }

  private func weekBeginning(of day: Day) -> Int {
    Int(day.number) - (day.weekday - rule.weekStart + 7) % 7
  }

  /// The distance between periods in seconds, below DAILY.
  private var step: Int { rule.interval * times.unit }

  /// The number of periods after which the Gregorian calendar repeats, in 400 years.
  private var cycle: Int {
    switch rule.frequency {
    case .yearly: 400
    case .monthly: 4800
    case .weekly: 20_871
    case .daily: 146_097
    case .hourly, .minutely, .secondly: .max
    }
  }

  /// Whether the limit on steps is reached.
  var isSpent: Bool { steps >= maximumStepCount }

  /// Adds steps taken elsewhere.
  mutating func spend(_ more: Int) {
    let (sum, overflows) = steps.addingReportingOverflow(more)
    steps = overflows ? .max : sum
  }

  /// Finds the days of the next period, possibly none; `false` when there is no further period.
  mutating func load() -> Bool {
    guard next - lastFruitful <= cycle, !isSpent else { return false }
    steps += 1
    switch rule.frequency {
    case .yearly: return loadYear()
    case .monthly: return loadMonth()
    case .weekly: return loadWeek()
    case .daily: return loadDay()
    case .hourly, .minutely, .secondly: return loadTime()
    }
  }

  private mutating func loadYear() -> Bool {
    let year = start.day.parts.year + next * rule.interval
    guard year <= 9999 else { return false }
    next += 1
    // One step for each month; the first is already counted.
    steps += 11
    days.removeAll(keepingCapacity: true)
    for month in year * 12..<year * 12 + 12 { append(month: month) }
    return true
  }

  private mutating func loadMonth() -> Bool {
    let month = originMonth + next * rule.interval
    guard month < 10_000 * 12 else { return false }
    next += 1
    days.removeAll(keepingCapacity: true)
    append(month: month)
    return true
  }

  private mutating func append(month: Int) {
    var named = allowedDays.days(inMonth: month)
    guard named != 0, let first = Day(year: month / 12, month: month % 12 + 1, day: 1) else {
      return
    }
    while named != 0 {
      days.append(Int(first.number) + named.trailingZeroBitCount)
      named &= named - 1
    }
  }

  private mutating func loadWeek() -> Bool {
    let first = originWeek + next * rule.interval * 7
    guard first <= Int(Day.last.number) else { return false }
    next += 1
    days.removeAll(keepingCapacity: true)
    for number in max(first, Int(Day.first.number))..<min(first + 7, Int(Day.last.number) + 1) {
      if allowedDays.contains(number) { days.append(number) }
    }
    return true
  }

  private mutating func loadDay() -> Bool {
    let first = Int(start.day.number)
    while true {
      let number = first + next * rule.interval
      guard number <= Int(Day.last.number) else { return false }
      if allowedDays.contains(number) {
        next += 1
        begin(day: number)
        return true
      }
      next = (allowedDays.next(after: number) - first + rule.interval - 1) / rule.interval
      guard next - lastFruitful <= cycle, !isSpent else { return false }
      steps += 1
    }
  }

  private mutating func begin(day number: Int) {
    days.removeAll(keepingCapacity: true)
    days.append(number)
  }

  private mutating func loadTime() -> Bool {
    while true {
      let seconds = origin + next * step
      let number = LocalDateTime.dayNumber(of: seconds)
      guard number <= Int(Day.last.number) else { return false }
      let isNamed = allowedDays.contains(number)
      let later =
        isNamed
        ? number * 86_400 + times.next(from: seconds - number * 86_400)
        : allowedDays.next(after: number) * 86_400
      if later == seconds {
        next += 1
        beginning = seconds - number * 86_400
        begin(day: number)
        return true
      }
      next = (later - origin + step - 1) / step
      guard !isSpent else { return false }
      steps += 1
    }
  }

  /// The index of the period that contains a time after the start.
  func index(of target: LocalDateTime) -> Int { units(before: target) / rule.interval }

  private func units(before target: LocalDateTime) -> Int {
    let (year, month, _) = target.day.parts
    switch rule.frequency {
    case .yearly: return year - start.day.parts.year
    case .monthly: return year * 12 + month - 1 - originMonth
    case .weekly: return (weekBeginning(of: target.day) - originWeek) / 7
    case .daily: return start.day.distance(to: target.day)
    case .hourly, .minutely, .secondly: return (target.secondsSince1970 - origin) / times.unit
    }
  }

  /// Whether all periods have the same number of occurrences.
  var haveEqualSizes: Bool {
    switch rule.frequency {
    case .yearly, .monthly: false
    case .weekly:
      rule.months.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        && rule.weekNumbers.isEmpty
    case .daily, .hourly, .minutely, .secondly: allowedDays.isEveryDay && !times.limitsPeriods
    }
  }

  /// Moves to the first period of a day, below DAILY, and returns the number of allowed periods skipped. The
  /// number in a day depends on the second at which its first period begins.
  ///
  /// Stops early at `limit`.
  mutating func skip(toDay last: Day, limit: Int) -> Int {
    var (passed, known) = (0, [Int: Int]())
    while passed < limit, !isSpent {
      steps += 1
      let begins = origin + next * step
      let number = LocalDateTime.dayNumber(of: begins)
      guard number < Int(last.number) else { break }
      let midnight = number * 86_400
      if allowedDays.contains(number) {
        let first = begins - midnight
        let count: Int
        if let counted = known[first] {
          count = counted
        } else {
          count = countingPeriods(from: first)
          spend((86_400 - first) / step)
          known[first] = count
        }
        passed += count
      }
      next = (midnight + 86_400 - origin + step - 1) / step
    }
    return passed
  }

  private func countingPeriods(from first: Int) -> Int {
    stride(from: first, to: 86_400, by: step).count { times.next(from: $0) == $0 }
  }
}
