/// The days that time zones left out of their calendars when they moved across the International Date Line.
///
/// Nobody who lived in such a zone had that day.
///
/// These are all that the time zone database records since 1970. They are written down here because a replay asks no
/// time zone database: a later edition must not change a day that was judged. A test compares them with the machine's
/// database. No zone left out two days.
public enum DateLine {
  /// The day that a zone left out, if it left out one.
  package static func dayLeftOut(of timeZone: String) -> Day? {
    // A feed asks this for every log, and the first letter rules out nearly all zones.
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

  /// The days that at least one zone left out, ascending.
  package static let days = Set(daysLeftOut.values).sorted()

  /// The last moment at which a day has ended nowhere on Earth.
  ///
  /// A day ends first where clocks are 14 hours ahead of UTC.
  package static func lastMoment(beforeEndOf day: Day) -> Instant {
    Instant(clamping: (Int64(day.number) + 1) * 86_400_000 - 14 * 3_600_000 - 1)
  }
}
