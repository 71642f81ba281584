/// Determines a person's day for an instant: a time zone, and the hour at which the day begins (HH-3).
public struct DayClock: Hashable, Sendable {
  /// An IANA time zone.
  public var timeZone: String
  /// The hour at which the day begins, 0…23: at 4, half past three in the morning is still yesterday.
  public var dayStartHour: Int

  public init(timeZone: String, dayStartHour: Int) {
    self.timeZone = timeZone
    self.dayStartHour = dayStartHour
  }

  /// The calendar date of an instant in the zone, minus the day start, subtracted on the local wall clock.
  ///
  /// - Returns: The day, or `nil` when the zone is unknown.
  public func day(of instant: Instant, in zones: any TimeZones) -> Day? {
    guard let offset = zones.offsetSeconds(of: timeZone, at: instant) else { return nil }
    let wallClock = instant.milliseconds + Int64(offset - dayStartHour * 3600) * 1000
    return Day(clampingNumber: Int(Self.floorDivide(wallClock, 86_400_000)))
  }

  /// The latest day reached up to an instant. When clocks go back across the hour at which the day begins,
  /// the previous day returns for a while; code that asks which days are over must ignore that.
  ///
  /// - Returns: The day, or `nil` when the zone is unknown.
  package func latestDay(upTo instant: Instant, in zones: any TimeZones) -> Day? {
    guard let today = day(of: instant, in: zones),
      let offset = zones.offsetSeconds(of: timeZone, at: instant)
    else { return nil }
    var before = instant.advanced(byMilliseconds: -86_400_000)
    guard let former = zones.offsetSeconds(of: timeZone, at: before), former > offset else {
      return today
    }
    // The last millisecond before the change.
    var after = instant
    while after.milliseconds - before.milliseconds > 1 {
      let middle = Instant(clamping: (before.milliseconds + after.milliseconds) / 2)
      if zones.offsetSeconds(of: timeZone, at: middle) == former {
        before = middle
      } else {
        after = middle
      }
    }
    return max(today, day(of: before, in: zones) ?? today)
  }

  /// The last instant of a day, to the millisecond. An import that knows only the day uses this instant.
  ///
  /// - Returns: The instant, or `nil` when the zone is unknown.
  package func end(of day: Day, in zones: any TimeZones) -> Instant? {
    let wallClock = (Int64(day.number) + 1) * 86_400_000 + Int64(dayStartHour) * 3_600_000 - 1
    var instant = Instant(clamping: wallClock)
    // The offset depends on the answer. Two rounds settle it, except on the days of a clock change, where the
    // loop below walks back into the day.
    for _ in 0..<2 {
      guard let offset = zones.offsetSeconds(of: timeZone, at: instant) else { return nil }
      instant = Instant(clamping: wallClock - Int64(offset) * 1000)
    }
    // When clocks go back across the end of the day, the day ends the second time.
    if let offset = zones.offsetSeconds(
      of: timeZone, at: instant.advanced(byMilliseconds: 10_800_000))
    {
      let later = Instant(clamping: wallClock - Int64(offset) * 1000)
      if later > instant, self.day(of: later, in: zones) == day { return later }
    }
    var after: Instant?
    for _ in 0..<48 {
      guard let found = self.day(of: instant, in: zones) else { return nil }
      if found <= day { break }
      after = instant
      instant = instant.advanced(byMilliseconds: -1_800_000)
    }
    // When clocks go forward across the end of the day, no offset fits; the day ends at the change.
    if after == nil {
      for step in 0..<96 {
        let next = instant.advanced(byMilliseconds: step == 0 ? 1 : Int64(step) * 1_800_000)
        guard let found = self.day(of: next, in: zones) else { return nil }
        if found > day {
          after = step == 0 ? nil : next
          break
        }
      }
    }
    while let end = after, end.milliseconds - instant.milliseconds > 1 {
      let middle = Instant(clamping: (instant.milliseconds + end.milliseconds) / 2)
      guard let found = self.day(of: middle, in: zones) else { return nil }
      if found <= day { instant = middle } else { after = middle }
    }
    return instant
  }

  package static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Provides time zone offsets. Used only when a command is decided, never in replay.
public protocol TimeZones: Sendable {
  /// The seconds by which the zone's wall clock is ahead of UTC at the instant; `nil` when the name is not an
  /// IANA zone.
  func offsetSeconds(of timeZone: String, at instant: Instant) -> Int?
}
