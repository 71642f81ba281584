/// The clock on the wall of a time zone: which instant its times are, and what it shows at an instant.
package struct WallClock: Sendable {
  /// An IANA time zone.
  package let timeZone: String
  /// Who knows it.
  package let zones: any TimeZones

  /// Makes the clock of a zone; if nobody knows the zone, the clock has no answers.
  package init(timeZone: String, zones: any TimeZones) {
    self.timeZone = timeZone
    self.zones = zones
  }

  /// The instant at which the clock shows this.
  ///
  /// Of two such instants, when clocks go back, the first; of none, when they go forward, the one that the clock
  /// would have come to without the change: the offset before the gap (RFC 5545, 3.3.5).
  ///
  /// - Returns: `nil` when the zone is unknown.
  package func instant(of local: LocalDateTime) -> Instant? {
    let wall = Int64(local.secondsSince1970) * 1000
    // The offsets that hold within a day around the time: the earlier one first.
    guard
      let before = zones.offsetSeconds(of: timeZone, at: Instant(clamping: wall - 86_400_000)),
      let after = zones.offsetSeconds(of: timeZone, at: Instant(clamping: wall + 86_400_000))
    else { return nil }
    for offset in [before, after] {
      let instant = Instant(clamping: wall - Int64(offset) * 1000)
      if zones.offsetSeconds(of: timeZone, at: instant) == offset { return instant }
    }
    return Instant(clamping: wall - Int64(before) * 1000)
  }

  /// What the clock shows at an instant, to the second.
  ///
  /// - Returns: `nil` when the zone is unknown.
  package func local(of instant: Instant) -> LocalDateTime? {
    zones.offsetSeconds(of: timeZone, at: instant).map { Self.utc(of: instant, offset: $0) }
  }

  /// What a clock so many seconds ahead of UTC shows at an instant, to the second.
  package static func utc(of instant: Instant, offset: Int = 0) -> LocalDateTime {
    let seconds = Int(DayClock.floorDivide(instant.milliseconds, 1000))
    return LocalDateTime(clampingSecondsSince1970: seconds + offset)
  }
}

extension DayClock {
  /// The instant at which the wall clock shows a time on a calendar date; see ``WallClock/instant(of:)``.
  ///
  /// - Returns: `nil` when the zone is unknown.
  package func instant(on date: Day, at time: LocalTime, in zones: any TimeZones) -> Instant? {
    WallClock(timeZone: timeZone, zones: zones).instant(of: LocalDateTime(day: date, time: time))
  }
}
