import Daybook
import Testing

@Suite(.tags(.unit)) struct ICalendarWritingTests {
  @Test func `a calendar is written according to RFC 5545`() {
    var tea = ICalendar.Event(
      uid: "tea;1", start: .zoned(wallTime("2026-03-01T16:00"), zone: "Europe/Berlin"))
    tea.summary = "Tea, and cake"
    tea.description = "Line one\nline two\r\nline \\ three\u{7}"
    tea.extent = .lasting(ICalendar.Duration(seconds: 5400))
    tea.exceptions = [.zoned(wallTime("2026-03-02T16:00"), zone: "Europe/Berlin")]
    tea.dates = [
      ICalendar.Date(
        .zoned(wallTime("2026-04-01T16:00"), zone: "UTC"),
        extent: .lasting(ICalendar.Duration(days: 1)))
    ]
    tea.rules = [rule("FREQ=DAILY;COUNT=3")]
    tea.status = .confirmed
    tea.sequence = 2
    tea.lastModified = moment("2026-01-02T03:04:05Z")
    var moved = ICalendar.Event(uid: "tea;1", start: .date(day("2026-03-03")))
    moved.extent = .until(.date(day("2026-03-05")))
    moved.recurrenceID = .zoned(wallTime("2026-03-03T16:00"), zone: "Europe/Berlin")
    moved.isThisAndFuture = true
    let calendar = ICalendar(
      name: "Home; sweet",
      series: [ICalendar.Series(uid: "tea;1", master: tea, overrides: [moved])],
      zoneRules: [
        "Own: zone": ICalendar.ZoneRules(observances: [
          ICalendar.ZoneRules.Observance(
            isDaylight: true, start: wallTime("2026-01-01T00:00"), offsetBefore: -3600,
            offset: 5430,
            rules: [rule("FREQ=YEARLY")], dates: [wallTime("2027-01-01T00:00")])
        ])
      ])
    struct Berlin: TimeZones {
      func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
        timeZone == "Europe/Berlin" ? 3600 : nil
      }
    }
    let text = calendar.write(stamp: moment("2026-01-01T00:00:00Z"), zones: Berlin())
    #expect(
      text.split(separator: "\r\n")
        == """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//Daybook//Daybook//EN
        CALSCALE:GREGORIAN
        X-WR-CALNAME:Home\\; sweet
        BEGIN:VTIMEZONE
        TZID:Europe/Berlin
        BEGIN:STANDARD
        DTSTART:20250101T000000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0100
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VTIMEZONE
        TZID:Own: zone
        BEGIN:DAYLIGHT
        DTSTART:20260101T000000
        TZOFFSETFROM:-0100
        TZOFFSETTO:+013030
        RRULE:FREQ=YEARLY
        RDATE:20270101T000000
        END:DAYLIGHT
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:tea\\;1
        DTSTAMP:20260101T000000Z
        DTSTART;TZID=Europe/Berlin:20260301T160000
        DURATION:PT1H30M
        RRULE:FREQ=DAILY;COUNT=3
        RDATE;VALUE=PERIOD:20260401T160000Z/P1D
        EXDATE;TZID=Europe/Berlin:20260302T160000
        SUMMARY:Tea\\, and cake
        DESCRIPTION:Line one\\nline two\\nline \\\\ three
        STATUS:CONFIRMED
        SEQUENCE:2
        LAST-MODIFIED:20260102T030405Z
        END:VEVENT
        BEGIN:VEVENT
        UID:tea\\;1
        DTSTAMP:20260101T000000Z
        RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260303T160000
        DTSTART;VALUE=DATE:20260303
        DTEND;VALUE=DATE:20260305
        END:VEVENT
        END:VCALENDAR
        """.split(separator: "\n"))
  }

  @Test func `lines have at most 75 octets, and split no character`() throws {
    var event = ICalendar.Event(uid: "1", start: .date(day("2026-03-01")))
    event.summary = String(repeating: "Grüße 👩‍👩‍👧 e\u{301} ", count: 30)
    let calendar = ICalendar(series: [ICalendar.Series(uid: "1", master: event)])
    let text = calendar.write(stamp: .first, zones: TableZones())
    var lines: [[UInt8]] = [[]]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\n") {
        lines.append([])
      } else {
        lines[lines.count - 1].append(byte)
      }
    }
    #expect(lines.popLast() == [])
    #expect(lines.allSatisfy { $0.last == UInt8(ascii: "\r") && $0.count <= 76 })
    #expect(lines.contains { $0.count > 72 })
    #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    let read = ICalendar.read(text, zones: TableZones()).calendar.series.first?.master
    #expect(read?.summary == event.summary)
  }

  @Test(arguments: [
    ("VALUE=DATE:20260301", "20260310", "20260310"),
    ("VALUE=DATE:20260301", "20260310T120000", "20260310"),
    ("VALUE=DATE:20260301", "20260310T120000Z", "20260310"),
    ("X=Y:20260301T120000", "20260310", "20260310T235959"),
    ("X=Y:20260301T120000", "20260310T120000", "20260310T120000"),
    ("X=Y:20260301T120000", "20260310T120000Z", "20260310T120000"),
    ("X=Y:20260301T120000Z", "20260310", "20260310T235959Z"),
    ("X=Y:20260301T120000Z", "20260310T120000Z", "20260310T120000Z"),
    ("TZID=Europe/Berlin:20260301T120000", "20260310", "20260310T225959Z"),
    ("TZID=Europe/Berlin:20260301T120000", "20260310T120000", "20260310T110000Z"),
    ("TZID=Europe/Berlin:20260301T120000", "20260710T120000", "20260710T100000Z"),
    ("TZID=Europe/Berlin:20260301T120000", "20260310T110000Z", "20260310T110000Z"),
  ])
  func `UNTIL is written in the form of RFC 5545, and gives the same times`(
    start: String, until: String, written: String
  ) throws {
    let text = calendarText(
      eventText("UID:1\nDTSTART;\(start)\nRRULE:FREQ=DAILY;INTERVAL=3;UNTIL=\(until)"))
    let calendar = ICalendar.read(text, zones: TableZones()).calendar
    let output = calendar.write(stamp: .first, zones: TableZones())
    #expect(output.contains("RRULE:FREQ=DAILY;INTERVAL=3;UNTIL=\(written)\r\n"))
    let again = ICalendar.read(output, zones: TableZones()).calendar
    let times = { (calendar: ICalendar) in
      calendar.occurrences(
        from: moment("2026-01-01T00:00:00Z"), until: moment("2027-01-01T00:00:00Z"),
        seenFrom: "UTC", zones: TableZones()
      ).map(\.start)
    }
    #expect(times(again) == times(calendar))
    #expect(times(calendar).count >= 3)
  }

  @Test func `the rules of a zone end in UTC`() throws {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Own
      BEGIN:STANDARD
      DTSTART:20000101T000000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;UNTIL=20050101T000000
      END:STANDARD
      END:VTIMEZONE
      """
    let text = calendarText(zone, eventText("UID:1\nDTSTART;TZID=Own:20260301T120000"))
    let output = ICalendar.read(text, zones: TableZones()).calendar
      .write(stamp: .first, zones: TableZones())
    #expect(output.contains("RRULE:FREQ=YEARLY;UNTIL=20041231T230000Z\r\n"))
  }

  private func rule(_ text: String) -> RecurrenceRule {
    guard let rule = try? RecurrenceRule(parsing: text) else {
      preconditionFailure("no rule: \(text)")
    }
    return rule
  }
}
