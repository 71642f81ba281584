import Daybook
import Fuzzing

/// Time zones as the lines of a VTIMEZONE: for any lines an event in the zone is read, each instant has an offset of
/// less than a day, and the written zone reads back the same.
@c(LLVMFuzzerTestOneInput)
public func fuzzZones(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Input(start, count: count)
  let head = "BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Own\r\n"
  let tail =
    "\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Own:20260301T120000\r\n"
    + "END:VEVENT\r\nEND:VCALENDAR\r\n"
  let calendar = ICalendar.read(
    Array(head.utf8) + input.rest + Array(tail.utf8), zones: NoZones()
  ).calendar
  let zones = calendar.timeZones(beside: NoZones())
  for name in calendar.zoneRules.keys { check(name, zones) }

  let text = calendar.write(stamp: Instant(clamping: 0), zones: NoZones())
  let again = ICalendar.read(text, zones: NoZones()).calendar
  hold(again.series.count == calendar.series.count, "what is written is read")
  return 0
}

/// The offset of a zone at the start of each of many years.
private func check(_ name: String, _ zones: any TimeZones) {
  for year in [1, 1799, 1800, 1899, 1900, 1969, 1970, 2000, 2026, 2199, 2200, 2201, 9999] {
    guard let day = Day(year: year, month: 7, day: 1) else { continue }
    let instant = Instant(clamping: Int64(day.number) * 86_400_000)
    let offset = zones.offsetSeconds(of: name, at: instant)
    hold(offset.map { abs($0) < 86_400 } ?? false, "a zone that was read has an offset")
  }
}

/// Knows no zone, so that the text's own zone is used.
private struct NoZones: TimeZones {
  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? { nil }
}
