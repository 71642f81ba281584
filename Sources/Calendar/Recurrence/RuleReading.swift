/// The state while reading a rule's text.
struct RuleReading {
  let isTolerant: Bool
  var faults: [RecurrenceError] = []
  /// The parts and their values, in the order in which they are written.
  private(set) var parts: [(name: Part, text: Substring, value: Substring)] = []

  enum Part: String {
    case freq = "FREQ"
    case interval = "INTERVAL"
    case count = "COUNT"
    case until = "UNTIL"
    case byMonth = "BYMONTH"
    case byWeekNumber = "BYWEEKNO"
    case byYearDay = "BYYEARDAY"
    case byMonthDay = "BYMONTHDAY"
    case byDay = "BYDAY"
    case byHour = "BYHOUR"
    case byMinute = "BYMINUTE"
    case bySecond = "BYSECOND"
    case bySetPosition = "BYSETPOS"
    case weekStart = "WKST"

    /// The smallest and largest number in a list; negative numbers count from the end.
    var range: ClosedRange<Int>? {
      switch self {
      case .byMonth: 1...12
      case .byWeekNumber: -53...53
      case .byYearDay, .bySetPosition: -366...366
      case .byMonthDay: -31...31
      case .byHour: 0...23
      case .byMinute: 0...59
      case .bySecond: 0...60
      default: nil
      }
    }
  }

  init(isTolerant: Bool) { self.isTolerant = isTolerant }

  mutating func rule(from text: String) throws(RecurrenceError) -> RecurrenceRule {
    try split(Self.capitals(text)[...])
    guard let freq = parts.first(where: { $0.name == .freq }) else {
      throw RecurrenceError(
        .missingFrequency, "", "FREQ is missing; it says what repeats, such as FREQ=WEEKLY")
    }
    guard
      let frequency = RecurrenceRule.Frequency.allCases.first(where: {
        $0.description == freq.value
      })
    else {
      throw RecurrenceError(
        .malformed, freq.text,
        "FREQ is SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY")
    }
    var interval = 1
    if let part = parts.first(where: { $0.name == .interval }) {
      interval = try positive(part.value, of: part.text) ?? 1
    }
    var rule = RecurrenceRule(frequency: frequency, interval: interval)
    for part in parts { try read(part.name, part.value, part.text, into: &rule) }
    try checkTogether(&rule)
    return rule
  }

  /// Keeps a fault and continues if the reading is tolerant; otherwise throws the fault. Only the first of many faults
  /// are kept.
  mutating func note(_ fault: RecurrenceError) throws(RecurrenceError) {
    guard isTolerant else { throw fault }
    guard faults.count < Self.mostFaults, faults.last != fault else { return }
    faults.append(fault)
  }

  private static let mostFaults = 20

  /// The text without outer blanks, in capitals, without `RRULE:`.
  private static func capitals(_ text: String) -> String {
    var bytes = text.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }[...]
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    bytes = bytes.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    if bytes.starts(with: "RRULE:".utf8) { bytes = bytes.dropFirst(6) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func split(_ text: Substring) throws(RecurrenceError) {
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard !part.isEmpty else {
        try note(
          RecurrenceError(
            .empty, text.isEmpty ? "" : text,
            text.isEmpty
              ? "it is empty" : "there is nothing before, after or between two semicolons"
          ))
        continue
      }
      guard let equals = part.firstIndex(of: "=") else {
        throw RecurrenceError(.malformed, part, "a part is NAME=VALUE")
      }
      let (name, value) = (part[..<equals], part[part.index(after: equals)...])
      guard let known = Part(rawValue: String(name)) else {
        let fault = RecurrenceError(.unknownPart, part, "there is no part \(Self.shown(name))")
        guard name.hasPrefix("X-") else { throw fault }
        try note(fault)
        continue
      }
      if let former = parts.first(where: { $0.name == known }) {
        let fault = RecurrenceError(.repeatedPart, part, "\(name) can stand only once")
        guard former.value == value else { throw fault }
        try note(fault)
        continue
      }
      guard !value.isEmpty else { throw RecurrenceError(.empty, part, "\(name) has no value") }
      parts.append((known, part, value))
    }
  }

  private static func shown(_ name: Substring) -> String {
    RecurrenceError(.unknownPart, name, "").part
  }
}

// MARK: - Parts

extension RuleReading {
  private mutating func read(
    _ name: Part, _ value: Substring, _ text: Substring, into rule: inout RecurrenceRule
  ) throws(RecurrenceError) {
    switch name {
    case .freq, .interval: break
    case .count: rule.count = try positive(value, of: text)
    case .until: rule.until = try until(value, of: text)
    case .byMonth: rule.months = try numbers(name, value, of: text)
    case .byWeekNumber: rule.weekNumbers = try numbers(name, value, of: text)
    case .byYearDay: rule.yearDays = try numbers(name, value, of: text)
    case .byMonthDay: rule.monthDays = try numbers(name, value, of: text)
    case .byDay: rule.weekdays = try weekdays(value, of: text)
    case .byHour: rule.hours = try numbers(name, value, of: text)
    case .byMinute: rule.minutes = try numbers(name, value, of: text)
    case .bySecond: rule.seconds = try numbers(name, value, of: text)
    case .bySetPosition: rule.positions = try numbers(name, value, of: text)
    case .weekStart:
      guard let weekday = RecurrenceRule.weekdayNames.firstIndex(of: String(value)) else {
        throw RecurrenceError(.malformed, text, "WKST is one of MO, TU, WE, TH, FR, SA and SU")
      }
      rule.weekStart = weekday
    }
  }

