/// The periods of a rule, one after another, and the days that it names in each.
///
/// Period `k` is the `k`·INTERVAL-th year, month, week (from WKST on), day, hour, minute or second after the start's.
/// They end with the year 9999, and where the calendar has come round once without an occurrence (30 February).
struct RulePeriods {
  private let rule: RecurrenceRule
  private let start: LocalDateTime
  private var allowedDays: RuleDays
  let times: RuleTimes

  /// The period that is looked at next.
  var next = 0
  /// The last one that had an occurrence, or before which none is asked for.
  var lastFruitful = 0
  /// The days of the period that was looked at last, since 1970; below DAILY the one on which it is.
  private(set) var days: [Int] = []
  /// The second of its day at which it begins, below DAILY.
  private(set) var beginning = 0

  init(_ rule: RecurrenceRule, start: LocalDateTime) {
    self.rule = rule
    self.start = start
    allowedDays = RuleDays(rule, start: start.day)
    times = RuleTimes(rule, start: start)
  }

  /// The first second of the start's own period, below DAILY.
  private var origin: Int {
    let seconds = start.secondsSince1970
    let remainder = seconds % times.unit
    return seconds - (remainder < 0 ? remainder + times.unit : remainder)
  }

  /// Whether no period ever comes to a time that counts, below DAILY.
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

  /// From one period to the next, in seconds, below DAILY.
  private var step: Int { rule.interval * times.unit }

  /// After how many periods the Gregorian calendar, which repeats every 400 years, has come round.
  private var cycle: Int {
    switch rule.frequency {
    case .yearly: 400
    case .monthly: 4800
    case .weekly: 20_871
    case .daily: 146_097
    case .hourly, .minutely, .secondly: .max
    }
  }

  /// Finds the days of the next period, which may be none; `false` when there is no further one.
  mutating func load() -> Bool {
    guard next - lastFruitful <= cycle else { return false }
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
    for number in first..<first + 7 {
      if let day = Day(number: number), allowedDays.contains(day) { days.append(number) }
    }
    return true
  }

  private mutating func loadDay() -> Bool {
    while let day = Day(number: Int(start.day.number) + next * rule.interval) {
      if allowedDays.contains(day) {
        next += 1
        days = [Int(day.number)]
        return true
      }
      let later = dayAfterBarren(day) - Int(start.day.number)
      next = (later + rule.interval - 1) / rule.interval
      guard next - lastFruitful <= cycle else { return false }
    }
    return false
  }

  /// The next day that may be named after one that is not: a month without any is passed over whole.
  private mutating func dayAfterBarren(_ day: Day) -> Int {
    let (year, month, ofMonth) = day.parts
    guard allowedDays.days(inMonth: year * 12 + month - 1) == 0 else { return Int(day.number) + 1 }
    return Int(day.number) - ofMonth + 1 + Day.dayCount(year: year, month: month)
  }

  private mutating func loadTime() -> Bool {
    while true {
      let seconds = origin + next * step
      guard let day = Day(number: LocalDateTime.dayNumber(of: seconds)) else { return false }
      let midnight = Int(day.number) * 86_400
      let isNamed = allowedDays.contains(day)
      let later =
        isNamed
        ? midnight + times.next(from: seconds - midnight) : dayAfterBarren(day) * 86_400
      if later == seconds {
        next += 1
        days = [Int(day.number)]
        beginning = seconds - midnight
        return true
      }
      next = (later - origin + step - 1) / step
    }
  }

  /// The period in which a time after the start is.
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

  /// Whether every period has as many occurrences as any other.
  var haveEqualSizes: Bool {
    switch rule.frequency {
    case .yearly, .monthly: false
    case .weekly:
      rule.months.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
        && rule.weekNumbers.isEmpty
    case .daily, .hourly, .minutely, .secondly: allowedDays.isEveryDay && !times.limitsPeriods
    }
  }

  /// Goes to the first period of a day, below DAILY, and counts those passed over. How many of a day count depends
  /// on the second at which its first one begins.
  ///
  /// Stops early where `limit` are counted.
  mutating func pass(toDay last: Day, limit: Int) -> Int {
    var (passed, known) = (0, [Int: Int]())
    while passed < limit {
      let begins = origin + next * step
      guard let day = Day(number: LocalDateTime.dayNumber(of: begins)), day < last else { break }
      let midnight = Int(day.number) * 86_400
      if allowedDays.contains(day) {
        let first = begins - midnight
        let count = known[first] ?? countingPeriods(from: first)
        known[first] = count
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
