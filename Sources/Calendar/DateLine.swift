/// The days that time zones left out of their calendars when they went over to the other side of the International Date
/// Line: nobody who lived by them had such a day.
///
/// The time zone database tells of these since 1970. They are written down here, for a replay asks no time zone database,
/// and a later one changes no day that was judged; a test holds them against the machine's. No zone left out two.
public enum DateLine {
  /// The day that a zone left out, if it left out one.
  package static func dayLeftOut(of timeZone: String) -> Day? {
    // This is asked for every log of a feed: of nearly all zones the first letter tells.
    guard let first = timeZone.utf8.first, first == UInt8(ascii: "P") || first == UInt8(ascii: "K")
    else { return nil }
    return daysLeftOut[timeZone]
  }

  /// The zones that left out a day, and which.
  package static let daysLeftOut: [String: Day] = [
    "Kwajalein": "1993-08-21", "Pacific/Apia": "2011-12-30", "Pacific/Enderbury": "1994-12-31",
    "Pacific/Fakaofo": "2011-12-30", "Pacific/Kanton": "1994-12-31",
    "Pacific/Kiritimati": "1994-12-31", "Pacific/Kwajalein": "1993-08-21",
  ]

  /// The days that some zone left out, ascending.
  package static let days = Set(daysLeftOut.values).sorted()

  /// The last moment at which a day is over nowhere on Earth: it ends first where clocks are 14 hours ahead.
  package static func lastMoment(beforeEndOf day: Day) -> Instant {
    Instant(clamping: (Int64(day.number) + 1) * 86_400_000 - 14 * 3_600_000 - 1)
  }
}
