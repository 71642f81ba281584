/// The days that time zones omitted from their calendars when they changed sides of the International Date
/// Line: nobody there had such a day.
///
/// The time zone database records these changes since 1970. They are fixed here because replay does not
/// consult that database, and a later version of it must not change a day already judged. A test compares
/// them with the machine's database. No zone omitted two days.
public enum DateLine {
  /// The day that a zone omitted, if any.
  package static func dayLeftOut(of timeZone: String) -> Day? {
    // This runs for every log of a feed; for nearly all zones the first letter settles it.
    guard let first = timeZone.utf8.first, first == UInt8(ascii: "P") || first == UInt8(ascii: "K")
    else { return nil }
    return daysLeftOut[timeZone]
  }

  /// The omitted day of each zone that has one.
  package static let daysLeftOut: [String: Day] = [
    "Kwajalein": "1993-08-21", "Pacific/Apia": "2011-12-30", "Pacific/Enderbury": "1994-12-31",
    "Pacific/Fakaofo": "2011-12-30", "Pacific/Kanton": "1994-12-31",
    "Pacific/Kiritimati": "1994-12-31", "Pacific/Kwajalein": "1993-08-21",
  ]

  /// The days that some zone omitted, ascending.
  package static let days = Set(daysLeftOut.values).sorted()

  /// The last moment at which a day has not yet ended anywhere on Earth: it ends first where clocks are 14
  /// hours ahead.
  package static func lastMoment(beforeEndOf day: Day) -> Instant {
    Instant(clamping: (Int64(day.number) + 1) * 86_400_000 - 14 * 3_600_000 - 1)
  }
}
