public import Daybook
import Foundation
import Synchronization

/// The time zones of this machine, by Foundation.
public final class SystemTimeZones: TimeZones {
  private let known = Mutex<[String: Zone]>([:])

  /// A zone, and what is known of its clock.
  private struct Zone {
    let zone: TimeZone
    /// The instant that was asked for last.
    var asked = Instant.first
    /// From when until before when the clock is known to be ahead of UTC by the seconds.
    var known: (start: Instant, end: Instant, seconds: Int)?

    init(_ zone: TimeZone) { self.zone = zone }

    mutating func offsetSeconds(at instant: Instant) -> Int {
      if let known, known.start <= instant, instant < known.end { return known.seconds }
      let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
      let seconds = zone.secondsFromGMT(for: date)
      // Who asks for times close to each other asks for more of them; looking for the next change is dear.
      let isNear = abs(instant.milliseconds - asked.milliseconds) < 86_400_000
      asked = instant
      if isNear {
        let change = zone.nextDaylightSavingTimeTransition(after: date)?.timeIntervalSince1970
        let end = change.map { Instant(clamping: Int64(min(max($0 * 1000, -1e15), 1e15))) }
        known = (instant, end ?? .last, seconds)
      }
      return seconds
    }
  }

  /// One for everybody: zones are looked up once.
  public static let shared = SystemTimeZones()

  /// Uses the machine's time-zone database.
  package init() {}

  /// Seconds that the zone's wall clock is ahead of UTC; `nil` when the name is no IANA time zone.
  public func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    known.withLock { known in
      if let seconds = known[timeZone]?.offsetSeconds(at: instant) { return seconds }
      guard Self.isName(timeZone), let zone = TimeZone(identifier: timeZone) else { return nil }
      var found = Zone(zone)
      defer { known[timeZone] = found }
      return found.offsetSeconds(at: instant)
    }
  }

  /// Whether a name is of the IANA database. Foundation also takes "UTC+5", "PST" and the like for zones.
  private static func isName(_ name: String) -> Bool {
    if singleNames.contains(name) { return true }
    guard name.contains("/"), let zone = TimeZone(identifier: name) else { return false }
    return zone.identifier == name
  }

  /// The database's names without a slash.
  private static let singleNames: Set<String> = [
    "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "GB", "GB-Eire", "GMT",
    "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel",
    "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo",
    "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC",
    "Universal", "W-SU", "WET", "Zulu",
  ]

  /// The name of this machine's own zone.
  package static var current: String {
    let name = TimeZone.current.identifier
    return isName(name) ? name : "UTC"
  }
}
