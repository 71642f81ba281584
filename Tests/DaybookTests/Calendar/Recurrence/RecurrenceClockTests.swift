import Daybook
import Testing

/// RFC 5545 on clocks that go forward and back (3.3.5), in Berlin: forward from two to three on 2026-03-29, back on
/// 2026-10-25.
@Suite(.tags(.unit)) struct RecurrenceClockTests {
  let berlin = WallClock(timeZone: "Europe/Berlin", zones: TableZones())

  private func instants(_ rule: String, _ start: String) throws -> [String?] {
    let recurrence = Recurrence(start: local(start), rules: [try RecurrenceRule(parsing: rule)])
    return recurrence.occurrences(clock: berlin).map { berlin.instant(of: $0)?.description }
  }

  @Test func `a skipped daily time is an hour later, and a repeated one is the first`()
    throws
  {
    let spring = ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
    #expect(try instants("FREQ=DAILY;COUNT=3", "2026-03-28T02:30:00") == spring)
    let autumn = ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    #expect(try instants("FREQ=DAILY;COUNT=3", "2026-10-24T02:30:00") == autumn)
  }

  @Test func `an end in UTC is compared as an instant`() throws {
    // 2026-10-25T00:45:00Z is the first 02:45; 01:10:00Z is the second 02:10.
    let first = try instants(
      "FREQ=MINUTELY;INTERVAL=30;UNTIL=20261025T004500Z", "2026-10-25T02:00:00")
    #expect(first == ["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"])
    let second = try instants(
      "FREQ=MINUTELY;INTERVAL=30;UNTIL=20261025T011000Z", "2026-10-25T02:00:00")
    #expect(second == ["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z"])
    let daily = try instants("FREQ=DAILY;UNTIL=20260330T000000Z", "2026-03-29T02:00:00")
    #expect(daily == ["2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"])
    // In the gap 02:30 is the instant of 03:30, later than that of 03:05.
    let gap = try instants(
      "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=5,30;UNTIL=20260329T011000Z", "2026-03-29T02:00:00")
    #expect(gap == ["2026-03-29T01:05:00Z", "2026-03-29T01:05:00Z"])
  }

  @Test func `an end is inclusive (DM-4)`() throws {
    for (until, days) in [
      ("19970904", 3), ("19970904T090000", 3), ("19970904T085959", 2), ("19970904T090000Z", 3),
      ("19970904T085959Z", 2), ("19970901", 0),
    ] {
      let rule = try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=\(until)")
      let found = Array(Recurrence(start: .september, rules: [rule]).occurrences())
      #expect(found.count == days, "\(until)")
    }
  }

  @Test func `an end in UTC without a zone is read as a local time`() throws {
    let rule = try RecurrenceRule(parsing: "FREQ=HOURLY;UNTIL=20260101T020000Z")
    let found = Recurrence(start: local("2026-01-01T00:00:00"), rules: [rule]).occurrences()
    #expect(found.map(\.second) == [0, 3600, 7200])
    let unknown = WallClock(timeZone: "Mars/Olympus", zones: TableZones())
    #expect(unknown.instant(of: .september) == nil && unknown.local(of: .first) == nil)
  }

  @Test func `local time and instant convert back and forth`() {
    for hour in 0..<72 {
      for day in ["2026-03-28", "2026-10-24"] {
        let instant = moment("\(day)T00:00:00Z").advanced(
          byMilliseconds: Int64(hour) * 3_600_000 + 61_000)
        let shown = berlin.local(of: instant)
        // A repeated time means the first.
        let back: Int64 = day == "2026-10-24" && hour == 25 ? -3_600_000 : 0
        #expect(
          shown.flatMap { berlin.instant(of: $0) } == instant.advanced(byMilliseconds: back),
          "\(instant)")
      }
    }
  }

  @Test func `times at the ends of the calendar are clamped`() {
    #expect(berlin.local(of: .last) == local("9999-12-31T23:59:59"))
    #expect(berlin.local(of: .first) == local("0001-01-01T01:00:00"))
    #expect(berlin.instant(of: LocalDateTime(day: .first)) == .first)
  }
}
