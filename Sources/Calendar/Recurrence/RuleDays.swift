/// The days selected by the day parts of a rule, a month at a time.
///
/// In RFC 5545 some parts expand a period and others limit it (the table in 3.3.10). Both amount to the same:
/// of all days of the period, those that satisfy every part. The differences are which parts the start
/// supplies when none is given, and whether BYDAY counts within months or years.
struct RuleDays {
  /// Bit m stands for month m, 1…12.
  private var months: UInt16 = 0b1_1111_1111_1110
  /// Bit d - 1 stands for day d, counted from the first and from the last of the month.
  private var (forward, backward): (UInt32, UInt32) = (0, 0)
  private var hasMonthDays = false
  /// Bit w stands for weekday w, 0 = Monday.
  private var weekdays: UInt8 = 0
  private var counted: [RecurrenceRule.WeekdayNumber] = []
  private var countsInYear = false
  private var hasWeekdays = false
  private var yearDays: [Int] = []
  private var weekNumbers: Set<Int> = []
  private var weekStart = 0
  /// The month examined last, as days since 1970, and its selected days.
  private var known: (span: Range<Int>, days: UInt32) = (0..<0, 0)

  /// Whether every day is selected.
  let isEveryDay: Bool

  init(_ rule: RecurrenceRule, start: Day) {
    let parts = start.parts
    var (ruleMonths, monthDays, ruleWeekdays) = (rule.months, rule.monthDays, rule.weekdays)
    let namesDays =
      !monthDays.isEmpty || !ruleWeekdays.isEmpty || !rule.yearDays.isEmpty
      || (!rule.weekNumbers.isEmpty && rule.frequency != .yearly)
    // "Information, not contained in the rule, necessary to determine the various recurrence instance start
    // time and dates are derived from the Start Time (DTSTART)" (3.3.10).
    if !namesDays {
      let sameWeekday = RecurrenceRule.WeekdayNumber(ordinal: 0, weekday: start.weekday)
      switch rule.frequency {
      case .yearly where !rule.weekNumbers.isEmpty: ruleWeekdays = [sameWeekday]
      case .yearly:
        monthDays = [parts.day]
        if ruleMonths.isEmpty { ruleMonths = [parts.month] }
      case .monthly: monthDays = [parts.day]
      case .weekly: ruleWeekdays = [sameWeekday]
      case .daily, .hourly, .minutely, .secondly: break
      }
    }
    isEveryDay =
      ruleMonths.isEmpty && monthDays.isEmpty && ruleWeekdays.isEmpty && rule.yearDays.isEmpty
      && rule.weekNumbers.isEmpty
    if !ruleMonths.isEmpty { months = ruleMonths.reduce(0) { $0 | 1 << UInt16($1) } }
    hasMonthDays = !monthDays.isEmpty
    for day in monthDays {
      if day > 0 { forward |= 1 << UInt32(day - 1) } else { backward |= 1 << UInt32(-day - 1) }
    }
    hasWeekdays = !ruleWeekdays.isEmpty
    for item in ruleWeekdays where item.ordinal == 0 { weekdays |= 1 << UInt8(item.weekday) }
    counted = ruleWeekdays.filter { $0.ordinal != 0 }
    countsInYear = rule.frequency == .yearly && rule.months.isEmpty
    yearDays = rule.yearDays
    weekNumbers = Set(rule.weekNumbers)
    weekStart = rule.weekStart
  }

  /// Whether the day with this number is selected.
  mutating func contains(_ number: Int) -> Bool {
    if isEveryDay { return true }
    if !known.span.contains(number) { examine(at: number) }
    return known.days >> UInt32(number - known.span.lowerBound) & 1 == 1
  }

  /// The next candidate after a day that is not selected: a selected day of its month, or the first of the
  /// next month.
  mutating func next(after number: Int) -> Int {
    if !known.span.contains(number) { examine(at: number) }
    let later = known.days >> UInt32(number - known.span.lowerBound)
    return later == 0 ? known.span.upperBound : number + later.trailingZeroBitCount
  }