  /// COUNT or INTERVAL; `nil` when it is dropped because it is less than one.
  private mutating func positive(
    _ value: Substring, of text: Substring
  ) throws(RecurrenceError) -> Int? {
    guard let number = Self.number(value, signed: isTolerant) else {
      throw RecurrenceError(.malformed, text, "it must be a whole number without a sign")
    }
    guard number <= Int(Int32.max) else {
      throw RecurrenceError(.outOfRange, text, "it must be at most 2147483647", nil)
    }
    guard number >= 1 else {
      try note(RecurrenceError(.outOfRange, text, "it must be 1 or more"))
      return nil
    }
    return number
  }

  private mutating func numbers(
    _ name: Part, _ value: Substring, of text: Substring
  ) throws(RecurrenceError) -> [Int] {
    guard let range = name.range else { return [] }
    var found: Set<Int> = []
    for item in try items(value, of: text) {
      guard let number = Self.number(item, signed: range.lowerBound < 0) else {
        throw RecurrenceError(
          .malformed, text, "\(Self.shown(item)) is not a valid number for \(name.rawValue)")
      }
      guard range.contains(number), number != 0 || range.lowerBound == 0 else {
        let bounds =
          range.lowerBound < 0
          ? "1 to \(range.upperBound) or -1 to -\(range.upperBound)"
          : "\(range.lowerBound) to \(range.upperBound)"
        throw RecurrenceError(
          .outOfRange, text, "\(number) is not within \(bounds)")
      }
      found.insert(number)
    }
    return found.sorted()
  }

  private mutating func weekdays(
    _ value: Substring, of text: Substring
  ) throws(RecurrenceError) -> [RecurrenceRule.WeekdayNumber] {
    var found: Set<RecurrenceRule.WeekdayNumber> = []
    for item in try items(value, of: text) {
      guard let weekday = RecurrenceRule.weekdayNames.firstIndex(of: String(item.suffix(2))) else {
        throw RecurrenceError(
          .malformed, text,
          "\(Self.shown(item)) is not a weekday such as MO, or a counted one such as -1MO")
      }
      var ordinal = 0
      if item.count > 2 {
        guard let number = Self.number(item.dropLast(2), signed: true) else {
          throw RecurrenceError(
            .malformed, text, "\(Self.shown(item)) is not a counted weekday such as -1MO")
        }
        guard (1...53).contains(number.magnitude) else {
          throw RecurrenceError(
            .outOfRange, text, "\(number) is not within 1 to 53 or -1 to -53")
        }
        ordinal = number
      }
      found.insert(.init(ordinal: ordinal, weekday: weekday))
    }
    return found.sorted()
  }

  /// The items of a list; there must be at least one.
  private mutating func items(
    _ value: Substring, of text: Substring
  ) throws(RecurrenceError) -> [Substring] {
    let items = value.split(separator: ",", omittingEmptySubsequences: false)
    let present = items.filter { !$0.isEmpty }
    guard present.count < items.count else { return items }
    let fault = RecurrenceError(
      .empty, text, "there is nothing before, after or between two commas")
    guard !present.isEmpty else { throw fault }
    try note(fault)
    return present
  }

  private func until(
    _ value: Substring, of text: Substring
  ) throws(RecurrenceError) -> RecurrenceUntil {
    let isUTC = value.last == "Z"
    let digits = isUTC ? value.dropLast() : value
    let length = digits.utf8.count
    if length == 15 || (length == 8 && !isUTC), !digits.contains("-"), !digits.contains(":"),
      let local = LocalDateTime(digits)
    {
      if length == 8 { return .date(local.day) }
      guard isUTC else { return .local(local) }
      return .utc(Instant(clamping: Int64(local.secondsSince1970) * 1000))
    }
    throw RecurrenceError(
      .malformed, text,
      "UNTIL is a date or a date and a time, such as 19971224, 19971224T090000 or 19971224T090000Z")
  }

  /// The number in a text of at most ten digits.
  private static func number(_ text: Substring, signed: Bool) -> Int? {
    var digits = text.utf8[...]
    var sign = 1
    if signed, let first = digits.first, first == 0x2B || first == 0x2D {
      sign = first == 0x2D ? -1 : 1
      digits = digits.dropFirst()
    }
    guard (1...10).contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int(digit - 0x30)
    }
    return sign * number
  }
}
