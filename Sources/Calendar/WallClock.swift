/// The wall clock of a time zone: converts between its times and instants.
package struct WallClock: Sendable {
  /// An IANA time zone.
  package let timeZone: String
  /// Provides the time zone.
  package let zones: any TimeZones

  /// Makes the clock of a zone; for an unknown zone it returns only `nil`.
  package init(timeZone: String, zones: any TimeZones) {
    self.timeZone = timeZone
    self.zones = zones
  }

  /// The instant at which the clock shows a time.
  ///
  /// If there are two such instants, because clocks go back, this is the first. If there is none, because
  /// they go forward, it is the one computed with the offset before the gap (RFC 5545, 3.3.5).
  ///
  /// - Returns: The instant, or `nil` when the zone is unknown.
  package func instant(of local: LocalDateTime) -> Instant? {
    let wall = Int64(local.secondsSince1970) * 1000
    // The offsets in force within a day around the time, the earlier one first.
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

  /// The wall-clock time at an instant, to the second.
  ///
  /// - Returns: The time, or `nil` when the zone is unknown.
  package func local(of instant: Instant) -> LocalDateTime? {
    zones.offsetSeconds(of: timeZone, at: instant).map { Self.utc(of: instant, offset: $0) }
  }

  /// The time at an instant on a clock `offset` seconds ahead of UTC, to the second.
  package static func utc(of instant: Instant, offset: Int = 0) -> LocalDateTime {
    let seconds = Int(DayClock.floorDivide(instant.milliseconds, 1000))
    return LocalDateTime(clampingSecondsSince1970: seconds + offset)
  }
}

extension DayClock {
  /// The instant at which the wall clock shows a time on a calendar date; see ``WallClock/instant(of:)``.
  ///
  /// - Returns: The instant, or `nil` when the zone is unknown.
  package func instant(on date: Day, at time: LocalTime, in zones: any TimeZones) -> Instant? {
    WallClock(timeZone: timeZone, zones: zones).instant(of: LocalDateTime(day: date, time: time))
  }
}
