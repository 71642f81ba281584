import Daybook
import DaybookStore
import Testing

/// Time zones written into a calendar, for readers that do not know them.
@Suite(.tags(.law)) struct ZoneRulesTests {
  @Test(arguments: [
    // Permanent rules: the last Sunday, the n-th one, a weekday from a day of the month on, half an hour only.
    ("Europe/Berlin", 2026, 2060), ("America/New_York", 2026, 2060),
    ("Australia/Sydney", 2026, 2060),
    ("Asia/Jerusalem", 2026, 2060), ("America/Santiago", 2026, 2060),
    ("Australia/Lord_Howe", 2026, 2060),
    // No changes.
    ("Asia/Kathmandu", 2026, 2060), ("Etc/GMT+5", 2026, 2060),
    // Changed rules: New York in 2007, and Sao Paulo and Samoa until they stopped.
    ("America/New_York", 2003, 2060), ("America/Sao_Paulo", 2015, 2060),
    ("Pacific/Apia", 2009, 2060),
    // Lunar rules: known as far as they are written.
    ("Africa/Casablanca", 2026, 2036),
  ])
  func `a written time zone keeps its offsets (MC-10)`(zone: String, year: Int, last: Int) throws {
    let zones = SystemTimeZones.shared
    let day = try #require(Day(year: year, month: 6, day: 1))
    let event = ICalendar.Event(uid: "1", start: .zoned(LocalDateTime(day: day), zone: zone))
    let text = ICalendar(series: [ICalendar.Series(uid: "1", master: event)])
      .write(stamp: .first, zones: zones)
    let reading = ICalendar.read(text, zones: NoZones())
    #expect(reading.problems == [])
    let written = reading.calendar.timeZones(beside: NoZones())
    let end = try #require(Day(year: last, month: 1, day: 1))
    var differences: [Instant] = []
    var hour = Int64(day.number) * 24
    while hour < Int64(end.number) * 24 {
      let instant = Instant(clamping: hour * 3_600_000)
      let (found, expected) = (
        written.offsetSeconds(of: zone, at: instant), zones.offsetSeconds(of: zone, at: instant)
      )
      if found != expected { differences.append(instant) }
      hour += 11
    }
    #expect(differences.isEmpty, "\(differences.count), first \(differences.prefix(3)): \(text)")
  }
}

private struct NoZones: TimeZones {
  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? { nil }
}
