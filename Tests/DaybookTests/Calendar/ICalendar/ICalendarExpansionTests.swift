import Daybook
import Testing

@Suite(.tags(.unit)) struct ICalendarExpansionTests {
  private let weekly =
    "UID:1\nDTSTART:20260302T120000Z\nDTEND:20260302T130000Z\nRRULE:FREQ=WEEKLY;COUNT=4"

  @Test func `a series has the times of its rules and dates, without the exceptions (MC-10)`() {
    let lines = """
      \(weekly)
      RRULE:FREQ=MONTHLY;COUNT=2
      RDATE:20260303T080000Z,20260302T120000Z
      RDATE;VALUE=PERIOD:20260304T080000Z/PT2H,20260305T080000Z/20260305T083000Z
      EXDATE:20260309T120000Z
      EXDATE;VALUE=DATE:20260323
      """
    #expect(
      shownTimes(eventText(lines)) == [
        "2026-03-02T12:00Z 2026-03-02T13:00Z", "2026-03-03T08:00Z 2026-03-03T09:00Z",
        "2026-03-04T08:00Z 2026-03-04T10:00Z", "2026-03-05T08:00Z 2026-03-05T08:30Z",
        "2026-03-16T12:00Z 2026-03-16T13:00Z", "2026-04-02T12:00Z 2026-04-02T13:00Z",
      ])
  }

  @Test func `the start is a time of the series, even where no rule gives it`() {
    let lines = "UID:1\nDTSTART;VALUE=DATE:20260303\nRRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260310"
    #expect(shownTimes(eventText(lines)) == ["2026-03-03 2026-03-04", "2026-03-09 2026-03-10"])
    // Except for a series that ends before it starts.
    let over = "UID:1\nDTSTART;VALUE=DATE:20260303\nRRULE:FREQ=WEEKLY;UNTIL=20260302"
    #expect(shownTimes(eventText(over)) == [])
  }

  @Test func `one time of a series can be moved, changed or cancelled`() {
    let moved = eventText(
      "UID:1\nRECURRENCE-ID:20260309T120000Z\nDTSTART:20260310T180000Z\nDURATION:PT2H\nSUMMARY:later"
    )
    let cancelled = eventText(
      "UID:1\nRECURRENCE-ID:20260316T120000Z\nDTSTART:20260316T120000Z\nSTATUS:CANCELLED")
    #expect(
      shownTimes(moved, eventText(weekly), cancelled) == [
        "2026-03-02T12:00Z 2026-03-02T13:00Z", "2026-03-10T18:00Z 2026-03-10T20:00Z later",
        "2026-03-23T12:00Z 2026-03-23T13:00Z",
      ])
  }

  @Test func `THISANDFUTURE changes all later times (RFC 5545, 3.8.4.4)`() {
    let later = eventText(
      """
      UID:1
      RECURRENCE-ID;RANGE=THISANDFUTURE:20260309T120000Z
      DTSTART:20260309T140000Z
      DTEND:20260309T143000Z
      SUMMARY:later
      """)
    let single = eventText(
      "UID:1\nRECURRENCE-ID:20260316T120000Z\nDTSTART:20260316T090000Z\nSUMMARY:early")
    #expect(
      shownTimes(eventText(weekly), single, later) == [
        "2026-03-02T12:00Z 2026-03-02T13:00Z", "2026-03-09T14:00Z 2026-03-09T14:30Z later",
        "2026-03-16T09:00Z 2026-03-16T09:00Z early", "2026-03-23T14:00Z 2026-03-23T14:30Z later",
      ])
    let end = eventText(
      """
      UID:1
      RECURRENCE-ID;RANGE=THISANDFUTURE:20260309T120000Z
      DTSTART:20260309T120000Z
      STATUS:CANCELLED
      """)
    #expect(shownTimes(eventText(weekly), end) == ["2026-03-02T12:00Z 2026-03-02T13:00Z"])
  }

  @Test func `later changes are found even where the earlier times are over`() {
    // From the second time on, all times are a month later. So April shows the times of March, and none of its own.
    let daily = eventText("UID:1\nDTSTART:20260301T120000Z\nRRULE:FREQ=DAILY;COUNT=40")
    let later = eventText(
      "UID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260302T120000Z\nDTSTART:20260402T120000Z")
    #expect(
      shownTimes(daily, later, from: "2026-04-10T00:00:00Z", until: "2026-04-12T00:00:00Z") == [
        "2026-04-10T12:00Z 2026-04-10T12:00Z", "2026-04-11T12:00Z 2026-04-11T12:00Z",
      ])
  }

  @Test func `all later times can move to another zone, or become whole days`() {
    let daily = eventText(
      "UID:1\nDTSTART;TZID=Europe/Berlin:20260328T120000\nRRULE:FREQ=DAILY;COUNT=3")
    let east = eventText(
      """
      UID:1
      RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260329T120000
      DTSTART;TZID=Asia/Kathmandu:20260329T160000
      """)
    #expect(
      shownTimes(daily, east) == [
        "2026-03-28T12:00 2026-03-28T12:00", "2026-03-29T16:00 2026-03-29T16:00",
        "2026-03-30T16:00 2026-03-30T16:00",
      ])
    let whole = eventText(
      """
      UID:1
      RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260329T120000
      DTSTART;VALUE=DATE:20260330
      """)
    #expect(
      shownTimes(daily, whole) == [
        "2026-03-28T12:00 2026-03-28T12:00", "2026-03-30 2026-03-31", "2026-03-31 2026-04-01",
      ])
  }

  @Test func `a time of a series may be named by its day or in another zone`() {
    let daily = eventText(
      "UID:1\nDTSTART;TZID=Europe/Berlin:20260301T120000\nRRULE:FREQ=DAILY;COUNT=3\n"
        + "EXDATE:20260303T110000Z")
    let first = eventText("UID:1\nRECURRENCE-ID;VALUE=DATE:20260301\nDTSTART:20260301T080000Z")
    let second = eventText("UID:1\nRECURRENCE-ID:20260302T110000Z\nDTSTART:20260302T080000Z")
    #expect(
      shownTimes(daily, first, second) == [
        "2026-03-01T08:00Z 2026-03-01T08:00Z", "2026-03-02T08:00Z 2026-03-02T08:00Z",
      ])
  }

  @Test func `a change to a missing time is shown, unless the series is newer`() {
    let extra = "UID:1\nRECURRENCE-ID:20260401T120000Z\nDTSTART:20260401T120000Z\nSEQUENCE:2"
    for sequence in [1, 2] {
      let series = eventText("UID:1\nDTSTART:20260302T120000Z\nSEQUENCE:\(sequence)")
      #expect(shownTimes(series, eventText(extra)).count == 2)
    }
    let newer = eventText("UID:1\nDTSTART:20260302T120000Z\nSEQUENCE:3")
    let reading = ICalendar.read(calendarText(eventText(extra), newer), zones: TableZones())
    #expect(
      reading.problems.map(\.description) == [
        "line 2: RECURRENCE-ID names 20260401T120000Z, which its newer series no longer has; "
          + "ignored"
      ])
    #expect(reading.calendar.series.first?.overrides == [])
    // An exception takes precedence over a change of the same time.
    let excluded = eventText(
      "UID:1\nDTSTART:20260302T120000Z\nRDATE:20260401T120000Z\nEXDATE:20260401T120000Z")
    #expect(shownTimes(excluded, eventText(extra)).count == 1)
  }

  @Test func `changed times without their series are shown`() {
    let only = eventText("UID:1\nRECURRENCE-ID:20260401T120000Z\nDTSTART:20260402T120000Z")
    #expect(shownTimes(only) == ["2026-04-02T12:00Z 2026-04-02T12:00Z"])
  }

  @Test func `a cancelled series has no times`() {
    let changed = eventText("UID:1\nRECURRENCE-ID:20260309T120000Z\nDTSTART:20260309T140000Z")
    #expect(shownTimes(eventText(weekly + "\nSTATUS:CANCELLED"), changed) == [])
  }

  @Test func `wall-clock times survive clock changes, and keep the first one's duration`() {
    // Clocks go from 2 to 3 in the night of 2026-03-29.
    let night = "UID:1\nDTSTART;TZID=Europe/Berlin:20260327T230000\nRRULE:FREQ=DAILY;COUNT=3\n"
    #expect(
      shownTimes(eventText(night + "DTEND;TZID=Europe/Berlin:20260328T060000")) == [
        "2026-03-27T23:00 2026-03-28T06:00",
        // "the same exact duration will apply to all the members" (RFC 5545, 3.8.5.3).
        "2026-03-28T23:00 2026-03-29T07:00", "2026-03-29T23:00 2026-03-30T06:00",
      ])
    // A nominal day is a calendar day, even one of 23 hours.
    #expect(
      shownTimes(eventText(night + "DURATION:P1DT1H")) == [
        "2026-03-27T23:00 2026-03-29T00:00", "2026-03-28T23:00 2026-03-30T00:00",
        "2026-03-29T23:00 2026-03-31T00:00",
      ])
  }

  @Test func `a flight ends in the zone of its landing`() {
    let flight = eventText(
      "UID:1\nDTSTART;TZID=Europe/Berlin:20260301T120000\nDTEND;TZID=Asia/Kathmandu:20260302T004500"
    )
    #expect(shownTimes(flight) == ["2026-03-01T12:00 2026-03-02T00:45"])
  }

  @Test func `UNTIL with a time is an instant, and as a date includes the day`() {
    let late = "UID:1\nDTSTART;TZID=Pacific/Honolulu:20260301T200000\nRRULE:FREQ=DAILY;UNTIL="
    // 2026-03-03T06:00Z is the second of March at 20:00 in Honolulu.
    #expect(shownTimes(eventText(late + "20260303T060000Z")).count == 2)
    #expect(shownTimes(eventText(late + "20260303T055959Z")).count == 1)
    #expect(shownTimes(eventText(late + "20260303")).count == 3)
    #expect(
      shownTimes(
        eventText("UID:1\nDTSTART;VALUE=DATE:20260301\nRRULE:FREQ=DAILY;UNTIL=20260303T235959Z")
      ).count == 3)
  }

  @Test(arguments: [
    // An event from 12 to 13 o'clock.
    ("2026-03-02T13:00:00Z", "2026-03-03T00:00:00Z", 0),
    ("2026-03-02T12:59:59Z", "2026-03-03T00:00:00Z", 1),
    ("2026-03-02T00:00:00Z", "2026-03-02T12:00:00Z", 0),
    ("2026-03-02T00:00:00Z", "2026-03-02T12:00:01Z", 1),
    ("2026-03-02T12:30:00Z", "2026-03-02T12:31:00Z", 1),
    ("2026-03-03T00:00:00Z", "2026-03-02T00:00:00Z", 0),
  ])
  func `a time that touches the window is included`(from: String, until: String, count: Int) {
    #expect(shownTimes(eventText(weekly), from: from, until: until).count == count)
  }

  @Test func `a whole day and a floating time are read in the viewer's zone`() {
    let reading = ICalendar.read(
      calendarText(
        eventText("UID:1\nDTSTART;VALUE=DATE:20260302\nRRULE:FREQ=YEARLY"),
        eventText("UID:2\nDTSTART:20260302T000000")),
      zones: TableZones())
    let starts = { (zone: String) in
      (Int64(-24)...24).filter { hour in
        let start = moment("2026-03-02T00:00:00Z").advanced(byMilliseconds: hour * 3_600_000)
        return reading.calendar.occurrences(
          from: start, until: start.advanced(byMilliseconds: 1), seenFrom: zone, zones: TableZones()
        ).count == 2
      }
    }
    #expect(starts("Etc/UTC") == [0])
    #expect(starts("Pacific/Kiritimati") == [-14])
    #expect(starts("Pacific/Honolulu") == [10])
  }

  @Test func `times are in order, with whole days first`() {
    let found = shownTimes(
      eventText("UID:b\nDTSTART:20260302T000000Z\nSUMMARY:b"),
      eventText("UID:a\nDTSTART:20260302T000000Z\nSUMMARY:a"),
      eventText("UID:c\nDTSTART;VALUE=DATE:20260302\nSUMMARY:c"),
      eventText("UID:d\nDTSTART:20260301T235959Z\nSUMMARY:d"))
    #expect(found.map { $0.suffix(1) } == ["d", "c", "a", "b"])
  }
}
