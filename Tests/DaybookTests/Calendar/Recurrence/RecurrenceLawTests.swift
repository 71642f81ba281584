import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.law)) struct RecurrenceLawTests {
  private func recurrence(_ text: String, _ start: LocalDateTime) throws -> Recurrence {
    Recurrence(start: start, rules: [try RecurrenceRule(parsing: text)])
  }

  @Test func `rules of days occur on the days of the definition`() {
    let worlds = Generator.zip(
      RuleWorlds.rules(of: [.daily, .weekly, .monthly, .yearly]), RuleWorlds.starts)
    let report = check("as defined", worlds, cases: 40) { world, statistics in
      let rule = try RecurrenceRule(parsing: world.0)
      let last = LocalDateTime(day: world.1.day.advanced(by: 700))
      let found = Recurrence(start: world.1, rules: [rule]).occurrences().prefix { $0 <= last }
      statistics.cover("occurs", atLeast: 40, !found.isEmpty)
      statistics.cover("picks", atLeast: 5, !rule.positions.isEmpty)
      try expectEqual(Array(found), NaiveRecurrence(rule, world.1).occurrences(through: last))
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: [RecurrenceRule.Frequency.hourly, .minutely, .secondly])
  func `rules finer than a day occur at the times of the definition`(
    frequency: RecurrenceRule.Frequency
  ) {
    let worlds = Generator.zip(RuleWorlds.rules(of: [frequency]), RuleWorlds.starts)
    let report = check("as defined", worlds, cases: 12) { world in
      let rule = try RecurrenceRule(parsing: world.0)
      let start = world.1
      // Forty days of hours, two of minutes, two hours of seconds; none beyond midnight.
      let last =
        frequency == .secondly
        ? LocalDateTime(day: start.day, second: min(Int(start.second) + 7200, 86_399)) ?? start
        : LocalDateTime(day: start.day.advanced(by: frequency == .hourly ? 40 : 2))
      let found = Recurrence(start: start, rules: [rule]).occurrences().prefix { $0 <= last }
      try expectEqual(Array(found), NaiveRecurrence(rule, start).occurrences(through: last))
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `occurrences ascend from the start, each once`() {
    let worlds = Generator.zip(RuleWorlds.rules(), RuleWorlds.starts)
    let report = check("ascending", worlds, cases: 60) { world in
      let found = Array(try recurrence(world.0, world.1).occurrences().prefix(40))
      try expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
      try expect(found.allSatisfy { $0 >= world.1 })
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `occurrences from a later time are a suffix of all`() {
    let worlds = Generator.zip(
      RuleWorlds.rules(), RuleWorlds.starts, RuleWorlds.starts, Generator<Int>.integer(in: 0...20))
    let report = check("from", worlds, cases: 25) { world, statistics in
      let recurrence = try recurrence(world.0, world.1)
      // A random time, or the time of an occurrence.
      let found = Array(recurrence.occurrences().prefix(21))
      let from = world.3 < found.count ? found[world.3] : world.2
      statistics.cover("an occurrence", atLeast: 10, from == found.first { $0 >= from })
      let expected = recurrence.occurrences().lazy.filter { $0 >= from }.prefix(5)
      // Far ahead, the naive scan is slow for rules below DAILY, so the span is short there.
      guard !recurrence.rules[0].isSubDaily || from <= found.last ?? from else { return }
      try expectEqual(Array(recurrence.occurrences(from: from).prefix(5)), Array(expected))
      let after = recurrence.occurrences().first { $0 > from }
      try expectEqual(recurrence.first(after: from), after)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `COUNT gives a prefix`() {
    let worlds = Generator.zip(
      RuleWorlds.rules(ends: false), RuleWorlds.starts, Generator<Int>.integer(in: 1...30))
    let report = check("count", worlds, cases: 40) { world in
      let all = Array(try recurrence(world.0, world.1).occurrences().prefix(world.2))
      let counted = try recurrence("\(world.0);COUNT=\(world.2)", world.1)
      try expectEqual(Array(counted.occurrences()), all)
      guard let last = all.last, all.count == world.2 else { return }
      try expectEqual(counted.first(after: last), nil)
      // A sequence that begins at one of them still counts those before it.
      for time in all.prefix(5) {
        try expectEqual(
          Array(counted.occurrences(from: time)), all.filter { $0 >= time })
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `skipped occurrences count towards COUNT`() throws {
    // Each counted by hand: 92 years of days; their Mondays; 86 400 times 5 seconds of each minute in 60; and so on.
    let start = local("1999-12-31T12:00:00")
    let rules: [(String, String, String?)] = [
      ("FREQ=DAILY;COUNT=366", "2000-12-29T12:00:00", "2000-12-30T12:00:00"),
      ("FREQ=DAILY;COUNT=366", "2000-12-30T12:00:00", nil),
      ("FREQ=SECONDLY;COUNT=43201", "2000-01-01T00:00:00", nil),
      ("FREQ=SECONDLY;COUNT=43202", "2000-01-01T00:00:00", "2000-01-01T00:00:01"),
      ("FREQ=SECONDLY;BYSECOND=0,30;COUNT=5761", "2000-01-02T11:59:30", "2000-01-02T12:00:00"),
      ("FREQ=SECONDLY;BYSECOND=0,30;COUNT=2880", "2000-01-01T11:59:30", nil),
      ("FREQ=SECONDLY;BYSECOND=0,30;COUNT=2881", "2000-01-01T11:59:30", "2000-01-01T12:00:00"),
      (
        "FREQ=HOURLY;BYHOUR=12;BYMINUTE=0,1;COUNT=733", "2000-12-30T12:01:00", "2000-12-31T12:00:00"
      ),
      ("FREQ=HOURLY;BYHOUR=12;BYMINUTE=0,1;COUNT=732", "2000-12-30T12:01:00", nil),
      ("FREQ=WEEKLY;BYDAY=MO,FR;COUNT=2147483647", "9999-12-30T12:00:00", "9999-12-31T12:00:00"),
      ("FREQ=SECONDLY;BYSECOND=1;COUNT=2147483647", "2399-12-31T00:00:00", "2399-12-31T00:00:01"),
    ]
    for (text, after, expected) in rules {
      let found = try recurrence(text, start).first(after: local(after))
      #expect(found?.description == expected, "\(text)")
    }
  }

  static let never = [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=7",
    "FREQ=MONTHLY;BYDAY=6MO", "FREQ=SECONDLY;BYHOUR=1;BYSETPOS=2", "FREQ=DAILY;BYHOUR=1;BYSETPOS=2",
    "FREQ=YEARLY;INTERVAL=2147483647;BYMONTH=1", "FREQ=SECONDLY;INTERVAL=2147483640;BYSECOND=7",
  ]

  @Test(arguments: never) func `a rule that never occurs terminates`(text: String) throws {
    #expect(try recurrence(text, .september).occurrences().first { _ in true } == nil)
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TH", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TH",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TH",
  ])
  func `a rule that seldom occurs is still found`(text: String) throws {
    let found = try recurrence(text, local("2024-02-29")).occurrences().prefix(6)
    #expect(found.map(\.day.parts.year) == [2024, 2052, 2080, 2120, 2148, 2176])
  }

  @Test func `occurrences end with the year 9999`() throws {
    for frequency in RecurrenceRule.Frequency.allCases {
      let recurrence = try recurrence("FREQ=\(frequency)", local("9999-12-31T23:59:58"))
      #expect(Array(recurrence.occurrences().prefix(3)).count == (frequency == .secondly ? 2 : 1))
      let whole = try self.recurrence("FREQ=\(frequency)", LocalDateTime(day: .first))
      let last = local("9999-12-31T23:59:59")
      #expect(whole.first(after: last) == nil)
      #expect(Array(whole.occurrences(from: local("9999-12-31T23:59:59"))).count <= 1)
      #expect(whole.first(after: local("9998-12-31")) != nil)
    }
  }

  @Test func `rules and dates are united, and exceptions removed`() {
    let worlds = Generator.zip(
      RuleWorlds.rules(of: [.daily, .weekly, .monthly, .yearly]).array(count: 0...3),
      RuleWorlds.starts, RuleWorlds.starts.array(count: 0...5),
      Generator<Int>.integer(in: 0...40).array(count: 0...6))
    let report = check("sets", worlds, cases: 25) { rules, start, dates, left in
      let parsed = try rules.map { try RecurrenceRule(parsing: $0) }
      let last = start.day.advanced(by: 800)
      let each = parsed.map {
        Recurrence(start: start, rules: [$0]).occurrences().prefix { $0.day <= last }
      }
      var all = Set(each.joined()).union(dates.filter { $0.day <= last })
      if rules.isEmpty { all.insert(start) }
      let ordered = all.sorted()
      let exceptions = left.compactMap { $0 < ordered.count ? ordered[$0] : nil }
      let whole = Recurrence(start: start, rules: parsed, dates: dates, exceptions: exceptions)
      let expected = all.subtracting(exceptions).sorted()
      try expectEqual(Array(whole.occurrences().prefix { $0.day <= last }), expected)
      if let from = dates.first {
        try expectEqual(
          Array(whole.occurrences(from: from).prefix { $0.day <= last }),
          expected.filter { $0 >= from })
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a start that no rule gives does not occur`() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYMONTHDAY=1;COUNT=2")
    let bare = Recurrence(start: .september, rules: [rule])
    #expect(bare.occurrences().map(\.day) == [day("1997-10-01"), day("1997-11-01")])
    let held = Recurrence(start: .september, rules: [rule], dates: [.september])
    #expect(held.occurrences().map(\.day.parts.month) == [9, 10, 11])
    #expect(Array(Recurrence(start: .september, rules: []).occurrences()) == [.september])
  }

  @Test func `a yearly week without weekdays takes the start's weekday`() throws {
    let found = try recurrence("FREQ=YEARLY;BYWEEKNO=20", .september).occurrences().prefix(2)
    #expect(found.map(\.day) == [day("1998-05-12"), day("1999-05-18")])
  }

  @Test func `a rule for a DATE has no times`() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=DAILY;BYHOUR=9;BYMINUTE=1;BYSECOND=2;COUNT=2")
    #expect(rule.withoutTimes.description == "FREQ=DAILY;COUNT=2")
  }
}
