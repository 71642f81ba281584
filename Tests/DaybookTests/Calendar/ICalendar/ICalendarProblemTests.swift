import Daybook
import Testing

/// Whatever is not understood is reported with its line and its consequence.
@Suite(.tags(.unit)) struct ICalendarProblemTests {
  @Test(arguments: [
    ("UID:1", "line 2: VEVENT has no DTSTART"),
    ("UID:1\nDTSTART:2026-03-01", "line 4: DTSTART: 2026-03-01 is neither a date nor a time"),
    ("UID:1\nDTSTART:20260230", "line 4: DTSTART: 20260230 is neither a date nor a time"),
    (
      "UID:1\nDTSTART:20260301T240000",
      "line 4: DTSTART: 20260301T240000 is neither a date nor a time"
    ),
    (
      "DTSTART:20260301T120000\nUID:1\nRRULE:FREQ=FORTNIGHTLY",
      "line 5: RRULE: FREQ=FORTNIGHTLY: "
    ),
    (
      "DTSTART:20260301T120000\nRRULE:FREQ=SECONDLY",
      "line 4: RRULE:FREQ=SECONDLY repeats too often to be shown"
    ),
    (
      "DTSTART:20260301T120000\nEXDATE:tomorrow",
      "line 4: EXDATE: tomorrow is neither a date nor a time"
    ),
    ("DTSTART:20260301T120000\nRDATE:20260301T120000/-PT1H", "line 4: RDATE: "),
    (
      "DTSTART:20260301T120000\nRECURRENCE-ID:x",
      "line 4: RECURRENCE-ID: x is neither a date nor a time"
    ),
    (
      "DTSTART:20260301T120000\nRECURRENCE-ID;RANGE=THISANDPRIOR:20260301T120000",
      "line 4: RANGE=THISANDPRIOR is not known"
    ),
    ("DTSTART:20260301T120000\nEXRULE:FREQ=DAILY", "line 4: EXRULE is not known"),
  ])
  func `an event without a readable time is left out, and the others are read`(
    lines: String, problem: String
  ) throws {
    let text = calendarText(eventText(lines), eventText("UID:other\nDTSTART:20260301T120000"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.calendar.series.map(\.uid) == ["other"])
    let found = try #require(reading.problems.first)
    #expect("\(found)".hasPrefix(problem), "\(found)")
    #expect(found.outcome == .eventLeftOut)
    #expect(reading.problems.count == 1)
  }

  @Test(arguments: [
    ("DTEND:never", "DTEND: never is neither a date nor a time", ICalendar.Problem.Outcome.ignored),
    ("DTEND:20260301T110000", "DTEND is before DTSTART", .ignored),
    ("DURATION:-PT1H", "DURATION:-PT1H is not the length of an event", .ignored),
    ("DURATION:P1H", "DURATION:P1H is not the length of an event", .ignored),
    ("STATUS:MAYBE", "STATUS:MAYBE is not known", .ignored),
    ("SEQUENCE:-1", "SEQUENCE:-1 is not a number", .ignored),
    ("LAST-MODIFIED:yesterday", "LAST-MODIFIED: yesterday is neither a date nor a time", .ignored),
    (
      "a line of a text that was broken",
      "\"a line of a text that was broken\" is not a content line",
      .ignored
    ),
    ("DTSTART:20260302T120000", "there is more than one DTSTART; the first counts", .repaired),
    (
      "RRULE:FREQ=DAILY;COUNT=-1;UNTIL=20260303T120000",
      "RRULE: COUNT=-1: it must be 1 or more (RFC 5545, 3.3.10), "
        + "read as FREQ=DAILY;UNTIL=20260303T120000", .repaired
    ),
  ])
  func `any other fault costs only itself`(
    line: String, message: String, outcome: ICalendar.Problem.Outcome
  ) {
    let text = calendarText(eventText("UID:1\nDTSTART:20260301T120000\n\(line)"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems.map(\.message) == [message])
    #expect(reading.problems.map(\.outcome) == [outcome])
    #expect(reading.calendar.series.first?.master?.extent == .unsaid)
  }

  @Test(arguments: [
    ("RRULE:", "RRULE is empty; no rule is read", ICalendar.Problem.Outcome.repaired),
    ("RRULE: ", "RRULE is empty; no rule is read", .repaired),
    ("RECURRENCE-ID:", "RECURRENCE-ID is empty", .ignored),
  ])
  func `a line with no value is ignored`(
    line: String, message: String, outcome: ICalendar.Problem.Outcome
  ) throws {
    let text = calendarText(eventText("UID:1\nDTSTART:20260301T120000\n\(line)"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems.map(\.message) == [message])
    #expect(reading.problems.map(\.outcome) == [outcome])
    let event = try #require(reading.calendar.series.first?.master)
    #expect(event.rules.isEmpty && event.recurrenceID == nil)
    let empty = calendarText(
      eventText("UID:1\nDTSTART:20260301T120000\nEXRULE:\nRDATE:\nEXDATE:\nDTEND:"))
    #expect(ICalendar.read(empty, zones: TableZones()).calendar.series.first?.master != nil)
  }

  @Test(arguments: [
    (
      "FREQ=DAILY;COUNT=3;UNTIL=20260302T120000", "UNTIL=20260302T120000",
      "FREQ=DAILY;COUNT=3;UNTIL=20260302T120000", 2
    ),
    ("FREQ=WEEKLY;BYDAY=SU,;COUNT=2", "BYDAY=SU,", "FREQ=WEEKLY;BYDAY=SU;COUNT=2", 2),
    ("FREQ=DAILY;X-FOO=1;COUNT=4", "X-FOO=1", "FREQ=DAILY;COUNT=4", 4),
    ("FREQ=WEEKLY;BYDAY=1SU;COUNT=3", "BYDAY=1SU", "FREQ=WEEKLY;BYDAY=SU;COUNT=3", 3),
    ("FREQ=WEEKLY;BYMONTHDAY=1;COUNT=2", "BYMONTHDAY=1", "FREQ=WEEKLY;BYMONTHDAY=1;COUNT=2", 2),
    ("FREQ=DAILY;COUNT=2;;;", "FREQ=DAILY;COUNT=2;;;", "FREQ=DAILY;COUNT=2", 2),
  ])
  func `a slightly wrong rule is repaired, and its fault reported (MC-10)`(
    text: String, part: String, rule: String, count: Int
  ) throws {
    let reading = ICalendar.read(
      calendarText(eventText("UID:1\nDTSTART:20260301T120000\nRRULE:\(text)")),
      zones: TableZones())
    let problem = try #require(reading.problems.first)
    #expect(reading.problems.count == 1 && problem.outcome == .repaired && problem.line == 5)
    #expect(problem.message.hasPrefix("RRULE: \(part): "))
    #expect(problem.message.hasSuffix(" (RFC 5545, 3.3.10), read as \(rule)"))
    let found = reading.calendar.occurrences(
      from: moment("2026-01-01T00:00:00Z"), until: moment("2027-01-01T00:00:00Z"),
      seenFrom: "Etc/UTC", zones: TableZones())
    #expect(found.count == count)
    #expect(reading.isWhole)
  }

  @Test func `a slightly wrong rule of a zone is repaired, too`() {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:20000101T000000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYMONTH=1,
      END:STANDARD
      END:VTIMEZONE
      """
    let reading = ICalendar.read(
      calendarText(zone, eventText("UID:1\nDTSTART;TZID=Own:20260301T120000")),
      zones: TableZones())
    #expect(reading.problems.map(\.outcome) == [.repaired])
    #expect(reading.calendar.zoneRules["Own"]?.observances.first?.rules.count == 1)
  }

  @Test func `events without a UID are equal only if all their lines are`() {
    let lines = "DTSTART;VALUE=DATE:20260301\nSUMMARY:Holiday"
    let reading = ICalendar.read(
      calendarText(
        eventText(lines), eventText("\(lines)\nLOCATION:Bonn"),
        eventText("\(lines)\nCATEGORIES:A"), eventText("\(lines)\nDTSTAMP:20260101T000000Z"),
        eventText("SUMMARY:Holiday\nDTSTART;VALUE=DATE:20260301")), zones: TableZones())
    #expect(reading.calendar.series.count == 3)
    #expect(Set(reading.calendar.series.map(\.uid)).count == 3)
    let told = reading.problems.filter { $0.outcome == .ignored }.map(\.description)
    #expect(
      told == [
        "line 2: VEVENT comes again on line 16, and that version is taken; ignored",
        "line 21: VEVENT comes again on line 16, and that version is taken; ignored",
      ])
  }

  @Test func `every ignored version of an event is reported with its line`() {
    let one = "UID:1\nDTSTART:20260301T120000"
    let slot = "UID:1\nRECURRENCE-ID:20260301T120000\nDTSTART:20260301T130000"
    let reading = ICalendar.read(
      calendarText(
        eventText("\(one)\nSEQUENCE:2"), eventText("\(one)\nSEQUENCE:1"),
        eventText("\(one)\nSEQUENCE:3"), eventText("\(slot)\nSEQUENCE:4"),
        eventText("\(slot)\nSEQUENCE:3")), zones: TableZones())
    #expect(
      reading.problems.map(\.description) == [
        "line 2: VEVENT comes again on line 12, and that version is taken; ignored",
        "line 7: VEVENT comes again on line 2, and that version is taken; ignored",
        "line 23: VEVENT comes again on line 17, and that version is taken; ignored",
      ])
    #expect(reading.calendar.series.first?.master?.sequence == 3)
    #expect(reading.calendar.series.first?.overrides.map(\.sequence) == [4])
  }

  @Test func `an unknown zone is reported once, and its times float`() {
    let start = "DTSTART;TZID=Mars/Olympus:20260301T120000"
    let reading = ICalendar.read(
      calendarText(eventText("UID:1\n\(start)"), eventText("UID:2\n\(start)")), zones: TableZones())
    #expect(
      reading.problems.map(\.description) == [
        "line 4: the time zone \"Mars/Olympus\" is not known; its times are read as floating; "
          + "repaired"
      ])
    #expect(reading.calendar.series.first?.master?.start == .floating(wallTime("2026-03-01T12:00")))
  }

  @Test func `an event without its end is left out, since the file may be cut off`() {
    let whole = calendarText(
      eventText("UID:1\nDTSTART:20260301"), eventText("UID:2\nDTSTART:20260301"))
    let cut = whole.replacing("END:VEVENT\nEND:VCALENDAR", with: "")
    let reading = ICalendar.read(cut, zones: TableZones())
    #expect(reading.calendar.series.map(\.uid) == ["1"])
    #expect(
      reading.problems.contains { "\($0)" == "line 6: VEVENT has no END; the event is left out" })
    #expect(
      reading.problems.contains {
        "\($0)" == "line 1: VCALENDAR has no END, the file may be cut off; repaired"
      })
  }

  @Test func `misplaced BEGIN and END lines cost as little as possible`() {
    let text = """
      SUMMARY:astray
      BEGIN:VCALENDAR
      END:VEVENT
      BEGIN:VTODO
      UID:todo
      END:VTOOD
      BEGIN:VEVENT
      UID:1
      DTSTART;VALUE=DATE:20260301
      BEGIN:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:lost
      BEGIN:VEVENT
      UID:2
      DTSTART;VALUE=DATE:20260301
      END:VEVENT
      END:VCALENDAR
      BEGIN:VEVENT
      UID:3
      DTSTART;VALUE=DATE:20260301
      END:VEVENT
      END:VCALENDAR
      """
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.calendar.series.map(\.uid) == ["1", "2", "3"])
    #expect(reading.notImported == ["VTODO": 1])
    #expect(
      reading.problems.map(\.description) == [
        "line 1: SUMMARY stands outside of any component; ignored",
        "line 3: END:VEVENT without its BEGIN; ignored",
        "line 6: END:VTOOD is read as the end of VTODO; repaired",
        "line 10: VALARM has no END; ignored",
        "line 12: VEVENT has no END; the event is left out",
        "line 19: VEVENT stands outside of a VCALENDAR; it is read anyway; repaired",
        "line 23: END:VCALENDAR without its BEGIN; ignored",
      ])
  }

  @Test func `a whole day that ends when it begins lasts the day`() {
    let text = calendarText(
      eventText("UID:1\nDTSTART;VALUE=DATE:20260301\nDTEND;VALUE=DATE:20260301"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems.map(\.outcome) == [.repaired])
    #expect(reading.calendar.series.first?.master?.extent == .unsaid)
  }

  @Test func `text that is not a calendar, or not UTF-8, is reported`() {
    for bytes in [[], Array("not a calendar".utf8), [0xFF, 0xFE, 0x42, 0x00]] as [[UInt8]] {
      let reading = ICalendar.read(bytes, zones: TableZones())
      #expect(reading.calendar == ICalendar())
      #expect(!reading.problems.isEmpty)
    }
    let wide = ICalendar.read([0xFF, 0xFE, 0x42, 0x00], zones: TableZones())
    #expect(wide.problems.map(\.message) == ["the text is UTF-16; iCalendar text is UTF-8"])
    let text = Array(calendarText(eventText("UID:1\nDTSTART:20260301T120000\nSUMMARY:Caf")).utf8)
    let place = text.lastIndex(of: UInt8(ascii: "f")) ?? 0
    let reading = ICalendar.read(
      text[...place] + [0xE9] + text[(place + 1)...], zones: TableZones())
    #expect(reading.calendar.series.first?.master?.summary == "Caf\u{FFFD}")
    #expect(reading.problems.map(\.line) == [5])
  }

  @Test func `endlessly nested components do no harm`() {
    let text = String(repeating: "BEGIN:X\n", count: 200_000)
    let reading = ICalendar.read(
      text + calendarText(eventText("UID:1\nDTSTART:20260301T120000")), zones: TableZones())
    #expect(reading.calendar.series.map(\.uid) == ["1"])
  }

  @Test func `ignored components are counted`() {
    let text = calendarText(
      eventText(
        "UID:1\nDTSTART:20260301T120000\nBEGIN:VALARM\nEND:VALARM\nBEGIN:VALARM\nEND:VALARM"),
      "BEGIN:VJOURNAL\nEND:VJOURNAL")
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.notImported == ["VALARM": 2, "VJOURNAL": 1])
    #expect(reading.problems == [])
  }
}
