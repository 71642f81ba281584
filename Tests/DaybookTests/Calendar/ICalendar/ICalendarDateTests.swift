import Daybook
import Testing

/// Whole days that programs write with instants: Outlook uses midnight in its zone, others the day in UTC.
@Suite(.tags(.unit)) struct ICalendarDateTests {
  @Test(arguments: [
    ("Europe/Berlin", "RRULE:FREQ=DAILY;UNTIL=20260908T220000Z", ["07", "08", "09"]),
    ("Europe/Berlin", "RRULE:FREQ=DAILY;UNTIL=20260908T215959Z", ["07", "08"]),
    ("Europe/Berlin", "RRULE:FREQ=DAILY;UNTIL=20260908T235959Z", ["07", "08"]),
    ("Europe/Berlin", "RRULE:FREQ=DAILY;UNTIL=20260909T000000Z", ["07", "08", "09"]),
    ("Europe/Berlin", "RRULE:FREQ=YEARLY;UNTIL=20260906T220000Z", ["07"]),
    ("Europe/Berlin", "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260907T220000Z", ["07", "09"]),
    ("Europe/Berlin", "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260908T000000Z", ["07", "09"]),
    ("Europe/Berlin", "RDATE:20260909T220000Z", ["07", "10"]),
    ("Pacific/Kiritimati", "RRULE:FREQ=DAILY;UNTIL=20260908T100000Z", ["07", "08", "09"]),
    ("Pacific/Honolulu", "RRULE:FREQ=DAILY;UNTIL=20260909T100000Z", ["07", "08", "09"]),
    ("Pacific/Honolulu", "RRULE:FREQ=DAILY;UNTIL=20260909T095959Z", ["07", "08"]),
    ("Pacific/Honolulu", "RRULE:FREQ=DAILY;UNTIL=20260908T215959Z", ["07", "08"]),
    ("Pacific/Honolulu", "RRULE:FREQ=DAILY;UNTIL=20260909T000000Z", ["07", "08", "09"]),
    ("Pacific/Honolulu", "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260908T000000Z", ["07", "09"]),
    (
      "Pacific/Honolulu", "RRULE:FREQ=DAILY;COUNT=3\nEXDATE;TZID=Europe/Berlin:20260908T000000",
      ["07", "09"]
    ),
  ])
  func `an instant in a whole-day series becomes a day in the reader's zone (MC-10)`(
    zone: String, lines: String, days: [String]
  ) {
    let text = calendarText(eventText("UID:1\nDTSTART;VALUE=DATE:20260907\n\(lines)"))
    #expect(Self.days(of: ICalendar.read(text, zones: TableZones()), in: zone) == days)
    // The result is the same for every reader.
    let read = ICalendar.read(text, seenFrom: zone, zones: TableZones())
    #expect(read.problems == [])
    for other in ["Pacific/Kiritimati", "Pacific/Honolulu", "Etc/UTC"] {
      #expect(Self.days(of: read, in: other) == days)
    }
    // It is written in the form of RFC 5545, and reads back as the same days.
    let written = ICalendar.read(text, zones: TableZones()).calendar
      .write(stamp: .first, seenFrom: zone, zones: TableZones())
    #expect(!written.contains("UNTIL=20260908T") && !written.contains("EXDATE:"))
    #expect(written == read.calendar.write(stamp: .first, zones: TableZones()))
    #expect(Self.days(of: ICalendar.read(written, zones: TableZones()), in: "Etc/UTC") == days)
  }

  @Test(arguments: [
    ("Europe/Berlin", "20260909T220000Z/20260911T220000Z"),
    ("Pacific/Honolulu", "20260910T000000Z/20260912T000000Z"),
    ("Pacific/Honolulu", "20260910T100000Z/P2D"),
  ])
  func `a PERIOD in a whole-day series becomes days in the reader's zone`(
    zone: String, period: String
  ) {
    let text = calendarText(
      eventText("UID:1\nDTSTART;VALUE=DATE:20260907\nRDATE;VALUE=PERIOD:\(period)"))
    let reading = ICalendar.read(text, seenFrom: zone, zones: TableZones())
    #expect(reading.problems == [])
    #expect(Self.days(of: reading, in: zone) == ["07", "10", "11"])
    let written = reading.calendar.write(stamp: .first, seenFrom: zone, zones: TableZones())
    #expect(written.contains("RDATE;VALUE=PERIOD:\(period)\r\n"))
  }

  @Test func `the calendar's own zone takes precedence over the reader's (MC-10)`() {
    let text = calendarText(
      "X-WR-TIMEZONE:Pacific/Kiritimati",
      eventText(
        "UID:1\nDTSTART;VALUE=DATE:20260907\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260907T100000Z"))
    let reading = ICalendar.read(text, seenFrom: "Europe/Berlin", zones: TableZones())
    #expect(Self.days(of: reading, in: "Europe/Berlin") == ["07", "09"])
  }

  @Test func `RECURRENCE-ID may name a whole day by its midnight in UTC (MC-10)`() throws {
    let daily = "UID:1\nDTSTART;VALUE=DATE:20260907\nRRULE:FREQ=DAILY;COUNT=3\nSEQUENCE:1"
    let moved = "UID:1\nRECURRENCE-ID:20260907T220000Z\nDTSTART;VALUE=DATE:20260912"
    let text = calendarText(eventText(moved), eventText(daily))
    let reading = ICalendar.read(text, seenFrom: "Europe/Berlin", zones: TableZones())
    // The series is newer, and includes that day.
    #expect(reading.problems == [])
    #expect(Self.days(of: reading, in: "Europe/Berlin") == ["07", "09", "12"])
    #expect(
      reading.calendar.series.first?.overrides.first?.recurrenceID == .date(day("2026-09-08")))
    // Two components that name the same day are versions of one.
    let again = "UID:1\nRECURRENCE-ID;VALUE=DATE:20260908\nDTSTART;VALUE=DATE:20260913\nSEQUENCE:1"
    let both = ICalendar.read(
      calendarText(eventText(again), eventText(moved), eventText(daily)),
      seenFrom: "Europe/Berlin", zones: TableZones())
    #expect(Self.days(of: both, in: "Europe/Berlin") == ["07", "09", "13"])
    #expect(
      both.problems.map(\.description) == [
        "line 8: VEVENT comes again on line 2, and that version is taken; ignored"
      ])
  }

  @Test(arguments: [
    ("Europe/Berlin", "20260908T220000Z", ["07", "08"]),
    ("Europe/Berlin", "20260909T000000", ["07", "08"]),
    ("Pacific/Honolulu", "20260909T000000Z", ["07", "08"]),
    ("Pacific/Honolulu", "20260909T100000Z", ["07", "08"]),
    ("Pacific/Honolulu", "20260907T200000Z", ["07"]),
  ])
  func `a whole day that ends at midnight ends with the day before (MC-10)`(
    zone: String, end: String, days: [String]
  ) {
    let text = calendarText(eventText("UID:1\nDTSTART;VALUE=DATE:20260907\nDTEND:\(end)"))
    let reading = ICalendar.read(text, seenFrom: zone, zones: TableZones())
    #expect(reading.problems.map(\.outcome) == [.repaired])
    #expect(Self.days(of: reading, in: zone) == days)
    #expect(reading.calendar.series.first?.master?.start.isDate == (days.count == 2))
  }

  @Test(arguments: [
    ("DTSTART;VALUE=DATE:20260907T000000Z", "DTSTART: 20260907T000000Z", "2026-09-07", ["07"]),
    ("DTSTART;VALUE=DATE:20260907T233000Z", "DTSTART: 20260907T233000Z", "2026-09-07", ["07"]),
    (
      "DTSTART;TZID=Europe/Berlin;VALUE=DATE:20260907T000000", "DTSTART: 20260907T000000",
      "2026-09-07", ["07"]
    ),
    (
      "DTSTART;VALUE=DATE:20260907\nDTEND;VALUE=DATE:20260909T000000Z", "DTEND: 20260909T000000Z",
      "2026-09-09", ["07", "08"]
    ),
    (
      "DTSTART;VALUE=DATE:20260907\nRDATE;VALUE=DATE:20260909T223000Z", "RDATE: 20260909T223000Z",
      "2026-09-09", ["07", "09"]
    ),
    (
      "DTSTART;VALUE=DATE:20260907\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20260908T000000Z",
      "EXDATE: 20260908T000000Z", "2026-09-08", ["07", "09"]
    ),
    (
      "DTSTART;VALUE=DATE:20260907\nRECURRENCE-ID;VALUE=DATE:20260908T000000",
      "RECURRENCE-ID: 20260908T000000", "2026-09-08", ["07"]
    ),
  ])
  func `a time with VALUE=DATE is read as its date, and reported (MC-10)`(
    lines: String, value: String, date: String, days: [String]
  ) {
    let text = calendarText(eventText("UID:1\n\(lines)"))
    for zone in ["Pacific/Kiritimati", "Europe/Berlin", "Etc/UTC", "Pacific/Honolulu"] {
      let reading = ICalendar.read(text, seenFrom: zone, zones: TableZones())
      #expect(Self.days(of: reading, in: zone) == days)
      #expect(
        reading.problems.map(\.message) == [
          "\(value) is a time with VALUE=DATE, read as the date \(date)"
        ])
      #expect(reading.problems.map(\.outcome) == [.repaired])
    }
  }

  /// The days of an event in September 2026, for a reader in a zone.
  private static func days(of reading: ICalendar.Reading, in zone: String) -> [String] {
    let zones = ICalendar.Zones(TableZones())
    return (1...30).map { $0 < 10 ? "0\($0)" : "\($0)" }.filter { number in
      let start = LocalDateTime(day: day("2026-09-\(number)"))
      let end = LocalDateTime(day: start.day.advanced(by: 1))
      return !reading.calendar.occurrences(
        from: zones.instant(of: start, in: zone), until: zones.instant(of: end, in: zone),
        seenFrom: zone, zones: TableZones()
      ).isEmpty
    }
  }
}
