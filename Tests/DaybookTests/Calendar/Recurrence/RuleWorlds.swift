import Daybook
import PropertyTesting

/// Random rules, as text, and starts for them.
enum RuleWorlds {
  /// Starts in a few years, at the ends of weeks, months and years.
  static let starts = Generator.zip(
    Generator<Int>.integer(in: 9_900...11_000),
    Generator<Int>.element(of: [0, 32_400, 86_399, 45_296])
  ).map { number, second in
    LocalDateTime(day: Day(clampingNumber: number), second: second) ?? LocalDateTime(day: .first)
  }

  /// Valid rules of the frequencies; none goes long without an occurrence, but some never have one.
  static func rules(
    of frequencies: [RecurrenceRule.Frequency] = RecurrenceRule.Frequency.allCases,
    ends: Bool = true
  ) -> Generator<String> {
    Generator { source in
      let frequency = try source.draw(.element(of: frequencies))
      var parts = ["FREQ=\(frequency)"]
      func add(_ chance: Double, _ part: Generator<String>) throws {
        if try source.draw(.bool(probability: chance)) { parts.append(try source.draw(part)) }
      }
      try add(0.4, Generator<Int>.integer(in: 2...4).map { "INTERVAL=\($0)" })
      try add(0.3, list("BYMONTH", 1...12))
      let hasWeeks = try frequency == .yearly && source.draw(.bool(probability: 0.2))
      if hasWeeks { parts.append(try source.draw(list("BYWEEKNO", 1...53, negative: true))) }
      if frequency == .yearly || frequency < .daily {
        try add(0.15, list("BYYEARDAY", 1...366, negative: true, atMost: 12))
      }
      if frequency != .weekly {
        try add(0.25, list("BYMONTHDAY", 1...31, negative: true, atMost: 8))
      }
      try add(
        0.4,
        weekdays(counted: frequency >= .monthly && !hasWeeks, upTo: frequency == .yearly ? 53 : 5))
      try add(0.15, list("BYHOUR", 0...23))
      try add(0.15, list("BYMINUTE", 0...59))
      try add(0.1, list("BYSECOND", 0...60))
      if parts.contains(where: { $0.hasPrefix("BY") }) {
        try add(0.2, list("BYSETPOS", 1...8, negative: true))
      }
      try add(0.3, .element(of: RuleWorlds.weekdayNames).map { "WKST=\($0)" })
      if ends {
        try add(0.3, Generator<Int>.integer(in: 1...12).map { "COUNT=\($0)" })
        if parts.last?.hasPrefix("COUNT") != true {
          try add(
            0.3,
            starts.map { "UNTIL=\($0.second == 0 ? $0.day.iCalendar : $0.iCalendar)" })
        }
      }
      return parts.joined(separator: ";")
    }
  }

  static let weekdayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private static func list(
    _ name: String, _ range: ClosedRange<Int>, negative: Bool = false, atMost: Int = 3
  ) -> Generator<String> {
    let number = Generator<Int>.integer(in: range)
    let item = negative ? Generator<Int>.oneOf(number, number.map { -$0 }) : number
    return item.array(count: 1...atMost).map { items in
      "\(name)=\(items.map(String.init).joined(separator: ","))"
    }
  }

  private static func weekdays(counted: Bool, upTo last: Int) -> Generator<String> {
    let name = Generator<String>.element(of: weekdayNames)
    let number = Generator<Int>.oneOf(.integer(in: 1...5), .integer(in: 1...last))
    let item = Generator<String>.oneOf(
      name,
      counted
        ? Generator.zip(number, Generator<Bool>.bool(), name).map { "\($1 ? "-" : "")\($0)\($2)" }
        : name)
    return item.array(count: 1...3).map { "BYDAY=\($0.joined(separator: ","))" }
  }
}
