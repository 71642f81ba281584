extension DayClock {
  /// The instant at which the wall clock shows a time on a calendar date.
  ///
  /// Of two such instants, when clocks go back, the first; of none, when they go forward, the one that the clock
  /// would have come to without the change.
  ///
  /// - Returns: `nil` when the zone is unknown.
  public func instant(on date: Day, at time: LocalTime, in zones: any TimeZones) -> Instant? {
    let wall = Int64(date.number) * 86_400_000 + Int64(time.minutes) * 60_000
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
}
