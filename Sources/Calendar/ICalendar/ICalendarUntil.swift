extension RecurrenceRule {
  /// The rule with its UNTIL in the form that RFC 5545 requires for its DTSTART (3.3.10): a date for a date,
  /// wall-clock time for a floating time, and UTC for a time in a zone. The occurrences stay the same, with
  /// dates and floating times interpreted in `zone`.
  func withUntil(
    fitting start: ICalendar.Time, seenFrom zone: String, zones: any TimeZones
  ) -> RecurrenceRule {
    guard let until else { return self }
    let local: LocalDateTime
    switch until {
    case .utc(let instant):
      // For a start in a zone, UNTIL already has its form.
      guard start.zone == nil else { return self }
      let time = ICalendar.Time.zoned(WallClock.utc(of: instant), zone: "UTC")
      local =
        start.isDate
        ? time.localBesideDate(seenFrom: zone, zones: zones) : zones.local(at: instant, in: zone)
    case .local(let time): local = time
    case .date(let day): local = LocalDateTime(day: day, second: 86_399) ?? LocalDateTime(day: day)
    }
    var rule = self
    switch start {
    case .date: rule.until = .date(local.day)
    case .floating: rule.until = .local(local)
    case .zoned(_, let zone): rule.until = .utc(zones.instant(of: local, in: zone))
    }
    return rule
  }

  /// The rule of a zone observance with its UNTIL in UTC, as RFC 5545 requires (3.6.5). `offset` is the
  /// zone's offset from UTC, in seconds, before the change.
  func withUntilInUTC(before offset: Int) -> RecurrenceRule {
    let local: LocalDateTime
    switch until {
    case .local(let time)?: local = time
    case .date(let day)?: local = LocalDateTime(day: day, second: 86_399) ?? LocalDateTime(day: day)
    case .utc?, nil: return self
    }
    var rule = self
    rule.until = .utc(Instant(clamping: Int64(local.secondsSince1970 - offset) * 1000))
    return rule
  }
}
