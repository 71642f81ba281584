import Daybook

/// The occurrences of a rule by definition: every day, or every period below DAILY, is tested in turn.
struct NaiveRecurrence {
  let rule: RecurrenceRule
  let start: LocalDateTime

  init(_ rule: RecurrenceRule, _ start: LocalDateTime) {
    self.rule = rule
    self.start = start
  }

  /// The occurrences up to a time.
  func occurrences(through last: LocalDateTime) -> [LocalDateTime] {
    let candidates = rule.isSubDaily ? timePeriods(through: last) : dayPeriods(through: last.day)
    var found = candidates.flatMap(picked).filter { $0 >= start && $0 <= last }
    switch rule.until {
    case nil: break
    case .date(let day): found.removeAll { $0.day > day }
    case .local(let local): found.removeAll { $0 > local }
    case .utc: preconditionFailure("no zones here")
    }
    return rule.count.map { Array(found.prefix($0)) } ?? found
  }

  private func picked(_ period: [LocalDateTime]) -> [LocalDateTime] {
    guard !rule.positions.isEmpty else { return period }
    return period.indices.filter {
      rule.positions.contains($0 + 1) || rule.positions.contains($0 - period.count)
    }.map { period[$0] }
  }

  // MARK: Days

  private func dayPeriods(through last: Day) -> [[LocalDateTime]] {
    var periods: [Int: [Day]] = [:]
    var day = start.day.advanced(by: -366)
    while day <= last.advanced(by: 366) {
      let number = period(of: day) - period(of: start.day)
      if number >= 0, number % rule.interval == 0, isNamed(day) {
        periods[number, default: []].append(day)
      }
      day = day.advanced(by: 1)
    }
    let times = product(hours, minutes, seconds)
    return periods.sorted { $0.key < $1.key }.map { _, days in
      days.flatMap { day in times.compactMap { LocalDateTime(day: day, second: $0) } }
    }
  }

  private func period(of day: Day) -> Int {
    let (year, month, _) = day.parts
    switch rule.frequency {
    case .yearly: return year
    case .monthly: return year * 12 + month
    case .weekly: return beginningOfWeek(day).number / 7 - (beginningOfWeek(day).number < 0 ? 1 : 0)
    default: return Int(day.number)
    }
  }

  private func beginningOfWeek(_ day: Day) -> (day: Day, number: Int) {
    var day = day
    while day.weekday != rule.weekStart { day = day.advanced(by: -1) }
    return (day, Int(day.number))
  }

  private func isNamed(_ day: Day) -> Bool {
    guard let named = NaiveDay.all[day] else { preconditionFailure("\(day) is not in the world") }
    let own = start.day.parts
    let namesDay =
      !rule.monthDays.isEmpty || !rule.weekdays.isEmpty || !rule.yearDays.isEmpty
      || (!rule.weekNumbers.isEmpty && rule.frequency != .yearly)
    if !namesDay {
      switch rule.frequency {
      case .yearly where rule.weekNumbers.isEmpty:
        guard named.ofMonth.place == own.day, !rule.months.isEmpty || named.month == own.month
        else { return false }
      case .monthly: guard named.ofMonth.place == own.day else { return false }
      case .weekly, .yearly: guard day.weekday == start.day.weekday else { return false }
      default: break
      }
    }
    let isInYear = rule.frequency == .yearly && rule.months.isEmpty
    return (rule.months.isEmpty || rule.months.contains(named.month))
      && named.ofMonth.isAmong(rule.monthDays) && named.ofYear.isAmong(rule.yearDays)
      && named.weeks[rule.weekStart].isAmong(rule.weekNumbers)
      && (rule.weekdays.isEmpty
        || rule.weekdays.contains {
          $0.weekday == day.weekday
            && ($0.ordinal == 0
              || (isInYear ? named.weekdayOfYear : named.weekdayOfMonth).isAmong([$0.ordinal]))
        })
  }

  // MARK: Times

