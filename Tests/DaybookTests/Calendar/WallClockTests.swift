import Daybook
import Testing

@Suite(.tags(.unit)) struct WallClockTests {
  private func instant(_ date: String, _ minutes: Int, _ zone: String) -> String? {
    guard let time = LocalTime(minutes: minutes) else { return nil }
    return DayClock(timeZone: zone, dayStartHour: 0)
      .instant(on: day(date), at: time, in: TableZones())?.description
  }

  @Test func `a wall clock shows the time of an instant (HH-25)`() {
    #expect(instant("2026-03-01", 1200, "Etc/UTC") == "2026-03-01T20:00:00Z")
    #expect(instant("2026-03-01", 1200, "Pacific/Kiritimati") == "2026-03-01T06:00:00Z")
    #expect(instant("2026-03-01", 1200, "Pacific/Honolulu") == "2026-03-02T06:00:00Z")
    #expect(instant("2026-03-01", 1200, "Mars/Olympus") == nil)
  }

  @Test func `a repeated local time is the first, and a skipped one is after the gap`() {
    #expect(instant("2026-10-25", 150, "Europe/Berlin") == "2026-10-25T00:30:00Z")
    #expect(instant("2026-03-29", 150, "Europe/Berlin") == "2026-03-29T01:30:00Z")
    #expect(instant("2026-03-29", 119, "Europe/Berlin") == "2026-03-29T00:59:00Z")
    #expect(instant("2026-03-29", 180, "Europe/Berlin") == "2026-03-29T01:00:00Z")
    #expect(instant("2026-10-25", 180, "Europe/Berlin") == "2026-10-25T02:00:00Z")
  }
}
