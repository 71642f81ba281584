/// The times of day that a rule selects.
///
/// For DAILY and longer periods, all days of a rule have the same times. Below DAILY a period is an hour, a
/// minute or a second: parts for longer units limit which periods count, and parts for shorter units give the
/// times within a period.
struct RuleTimes {
  /// Seconds from the beginning of the day or, below DAILY, of the period; ascending.
  let offsets: [Int32]
  /// The length of a period in seconds, below DAILY.
  let unit: Int
  /// The allowed hours, below DAILY; `nil` means all.
  private let hours: Set<Int>?
  private let minutes: Set<Int>?
  private let seconds: Set<Int>?

  init(_ rule: RecurrenceRule, start: LocalDateTime) {
    let frequency = rule.frequency
    let second = Int(start.second)
    // Without leap seconds, second 60 is read as 59 (3.3.12).
    let named = Set(rule.seconds.map { min($0, 59) }).sorted()
    let filled = { (part: [Int], own: Int, isBelow: Bool) in
      isBelow ? [0] : part.isEmpty ? [own] : part
    }
    let hours = filled(rule.hours, second / 3600, frequency <= .hourly)
    let minutes = filled(rule.minutes, second / 60 % 60, frequency <= .minutely)
    let seconds = filled(named, second % 60, frequency <= .secondly)
    var offsets: [Int32] = []
    offsets.reserveCapacity(hours.count * minutes.count * seconds.count)
    for hour in hours {
      for minute in minutes {
        for second in seconds { offsets.append(Int32(hour * 3600 + minute * 60 + second)) }
      }
    }
    self.offsets = offsets
    unit =
      switch frequency {
      case .secondly: 1
      case .minutely: 60
      default: 3600
      }
    let limit = { (part: [Int], isLimit: Bool) in isLimit && !part.isEmpty ? Set(part) : nil }
    self.hours = limit(rule.hours, frequency <= .hourly)
    self.minutes = limit(rule.minutes, frequency <= .minutely)
    self.seconds = limit(named, frequency <= .secondly)
  }

  /// Whether the time of day rules out some periods.
  var limitsPeriods: Bool { hours != nil || minutes != nil || seconds != nil }

  /// The first second of the day, not before the given one, at which an allowed period may begin; the given
  /// second itself if it is allowed. 86 400 when there is none.
  func next(from second: Int) -> Int {
    if let hours, !hours.contains(second / 3600) {
      return (second / 3600 + 1) * 3600
    }
    if let minutes, !minutes.contains(second / 60 % 60) {
      return (second / 60 + 1) * 60
    }
    if let seconds, !seconds.contains(second % 60) { return second + 1 }
    return second
  }

  /// Whether periods `step` seconds apart, one of which begins at second `origin` of a day, ever reach an
  /// allowed time.
  func canOccur(from origin: Int, step: Int) -> Bool {
    guard limitsPeriods else { return true }
    // Over all days, the periods begin at every second whose distance from the origin is a multiple of this.
    let stride = Self.greatestCommonDivisor(step, 86_400)
    var second = origin % stride
    while second < 86_400 {
      if next(from: second) == second { return true }
      second += stride
    }
    return false
  }

  static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }
}
