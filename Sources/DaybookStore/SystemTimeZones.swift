public import Daybook
import Foundation
import Synchronization

/// The time zones of this machine, as Foundation provides them.
public final class SystemTimeZones: TimeZones {
  private let known = Mutex<[String: Zone]>([:])

  /// A zone, and what is known about its offset.
  private struct Zone {
    let zone: TimeZone
    /// The last instant asked for.
    var asked = Instant.first
    /// A half-open interval in which the offset from UTC is known, with the offset in seconds.
    var known: (start: Instant, end: Instant, seconds: Int)?

    init(_ zone: TimeZone) { self.zone = zone }

    mutating func offsetSeconds(at instant: Instant) -> Int {
      if let known, known.start <= instant, instant < known.end { return known.seconds }
      let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
      let seconds = zone.secondsFromGMT(for: date)
      // A caller who asks for times close together will ask for more of them; finding the next
      // transition is expensive.
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

  /// The shared instance; each zone is looked up once.
  public static let shared = SystemTimeZones()

  /// Uses the machine's time-zone database.
  package init() {}

  /// The zone's offset from UTC in seconds; `nil` when the name is not an IANA time zone.
  public func offsetSeconds(of timeZone: String, at instant: Instant) -> Int? {
    known.withLock { known in
      if let seconds = known[timeZone]?.offsetSeconds(at: instant) { return seconds }
      guard Self.isName(timeZone), let zone = TimeZone(identifier: timeZone) else { return nil }
      var found = Zone(zone)
      defer { known[timeZone] = found }
      return found.offsetSeconds(at: instant)
    }
  }

  /// Whether a name is in the IANA database. Foundation also accepts "UTC+5", "PST" and the like.
  private static func isName(_ name: String) -> Bool {
    if singleNames.contains(name) { return true }
    guard name.contains("/"), let zone = TimeZone(identifier: name) else { return false }
    return zone.identifier == name
  }

  /// The database's names that contain no slash.
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