  private var hours: [Int] { (0..<24).filter { matches(rule.hours, $0, start.second / 3600) } }
  private var minutes: [Int] {
    (0..<60).filter { matches(rule.minutes, $0, start.second / 60 % 60) }
  }
  private var seconds: [Int] {
    (0..<60).filter { matches(rule.seconds.map { min($0, 59) }, $0, start.second % 60) }
  }

  private func matches(_ list: [Int], _ number: Int, _ own: Int32) -> Bool {
    list.isEmpty ? number == Int(own) : list.contains(number)
  }

  private func product(_ hours: [Int], _ minutes: [Int], _ seconds: [Int]) -> [Int] {
    hours.flatMap { hour in
      minutes.flatMap { minute in seconds.map { hour * 3600 + minute * 60 + $0 } }
    }
  }

  private func timePeriods(through last: LocalDateTime) -> [[LocalDateTime]] {
    let unit = [.secondly: 1, .minutely: 60][rule.frequency] ?? 3600
    let (minutes, seconds) = (minutes, seconds)
    var second = Int(start.second) / unit * unit
    var periods: [[LocalDateTime]] = []
    while let begins = LocalDateTime(
      day: start.day.advanced(by: second / 86_400), second: second % 86_400), begins <= last
    {
      let (hour, minute) = (second % 86_400 / 3600, second / 60 % 60)
      let counts =
        isNamed(begins.day) && (rule.hours.isEmpty || rule.hours.contains(hour))
        && (unit == 3600 || rule.minutes.isEmpty || rule.minutes.contains(minute))
        && (unit > 1 || rule.seconds.isEmpty || seconds.contains(second % 60))
      if counts {
        let times = product(
          [hour], unit == 3600 ? minutes : [minute], unit == 1 ? [second % 60] : seconds)
        periods.append(times.compactMap { LocalDateTime(day: begins.day, second: $0) })
      }
      second += unit * rule.interval
    }
    return periods
  }
}

/// The properties of a day that a rule can test, counted day by day.
struct NaiveDay {
  /// Its place among how many.
  struct Place {
    var place = 0
    var total = 0

    func isAmong(_ numbers: [Int]) -> Bool {
      numbers.isEmpty || numbers.contains(place) || numbers.contains(place - total - 1)
    }
  }

  var month = 0
  var ofMonth = Place()
  var ofYear = Place()
  var weekdayOfMonth = Place()
  var weekdayOfYear = Place()
  /// By the weekday on which weeks begin.
  var weeks = [Place](repeating: Place(), count: 7)

  /// The days of 1995 to 2004.
  static let all: [Day: NaiveDay] = {
    var found: [Day: NaiveDay] = [:]
    let days = (9131...12_783).compactMap { Day(number: $0) }
    /// Numbers the days of each group, in order.
    func count(_ group: (Day) -> [Int]?, _ place: WritableKeyPath<NaiveDay, Place>) {
      for days in Dictionary(grouping: days.filter { group($0) != nil }, by: { group($0) ?? [] })
        .values
      {
        for (index, day) in days.enumerated() {
          found[day, default: NaiveDay()][keyPath: place] = Place(
            place: index + 1, total: days.count)
        }
      }
    }
    count({ [$0.parts.year, $0.parts.month] }, \.ofMonth)
    count({ [$0.parts.year] }, \.ofYear)
    count({ [$0.parts.year, $0.parts.month, $0.weekday] }, \.weekdayOfMonth)
    count({ [$0.parts.year, $0.weekday] }, \.weekdayOfYear)
    for weekStart in 0..<7 {
      // A week belongs to the year of its fourth day: those days are numbered, and the rest of their weeks follow.
      let fourth = (weekStart + 3) % 7
      count({ $0.weekday == fourth ? [$0.parts.year] : nil }, \.weeks[weekStart])
      for day in days where day.weekday != fourth {
        let back = (day.weekday - weekStart + 7) % 7
        let own = day.advanced(by: 3 - back)
        if let week = found[own]?.weeks[weekStart] { found[day]?.weeks[weekStart] = week }
      }
    }
    for day in days { found[day]?.month = day.parts.month }
    return found
  }()
}
