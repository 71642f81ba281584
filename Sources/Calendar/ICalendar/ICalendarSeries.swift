extension ICalendar.Series {
  /// The occurrences of a series that overlap the range from `start` up to, but not including, `end`. They
  /// are in no particular order.
  ///
  /// - An EXDATE removes an occurrence, even one that has an override.
  /// - An override that matches no occurrence of the series is included, unless the series has a higher
  ///   SEQUENCE.
  /// - Cancelled occurrences are not included.
  ///
  /// - Parameters:
  ///   - start: The first instant.
  ///   - end: The first instant after the range.
  ///   - zone: The zone in which dates and floating times are interpreted.
  ///   - zones: Provides all zones of the series.
  ///   - budget: The budget from which the steps are spent.
  /// - Returns: The occurrences, without duplicates, and whether there were more than the budget allowed.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones,
    within budget: inout ICalendar.ExpansionBudget
  ) -> ICalendar.Expansion {
    guard start <= end else { return ICalendar.Expansion() }
    let window = ExpansionWindow(start: start, end: end, zone: zone, zones: zones)
    if let master, overrides.isEmpty, master.takesPlaceOnce {
      guard master.status != .cancelled else { return ICalendar.Expansion() }
      guard budget.spend(1) else { return ICalendar.Expansion(isCutOff: true) }
      return ICalendar.Expansion(
        window.occurrence(of: master, at: master.start, for: master.start).map { [$0] } ?? [])
    }
    guard var expansion = SeriesExpansion(self, window: window, maximumStepCount: budget.forSeries)
    else {
      // Without a master, only overrides are known.
      guard budget.spend(overrides.count) else { return ICalendar.Expansion(isCutOff: true) }
      return ICalendar.Expansion(
        overrides.compactMap { event in
          guard let slot = event.recurrenceID, event.status != .cancelled else { return nil }
          return window.occurrence(of: event, at: event.start, for: slot)
        })
    }
    let found = expansion.occurrences()
    _ = budget.spend(expansion.steps)
    return found
  }

  /// The same as ``occurrences(from:until:seenFrom:zones:within:)``, but without a budget: for trusted
  /// calendars.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones
  ) -> [ICalendar.Occurrence] {
    var budget = ICalendar.ExpansionBudget.unlimited
    return occurrences(from: start, until: end, seenFrom: zone, zones: zones, within: &budget)
      .occurrences
  }

  /// The overrides that never apply, because a newer version of the series no longer has their occurrence.
  func outdatedOverrides(
    zones: any TimeZones, within budget: inout ICalendar.ExpansionBudget
  ) -> [ICalendar.Event] {
    guard let master, overrides.contains(where: { $0.sequence < master.sequence }) else {
      return []
    }
    let window = ExpansionWindow(start: .first, end: .first, zone: "UTC", zones: zones)
    guard var expansion = SeriesExpansion(self, window: window, maximumStepCount: budget.forSeries)
    else {
      return []
    }
    defer { _ = budget.spend(expansion.steps) }
    return expansion.outdated()
  }
}

extension ICalendar.Series {
  /// The series with its times converted to dates, in `zone`, if DTSTART is a date: RFC 5545 then requires
  /// dates.
  func withDates(seenFrom zone: String, zones: any TimeZones) -> ICalendar.Series {
    guard let master, master.start.isDate else { return self }
    let date = { (time: ICalendar.Time) in
      ICalendar.Time.date(time.localBesideDate(seenFrom: zone, zones: zones).day)
    }
    var series = self
    series.master?.rules = master.rules.map {
      $0.withUntil(fitting: master.start, seenFrom: zone, zones: zones)
    }
    series.master?.exceptions = master.exceptions.map(date)
    // A PERIOD keeps its times: RFC 5545 has no PERIOD of dates.
    series.master?.dates = master.dates.map {
      $0.extent == .unsaid ? ICalendar.Date(date($0.start)) : $0
    }
    for index in overrides.indices {
      series.overrides[index].recurrenceID = overrides[index].recurrenceID.map(date)
    }
    return series
  }
}

extension ICalendar.Event {
  /// Whether the event has exactly one occurrence: nothing repeats it or removes it.
  fileprivate var takesPlaceOnce: Bool { rules.isEmpty && dates.isEmpty && exceptions.isEmpty }

  /// The end of the first occurrence: the first moment, or the first day, after the occurrence.
  package func end(seenFrom zone: String, zones: any TimeZones) -> ICalendar.Time {
    ExpansionWindow(start: .first, end: .first, zone: zone, zones: zones).end(
      of: self, at: start, extent: nil)
  }
}

