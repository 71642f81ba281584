import Daybook
import Testing

@Suite(.tags(.unit)) struct ICalendarReadingTests {
  @Test func `an event is read with all of its properties (MC-10)`() throws {
    let event = try #require(
      onlyEvent(
        """
        UID:tea@example.org
        DTSTAMP:20260101T000000Z
        DTSTART;TZID=Europe/Berlin:20260301T160000
        DTEND;TZID=Europe/Berlin:20260301T173000
        SUMMARY:Tea\\, and cake
        DESCRIPTION:First line\\nsecond\\; and a \\\\ in it
        LOCATION:At Ada's
        STATUS:CONFIRMED
        SEQUENCE:3
        LAST-MODIFIED:20260102T030405Z
        """))
    #expect(event.uid == "tea@example.org")
    #expect(event.summary == "Tea, and cake")
    #expect(event.description == "First line\nsecond; and a \\ in it")
    #expect(event.location == "At Ada's")
    #expect(event.start == .zoned(wallTime("2026-03-01T16:00"), zone: "Europe/Berlin"))
    #expect(event.extent == .until(.zoned(wallTime("2026-03-01T17:30"), zone: "Europe/Berlin")))
    #expect(event.status == .confirmed)
    #expect(event.sequence == 3)
    #expect(event.lastModified == moment("2026-01-02T03:04:05Z"))
    #expect(event.stamp == moment("2026-01-01T00:00:00Z"))
  }

  @Test(arguments: [
    ("20260301T160000Z", ICalendar.Time.zoned(wallTime("2026-03-01T16:00"), zone: "UTC")),
    ("20260301T160000", .floating(wallTime("2026-03-01T16:00"))),
    ("20260301T235960", .floating(wallTime("2026-03-01T23:59:59"))),
  ])
  func `a time is UTC, floating or in a zone`(text: String, time: ICalendar.Time) {
    #expect(onlyEvent("UID:1\nDTSTART:\(text)")?.start == time)
  }

  @Test(arguments: [
    ("P1W", 7, 0), ("P3D", 3, 0), ("PT1H30M", 0, 5400), ("P1DT2H", 1, 7200), ("PT90S", 0, 90),
    ("+P1D", 1, 0), ("PT0S", 0, 0),
  ])
  func `a duration has days and exact time`(text: String, days: Int, seconds: Int) {
    let event = onlyEvent("UID:1\nDTSTART:20260301T160000Z\nDURATION:\(text)")
    #expect(event?.extent == .lasting(ICalendar.Duration(days: days, seconds: seconds)))
  }

  @Test func `lines may end and fold in any way, even within a character`() throws {
    let umlaut: [UInt8] = Array("SUMMARY:Gr".utf8) + [0xC3]
    let rest: [UInt8] = [0xBC] + Array("ße".utf8)
    for (end, fold) in [("\r\n", " "), ("\n", "\t"), ("\r", " ")] {
      var bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
      bytes += "begin:vcalendar\(end)BEGIN:VEVENT \(end)\(end)uid:1\(end)".utf8
      bytes += "DTSTART;VALUE=DA\(end)\(fold)TE:20260301\(end)".utf8
      bytes += umlaut + Array("\(end)\(fold)".utf8) + rest
      bytes += "\(end)END:VEVENT\(end)END:VCALENDAR".utf8
      let reading = ICalendar.read(bytes, zones: TableZones())
      #expect(reading.problems == [])
      #expect(reading.calendar.series.first?.master?.summary == "Grüße")
      #expect(reading.calendar.series.first?.master?.start == .date(day("2026-03-01")))
    }
  }

  @Test func `parameters may be quoted, and use the escapes of RFC 6868`() {
    let zone = "\"Ada's ^'own^' zone: one; two, three^n^^\""
    let reading = ICalendar.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Ada's "own" zone: one\\; two\\, three\\n^
      BEGIN:STANDARD
      DTSTART:20200101T000000
      TZOFFSETFROM:+0130
      TZOFFSETTO:+0130
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:1
      DTSTART;X-NOTHING;TZID=\(zone);X-MANY=a,"b",c:20260301T120000
      END:VEVENT
      END:VCALENDAR
      """, zones: TableZones())
    #expect(reading.problems == [])
    let occurrences = reading.calendar.occurrences(
      from: moment("2026-03-01T10:30:00Z"), until: moment("2026-03-01T10:30:01Z"),
      seenFrom: "Etc/UTC",
      zones: TableZones())
    #expect(occurrences.count == 1)
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"),
    ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
    ("/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "Europe/Berlin"),
    ("/mozilla.org/20070129_1/Europe/Berlin", "Europe/Berlin"),
    ("W. Europe Standard Time", "Europe/Berlin"),
    ("Nepal Standard Time", "Asia/Katmandu"),
    ("Etc/UTC", "UTC"), ("UTC", "UTC"),
  ])
  func `a zone's name is matched with the time zone database`(name: String, zone: String) {
    struct Known: TimeZones {
      func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
        ["Europe/Berlin", "Asia/Katmandu", "Etc/UTC"].contains(timeZone) ? 0 : nil
      }
    }
    let reading = ICalendar.read(
      calendarText(eventText("UID:1\nDTSTART;TZID=\(name):20260301T120000")), zones: Known())
    #expect(reading.calendar.series.first?.master?.start.zone == zone)
    #expect(reading.problems == [])
  }

  @Test(arguments: [
    ("X-LIC-LOCATION:Europe/Berlin", "+0100", "Europe/Berlin"),
    ("X-LIC-LOCATION:Mars/Olympus", "+0100", "Here"), ("X-NOTHING:1", "+2359", "Here"),
    ("X-NOTHING:1", "+2400", nil), ("X-NOTHING:1", "+0060", nil), ("X-NOTHING:1", "+000060", nil),
  ])
  func `a VTIMEZONE is the zone it names, or else its rules`(
    line: String, offset: String, zone: String?
  ) {
    let reading = ICalendar.read(
      """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Here
      \(line)
      BEGIN:STANDARD
      DTSTART:20200101T000000
      TZOFFSETFROM:\(offset)
      TZOFFSETTO:\(offset)
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Here:20260301T120000
      END:VEVENT
      END:VCALENDAR
      """, zones: TableZones())
    #expect(reading.calendar.series.first?.master?.start.zone == zone)
    #expect(reading.problems.isEmpty == (zone != nil))
  }

  @Test(arguments: ["CANCELLED", "CANCELED", "Canceled", "cancelled"])
  func `both spellings of CANCELLED are accepted`(status: String) {
    let text = calendarText(eventText("UID:1\nDTSTART:20260301T120000\nSTATUS:\(status)"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.calendar.series.first?.master?.status == .cancelled)
    #expect(reading.problems == [])
  }

  @Test func `a zone known only to the file follows the file's rules`() {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:Customized Time Zone
      BEGIN:STANDARD
      DTSTART:16010101T030000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:16010101T020000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
      END:DAYLIGHT
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:1
      DTSTART;TZID=Customized Time Zone:20260327T120000
      RRULE:FREQ=DAILY;COUNT=4
      END:VEVENT
      END:VCALENDAR
      """
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems == [])
    let starts = reading.calendar.occurrences(
      from: .first, until: .last, seenFrom: "Etc/UTC", zones: TableZones()
    ).map { occurrence in
      // The same offsets as Berlin, whose clocks go forward on 2026-03-29.
      ICalendar.Time.zoned(occurrence.start.local, zone: "Europe/Berlin").instant(
        seenFrom: "Etc/UTC", zones: TableZones())
    }
    let expected = ["27T11", "28T11", "29T10", "30T10"].map { moment("2026-03-\($0):00:00Z") }
    #expect(starts == expected)
    for expected in expected {
      let found = reading.calendar.occurrences(
        from: expected, until: expected.advanced(byMilliseconds: 1), seenFrom: "Etc/UTC",
        zones: TableZones())
      #expect(found.count == 1)
    }
  }

  @Test func `a calendar's own zone applies to its times without one`() {
    let text = calendarText(
      "X-WR-TIMEZONE:Europe/Berlin\nX-WR-CALNAME:Family",
      eventText("UID:1\nDTSTART:20260301T120000"), eventText("UID:2\nDTSTART:20260301T120000Z"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.calendar.series.map { $0.master?.start.zone } == ["Europe/Berlin", "UTC"])
    #expect(reading.calendar.name == "Family")
  }

  @Test func `the newer of two versions wins, in either order`() {
    let versions = [
      "SEQUENCE:1\nSUMMARY:new", "SEQUENCE:0\nLAST-MODIFIED:20260102T000000Z\nSUMMARY:old",
      "SEQUENCE:1\nDTSTAMP:20260101T000000Z\nSUMMARY:newest",
    ].map { eventText("UID:1\nDTSTART:20260301T120000Z\n\($0)") }
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
      let reading = ICalendar.read(calendarText(order.map { versions[$0] }), zones: TableZones())
      #expect(reading.calendar.series.count == 1)
      #expect(reading.calendar.series.first?.master?.summary == "newest")
    }
  }

  @Test func `METHOD:CANCEL cancels events, even without a start`() {
    let text = calendarText(
      "METHOD:CANCEL", eventText("UID:1"), eventText("UID:2\nRECURRENCE-ID:20260301T120000Z"))
    let reading = ICalendar.read(text, zones: TableZones())
    #expect(reading.problems == [])
    #expect(reading.calendar.series.map { $0.master?.status } == [.cancelled, nil])
    #expect(reading.calendar.series.last?.overrides.map(\.status) == [.cancelled])
  }

  @Test func `an event without a UID always gets the same one`() {
    let text = calendarText(eventText("DTSTART:20260301T120000Z\nSUMMARY:Tea"))
    let names = [text, text + text].map {
      ICalendar.read($0, zones: TableZones()).calendar.series.map(\.uid)
    }
    #expect(names[0].count == 1)
    #expect(names[0] == names[1])
  }
}
