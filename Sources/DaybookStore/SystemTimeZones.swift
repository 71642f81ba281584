public import Daybook
import Foundation
import Synchronization

/// The time zones of this machine, by Foundation.
public final class SystemTimeZones: TimeZones {
  private let known = Mutex<[String: TimeZone]>([:])

  /// One for everybody: zones are looked up once.
  public static let shared = SystemTimeZones()

  /// Uses the machine's time-zone database.
  public init() {}

  /// Seconds that the zone's wall clock is ahead of UTC; `nil` when the name is no IANA time zone.
  public func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    let zone = known.withLock { known -> TimeZone? in
      if let zone = known[timeZone] { return zone }
      guard Self.isName(timeZone), let zone = TimeZone(identifier: timeZone) else { return nil }
      known[timeZone] = zone
      return zone
    }
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    return zone?.secondsFromGMT(for: date)
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
  public static var current: String {
    let name = TimeZone.current.identifier
    return isName(name) ? name : "UTC"
  }
}
