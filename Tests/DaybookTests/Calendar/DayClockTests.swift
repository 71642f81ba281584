import Daybook
import Testing

@Suite(.tags(.unit)) struct DayClockTests {
  private func day(_ text: String, _ zone: String, _ start: Int) -> String? {
    DayClock(timeZone: zone, dayStartHour: start).day(of: moment(text), in: TableZones())?
      .description
  }

  @Test func `a day begins at its hour on the wall clock (HH-3)`() {
    #expect(day("2026-03-02T03:59:59.999Z", "Etc/UTC", 4) == "2026-03-01")
    #expect(day("2026-03-02T04:00:00Z", "Etc/UTC", 4) == "2026-03-02")
    #expect(day("2026-03-02T00:00:00Z", "Etc/UTC", 0) == "2026-03-02")
    #expect(day("2026-03-02T22:59:59Z", "Etc/UTC", 23) == "2026-03-01")
    #expect(day("2026-03-01T10:00:00Z", "Pacific/Kiritimati", 0) == "2026-03-02")
    #expect(day("2026-03-02T09:59:59Z", "Pacific/Honolulu", 0) == "2026-03-01")
    #expect(day("2026-03-01T22:14:59Z", "Asia/Kathmandu", 4) == "2026-03-01")
    #expect(day("2026-03-01T22:15:00Z", "Asia/Kathmandu", 4) == "2026-03-02")
    #expect(day("1969-12-31T23:59:59.999Z", "Etc/UTC", 0) == "1969-12-31")
  }

  @Test func `the start hour is subtracted on the wall clock, not from elapsed time (HH-3)`() {
    // On 2026-03-29 three o'clock follows two: 03:59 belongs to the day before, and 04:00 to the day.
    #expect(day("2026-03-29T01:59:59Z", "Europe/Berlin", 4) == "2026-03-28")
    #expect(day("2026-03-29T02:00:00Z", "Europe/Berlin", 4) == "2026-03-29")
    // On 2026-10-25 the hour from two to three occurs twice.
    #expect(day("2026-10-25T02:59:59Z", "Europe/Berlin", 4) == "2026-10-24")
    #expect(day("2026-10-25T03:00:00Z", "Europe/Berlin", 4) == "2026-10-25")
  }

  @Test func `an unknown zone has no days`() {
    #expect(day("2026-03-02T00:00:00Z", "Mars/Olympus", 0) == nil)
    let clock = DayClock(timeZone: "Mars/Olympus", dayStartHour: 0)
    #expect(clock.end(of: .first, in: TableZones()) == nil)
  }

  @Test func `days at the ends of the calendar are clamped`() {
    let clock = DayClock(timeZone: "Pacific/Kiritimati", dayStartHour: 0)
    #expect(clock.day(of: .last, in: TableZones()) == .last)
    let west = DayClock(timeZone: "Pacific/Honolulu", dayStartHour: 23)
    #expect(west.day(of: .first, in: TableZones()) == .first)
  }

  @Test func `a day ends a millisecond before the next`() throws {
    for zone in ["Etc/UTC", "Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Berlin"] {
      for start in [0, 2, 3, 4, 23] {
        let clock = DayClock(timeZone: zone, dayStartHour: start)
        for text in ["2026-03-27", "2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25"] {
          let day = try #require(Day(text))
          let end = try #require(clock.end(of: day, in: TableZones()))
          #expect(clock.day(of: end, in: TableZones()) == day, "\(zone) \(start) \(text)")
          let next = clock.day(of: end.advanced(byMilliseconds: 1), in: TableZones())
          #expect(next == day.advanced(by: 1), "\(zone) \(start) \(text)")
        }
      }
    }
  }
}