  /// The selected days of a month, bit d - 1 for day d; months are counted from January of the year 0.
  func days(inMonth number: Int) -> UInt32 {
    compute(year: number / 12, month: number % 12 + 1)
  }

  private mutating func examine(at number: Int) {
    let day = Day(clampingNumber: number)
    let (year, month, ofMonth) = day.parts
    let first = Int(day.number) - ofMonth + 1
    known.span = first..<first + Day.dayCount(year: year, month: month)
    known.days = compute(year: year, month: month)
  }

  private func compute(year: Int, month: Int) -> UInt32 {
    guard months >> UInt16(month) & 1 == 1, let first = Day(year: year, month: month, day: 1) else {
      return 0
    }
    let length = Day.dayCount(year: year, month: month)
    var days: UInt32 = (1 << UInt32(length)) - 1
    if hasMonthDays {
      var named = forward
      for back in 0..<length where backward >> UInt32(back) & 1 == 1 {
        named |= 1 << UInt32(length - 1 - back)
      }
      days &= named
    }
    if days != 0, hasWeekdays {
      days &= weekdayDays(from: first) | countedDays(from: first, length)
    }
    if days != 0, !yearDays.isEmpty {
      let year = YearOfDays(first)
      days &= Self.bits(
        yearDays.map { ($0 > 0 ? $0 - 1 : year.length + $0) - year.offset(of: first) }, length)
    }
    if days != 0, !weekNumbers.isEmpty {
      for index in 0..<length where days >> UInt32(index) & 1 == 1 {
        if !isInWeeks(first.advanced(by: index)) { days &= ~(1 << UInt32(index)) }
      }
    }
    return days
  }

  private func weekdayDays(from first: Day) -> UInt32 {
    var days: UInt32 = 0
    for offset in 0..<7 where weekdays >> UInt8((first.weekday + offset) % 7) & 1 == 1 {
      days |= 0x1020_4081 << UInt32(offset)
    }
    return days
  }

  /// The numbered weekdays, such as `1TU` and `-1TU`, that fall in the month.
  private func countedDays(from first: Day, _ length: Int) -> UInt32 {
    guard !counted.isEmpty else { return 0 }
    let year = YearOfDays(first)
    let (span, spanLength, shift) =
      countsInYear ? (year.first, year.length, year.offset(of: first)) : (first, length, 0)
    return Self.bits(
      counted.compactMap { item in
        let earliest = (item.weekday - span.weekday + 7) % 7
        let latest = earliest + (spanLength - 1 - earliest) / 7 * 7
        let index =
          item.ordinal > 0 ? earliest + 7 * (item.ordinal - 1) : latest + 7 * (item.ordinal + 1)
        return (0..<spanLength).contains(index) ? index - shift : nil
      }, length)
  }

  private static func bits(_ indices: [Int], _ length: Int) -> UInt32 {
    indices.reduce(0) { (0..<length).contains($1) ? $0 | 1 << UInt32($1) : $0 }
  }

  /// Whether the day's week has one of the numbers. "Week number one of the calendar year is the first week
  /// that contains at least four (4) days in that calendar year" (3.3.10), so the fourth day of a week
  /// decides its year.
  private func isInWeeks(_ day: Day) -> Bool {
    let fourth = day.advanced(by: 3 - (day.weekday - weekStart + 7) % 7)
    let year = YearOfDays(fourth)
    let number = year.offset(of: fourth) / 7 + 1
    if weekNumbers.contains(number) { return true }
    // The week of 28 December is always the last of its year.
    let late = year.first.advanced(by: year.length - 4)
    let lastFourth = late.advanced(by: 3 - (late.weekday - weekStart + 7) % 7)
    let count = year.offset(of: lastFourth) / 7 + 1
    return weekNumbers.contains(number - count - 1)
  }
}

/// A year: its first day and its length.
private struct YearOfDays {
  let first: Day
  let length: Int

  init(_ day: Day) {
    let year = day.parts.year
    first = Day(year: year, month: 1, day: 1) ?? .first
    length = Day.dayCount(year: year, month: 2) + 337
  }

  func offset(of day: Day) -> Int { first.distance(to: day) }
}