/// The range of an expansion, and the zone in which dates and floating times are interpreted.
struct ExpansionWindow {
  let start: Instant
  package let end: Instant
  let zone: String
  let zones: any TimeZones

  func instant(_ time: ICalendar.Time) -> Instant { time.instant(seenFrom: zone, zones: zones) }

  /// The occurrence of an event at a time; `nil` when it is outside the window.
  func occurrence(
    of event: ICalendar.Event, at time: ICalendar.Time, for slot: ICalendar.Time,
    extent: ICalendar.Extent? = nil
  ) -> ICalendar.Occurrence? {
    let over = self.end(of: event, at: time, extent: extent)
    let (first, last) = (instant(time), instant(over))
    guard first < end, last > start || (last == first && first >= start) else { return nil }
    return ICalendar.Occurrence(event: event, start: time, end: over, recurrenceID: slot)
  }

  /// The end of an event that begins at a time.
  package func end(
    of event: ICalendar.Event, at time: ICalendar.Time, extent: ICalendar.Extent?
  ) -> ICalendar.Time {
    // A PERIOD of an RDATE has its own length, counted from its own start.
    let first = extent == nil ? event.start : time
    switch extent ?? event.extent {
    case .unsaid: return time.isDate ? .date(time.local.day.advanced(by: 1)) : time
    case .lasting(let duration): return later(time, by: duration)
    case .until(let end):
      if first.isDate {
        let last = end.localBesideDate(seenFrom: zone, zones: zones).day
        return .date(time.local.day.advanced(by: first.local.day.distance(to: last)))
      }
      // "the same exact duration will apply to all the members" (RFC 5545, 3.8.5.3).
      let seconds = (instant(end).milliseconds - instant(first).milliseconds) / 1000
      let over = later(time, by: ICalendar.Duration(seconds: Int(seconds)))
      guard let zone = end.zone, time.zone != nil, zone != over.zone else { return over }
      return .zoned(zones.local(at: instant(over), in: zone), zone: zone)
    }
  }

  /// Adds a duration to a time: first its days, on the wall clock; then its seconds, as elapsed time.
  private func later(_ time: ICalendar.Time, by duration: ICalendar.Duration) -> ICalendar.Time {
    let days = duration.days
    let moved = LocalDateTime(unchecked: time.local.day.advanced(by: days), time.local.second)
    guard duration.seconds != 0 else { return time.at(moved) }
    guard case .zoned(_, let zone) = time else {
      return time.at(
        LocalDateTime(clampingSecondsSince1970: moved.secondsSince1970 + duration.seconds))
    }
    let instant = zones.instant(of: moved, in: zone).advanced(
      byMilliseconds: Int64(duration.seconds) * 1000)
    return .zoned(zones.local(at: instant, in: zone), zone: zone)
  }
}

extension ExpansionWindow {
  /// Converts a time to the wall clock of a series that starts with `start`.
  func slot(of time: ICalendar.Time, in start: ICalendar.Time) -> LocalDateTime {
    if start.isDate {
      return LocalDateTime(day: time.localBesideDate(seenFrom: zone, zones: zones).day)
    }
    guard case .zoned(_, let zone) = start, let own = time.zone, own != zone else {
      return time.local
    }
    return zones.local(at: zones.instant(of: time.local, in: own), in: zone)
  }

  /// Converts the UNTIL of a rule, if it is an instant, to the wall clock of the series.
  func rule(_ rule: RecurrenceRule, of start: ICalendar.Time) -> RecurrenceRule {
    guard case .utc(let until) = rule.until else { return rule }
    if start.isDate { return rule.withUntil(fitting: start, seenFrom: zone, zones: zones) }
    var rule = rule
    rule.until = .local(zones.local(at: until, in: start.zone ?? zone))
    return rule
  }
}

extension [ICalendar.Occurrence] {
  /// Sorts by start. At the same instant, dates come before times; after that, the UID decides.
  func inOrder(seenFrom zone: String, zones: any TimeZones) -> [ICalendar.Occurrence] {
    let keyed = map { (occurrence: $0, start: $0.start.instant(seenFrom: zone, zones: zones)) }
    return keyed.sorted { left, right in
      if left.start != right.start { return left.start < right.start }
      let (one, other) = (left.occurrence, right.occurrence)
      if one.start.isDate != other.start.isDate { return one.start.isDate }
      if one.event.uid != other.event.uid { return one.event.uid < other.event.uid }
      return one.recurrenceID.local < other.recurrenceID.local
    }.map(\.occurrence)
  }
}
