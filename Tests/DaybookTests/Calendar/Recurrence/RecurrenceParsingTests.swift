import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct RecurrenceParsingTests {
  @Test func `a rule is read in either case, with or without its name, in any order (DM-4)`()
    throws
  {
    let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2;COUNT=5;WKST=SU")
    for text in [
      "RRULE:FREQ=MONTHLY;BYDAY=-1FR;INTERVAL=2;COUNT=5;WKST=SU",
      "rrule:wkst=su;count=5;interval=2;byday=-1fr;freq=monthly",
      " FREQ=Monthly;ByDay=-01FR,-1fr;INTERVAL=02;COUNT=5;WKST=SU\r\n",
    ] {
      #expect(try RecurrenceRule(parsing: text) == rule, "\(text)")
    }
    #expect(rule.frequency == .monthly && rule.interval == 2 && rule.count == 5)
    #expect(rule.weekdays.map(\.description) == ["-1FR"] && rule.weekStart == 6)
    #expect(rule.description == "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR;WKST=SU;COUNT=5")
  }

  static let canonical = [
    ("FREQ=DAILY;INTERVAL=1;WKST=MO", "FREQ=DAILY"),
    ("FREQ=WEEKLY;BYDAY=SU,MO,SU", "FREQ=WEEKLY;BYDAY=MO,SU"),
    ("FREQ=YEARLY;BYMONTHDAY=31,-1,+1", "FREQ=YEARLY;BYMONTHDAY=-1,1,31"),
    ("FREQ=YEARLY;BYDAY=2MO,MO,-53SU", "FREQ=YEARLY;BYDAY=MO,2MO,-53SU"),
    ("UNTIL=19971224T000000Z;FREQ=DAILY", "FREQ=DAILY;UNTIL=19971224T000000Z"),
    ("UNTIL=19971224t235960;FREQ=DAILY", "FREQ=DAILY;UNTIL=19971224T235959"),
    ("UNTIL=00010101;FREQ=DAILY", "FREQ=DAILY;UNTIL=00010101"),
    (
      "FREQ=YEARLY;BYSETPOS=-1;BYSECOND=60;BYMINUTE=0;BYHOUR=23;BYDAY=MO;BYYEARDAY=366;BYWEEKNO=-53;BYMONTH=12",
      "FREQ=YEARLY;BYMONTH=12;BYWEEKNO=-53;BYYEARDAY=366;BYDAY=MO;BYHOUR=23;BYMINUTE=0;BYSECOND=60;BYSETPOS=-1"
    ),
  ]

  @Test(arguments: canonical)
  func `a rule has one canonical text`(text: String, canonical: String) throws {
    #expect(try RecurrenceRule(parsing: text).description == canonical)
  }

  static let bad: [(text: String, fault: RecurrenceError.Fault, message: String)] = [
    ("", .empty, "The rule: it is empty (RFC 5545, 3.3.10)."),
    ("RRULE:", .empty, "The rule: it is empty (RFC 5545, 3.3.10)."),
    (
      "COUNT=3", .missingFrequency,
      "The rule: FREQ is missing; it says what repeats, such as FREQ=WEEKLY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=FORTNIGHTLY", .malformed,
      "FREQ=FORTNIGHTLY: FREQ is SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;COUNT=3;UNTIL=19971224", .contradiction,
      "UNTIL=19971224: a rule ends by COUNT or by UNTIL, not by both (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=MONTHLY;BYWEEKNO=20", .wrongFrequency,
      "BYWEEKNO=20: it needs FREQ=YEARLY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=WEEKLY;BYDAY=MO,1TU", .wrongFrequency,
      "BYDAY=MO,1TU: counted weekdays need FREQ=MONTHLY or FREQ=YEARLY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYDAY=1TU;BYWEEKNO=2", .contradiction,
      "BYDAY=1TU: counted weekdays cannot stand with BYWEEKNO (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=WEEKLY;BYMONTHDAY=1", .wrongFrequency,
      "BYMONTHDAY=1: it cannot stand with FREQ=WEEKLY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYYEARDAY=1", .wrongFrequency,
      "BYYEARDAY=1: it cannot stand with FREQ=DAILY (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=MONTHLY;BYSETPOS=1", .incomplete,
      "BYSETPOS=1: it needs another BY part, from whose days or times it selects (RFC 5545, "
        + "3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYEASTER=0", .unknownPart,
      "BYEASTER=0: there is no part BYEASTER (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;X-FOO=1", .unknownPart, "X-FOO=1: there is no part X-FOO (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;COUNT=3;COUNT=3", .repeatedPart,
      "COUNT=3: COUNT can stand only once (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;FREQ=WEEKLY", .repeatedPart,
      "FREQ=WEEKLY: FREQ can stand only once (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;INTERVAL=0", .outOfRange,
      "INTERVAL=0: it must be 1 or more (RFC 5545, 3.3.10)."
    ),
    ("FREQ=DAILY;COUNT=0", .outOfRange, "COUNT=0: it must be 1 or more (RFC 5545, 3.3.10)."),
    (
      "FREQ=DAILY;COUNT=-1", .malformed,
      "COUNT=-1: it must be a whole number without a sign (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;INTERVAL=2147483648", .outOfRange,
      "INTERVAL=2147483648: it must be at most 2147483647."
    ),
    (
      "FREQ=DAILY;COUNT=99999999999999999999", .malformed,
      "COUNT=99999999999999999999: it must be a whole number without a sign (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYMONTH=13", .outOfRange,
      "BYMONTH=13: 13 is not within 1 to 12 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=0", .outOfRange,
      "BYMONTHDAY=0: 0 is not within 1 to 31 or -1 to -31 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYYEARDAY=-367", .outOfRange,
      "BYYEARDAY=-367: -367 is not within 1 to 366 or -1 to -366 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYWEEKNO=54", .outOfRange,
      "BYWEEKNO=54: 54 is not within 1 to 53 or -1 to -53 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYDAY=54MO", .outOfRange,
      "BYDAY=54MO: 54 is not within 1 to 53 or -1 to -53 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYDAY=0MO", .outOfRange,
      "BYDAY=0MO: 0 is not within 1 to 53 or -1 to -53 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=YEARLY;BYMONTH=1;BYSETPOS=367", .outOfRange,
      "BYSETPOS=367: 367 is not within 1 to 366 or -1 to -366 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYHOUR=24", .outOfRange,
      "BYHOUR=24: 24 is not within 0 to 23 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYMINUTE=60", .outOfRange,
      "BYMINUTE=60: 60 is not within 0 to 59 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYSECOND=61", .outOfRange,
      "BYSECOND=61: 61 is not within 0 to 60 (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYHOUR=-1", .malformed,
      "BYHOUR=-1: -1 is not a valid number for BYHOUR (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=DAILY;BYMONTH=1,,2", .empty,
      "BYMONTH=1,,2: there is nothing before, after or between two commas (RFC 5545, 3.3.10)."
    ),
    ("FREQ=DAILY;BYMONTH=", .empty, "BYMONTH=: BYMONTH has no value (RFC 5545, 3.3.10)."),
    (
      "FREQ=DAILY;", .empty,
      "FREQ=DAILY;: there is nothing before, after or between two semicolons (RFC 5545, 3.3.10)."
    ),
    ("FREQ=DAILY;COUNT", .malformed, "COUNT: a part is NAME=VALUE (RFC 5545, 3.3.10)."),
    (
      "FREQ=WEEKLY;BYDAY=MONDAY", .malformed,
      "BYDAY=MONDAY: MONDAY is not a weekday such as MO, or a counted one such as -1MO (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=MONTHLY;BYDAY=1.5MO", .malformed,
      "BYDAY=1.5MO: 1.5MO is not a counted weekday such as -1MO (RFC 5545, 3.3.10)."
    ),
    (
      "FREQ=WEEKLY;WKST=2", .malformed,
      "WKST=2: WKST is one of MO, TU, WE, TH, FR, SA and SU (RFC 5545, 3.3.10)."
    ),
  ]

  @Test(arguments: bad)
  func `a bad rule is refused with its offending part (DM-4)`(
    text: String, fault: RecurrenceError.Fault, message: String
  ) throws {
    let error = try #require(throws: RecurrenceError.self) { try RecurrenceRule(parsing: text) }
    #expect(error.fault == fault)
    #expect(error.description == message)
  }

  static let noUntil = [
    "1997", "19970230", "1997-12-24", "19971224T", "19971224Z", "19971224T2400", "19971224T240000",
    "19971224T000000+0100", "19971224T00:00Z", "1997-12-24T0900", "T", "Z", "00000101",
  ]

  @Test(arguments: noUntil) func `an UNTIL that is not a date is refused`(text: String) throws {
    let error = try #require(throws: RecurrenceError.self) {
      try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=\(text)")
    }
    #expect(error.fault == .malformed && error.part == "UNTIL=\(text)")
  }

  @Test func `a rule finer than a day is refused for tasks`() throws {
    for frequency in RecurrenceRule.Frequency.allCases {
      let rule = try RecurrenceRule(parsing: "FREQ=\(frequency);BYSECOND=0")
      let isFine = [.secondly, .minutely, .hourly].contains(frequency)
      #expect(rule.isSubDaily == isFine)
      if isFine {
        let error = try #require(throws: RecurrenceError.self) { try rule.requireDays() }
        #expect(error.fault == .tooFine && error.part == "FREQ=\(frequency)")
      } else {
        try rule.requireDays()
      }
    }
  }

  static let tolerated = [
    ("FREQ=DAILY;COUNT=-1;UNTIL=20240331;", "FREQ=DAILY;UNTIL=20240331", ["COUNT=-1", ""]),
    ("FREQ=MONTHLY;BYMONTH=1,2,", "FREQ=MONTHLY;BYMONTH=1,2", ["BYMONTH=1,2,"]),
    (
      "FREQ=WEEKLY;BYDAY=1TU,TU;INTERVAL=0", "FREQ=WEEKLY;BYDAY=TU", ["INTERVAL=0", "BYDAY=1TU,TU"]
    ),
    ("FREQ=DAILY;X-A=1;COUNT=2;COUNT=2", "FREQ=DAILY;COUNT=2", ["X-A=1", "COUNT=2"]),
    ("FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=WEEKLY;BYMONTHDAY=1", ["BYMONTHDAY=1"]),
  ]

  @Test(arguments: tolerated)
  func `a nonstandard rule is tolerated, and its faults are reported`(
    text: String, rule: String, parts: [String]
  ) throws {
    let found = try RecurrenceRule.tolerating(text)
    #expect(found.rule.description == rule)
    #expect(try RecurrenceRule.tolerating(rule).rule == found.rule)
    #expect(Set(found.faults.map(\.part)) == Set(parts.map { $0.isEmpty ? text : $0 }))
    #expect(throws: RecurrenceError.self) { try RecurrenceRule(parsing: text) }
  }

  static let intolerable = [
    "FREQ=YEARLY;BYEASTER=0", "FREQ=DAILY;BYMONTH=,", "FREQ=DAILY;BYDAY=XX", "FREQ=DAILY;BYMONTH=0",
    "FREQ=DAILY;COUNT=2;COUNT=3", "FREQ=DAILY;RSCALE=CHINESE", "FREQ=DAILY;UNTIL=soon",
  ]

  @Test(arguments: intolerable)
  func `a rule that would change its meaning is not tolerated`(text: String) {
    #expect(throws: RecurrenceError.self) { try RecurrenceRule.tolerating(text) }
  }

  @Test func `only the first of very many faults are reported`() throws {
    let parts = (1...1_000).map { "X-\($0)=1" }.joined(separator: ";;;")
    let found = try RecurrenceRule.tolerating("FREQ=DAILY;\(parts)")
    #expect(found.rule.description == "FREQ=DAILY")
    #expect(found.faults.count == 20)
  }

  @Test func `a rule reads back from its canonical text`() {
    let report = check("round trip", RuleWorlds.rules(), cases: 2_000) { text in
      let rule = try RecurrenceRule(parsing: text)
      try expectEqual(try RecurrenceRule(parsing: rule.description), rule)
      try expectEqual(try RecurrenceRule(parsing: rule.description).description, rule.description)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `no text makes the parser trap`() {
    let pieces = Generator<String>.oneOf(
      .element(of: [
        "FREQ=", "DAILY", "YEARLY", ";", "=", ",", "BYDAY=", "-1MO", "BYMONTH", "COUNT=", "UNTIL=",
        "RRULE:", "99999999999", "-", "+", "19971224T000000Z", "WKST=", "BYSETPOS=1", "é", "\u{0}",
      ]), .unicode(count: 0...4))
    let report = check("any text", pieces.array(count: 0...12), cases: 3_000) { pieces in
      let text = pieces.joined()
      for found in [try? RecurrenceRule(parsing: text), try? RecurrenceRule.tolerating(text).rule] {
        guard let rule = found else { continue }
        _ = Recurrence(start: .september, rules: [rule]).first(after: local("2026-01-01"))
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a local time reads back from its text`() {
    let report = check(
      "round trip",
      Generator.zip(
        Generator<Int>.integer(in: -719_162...2_932_896), Generator<Int>.integer(in: 0...86_399)),
      cases: 500
    ) { (number, second) in
      let time = Day(number: number).flatMap { LocalDateTime(day: $0, second: second) }
      try expectEqual(LocalDateTime(time?.description ?? ""), time)
      try expectEqual(LocalDateTime(time?.iCalendar ?? ""), time)
    }
    #expect(report.passed, "\(report)")
    #expect(local("1997-09-02") == local("19970902T0000"))
    #expect(local("1997-09-02T09:30") == local("19970902T093000"))
    #expect(local("19970902T235960") == local("19970902T235959"))
    for text in [
      "", "T", "1997-09-02T", "1997-09-02T24:00", "1997-09-02T0:00", "1997-09-2",
      "19970902T09:3000",
      "1997-09-02T09:00:00Z", "1997-02-29", "1997-09-02 09:00", "１９９７0902",
    ] {
      #expect(LocalDateTime(text) == nil, "\(text)")
    }
  }
}
