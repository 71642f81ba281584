extension ICalendar.Series {
  /// The times of a series that touch the instants from `start` up to, not including, `end`; in no order.
  ///
  /// - An EXDATE takes a time away, also one that has an event of its own.
  /// - An event of its own that names no time of the series is in, unless the series is newer (SEQUENCE).
  /// - What is cancelled is not in.
  ///
  /// - Parameters:
  ///   - start: The first instant.
  ///   - end: The first instant that is too late.
  ///   - zone: Where dates and floating times are looked at from.
  ///   - zones: Knows all zones of the series.
  /// - Returns: Each time once.
  public func occurrences(
    from start: Instant, until end: Instant, seenFrom zone: String, zones: any TimeZones
  ) -> [ICalendar.Occurrence] {
    guard start <= end else { return [] }
    let window = Window(start: start, end: end, zone: zone, zones: zones)
    if let master, overrides.isEmpty, master.takesPlaceOnce {
      guard master.status != .cancelled else { return [] }
      return window.occurrence(of: master, at: master.start, for: master.start).map { [$0] } ?? []
    }
    guard let expansion = Expansion(self, window: window) else {
      // Only single times of the series are known.
      return overrides.compactMap { event in
        guard let slot = event.recurrenceID, event.status != .cancelled else { return nil }
        return window.occurrence(of: event, at: event.start, for: slot)
      }
    }
    return expansion.occurrences()
  }
}

extension ICalendar.Series {
  /// The events of single times that are never in: the series is newer and has their time no more.
  func outdatedOverrides(zones: any TimeZones) -> [ICalendar.Event] {
    guard let master, overrides.contains(where: { $0.sequence < master.sequence }) else {
      return []
    }
    let window = Window(start: .first, end: .first, zone: "UTC", zones: zones)
    guard let expansion = Expansion(self, window: window) else { return [] }
    let older = expansion.overrides.filter { $0.value.sequence < master.sequence }
    guard let first = older.keys.min(), let last = older.keys.max() else { return [] }
    // One walk over the series for all of them.
    var outdated = older
    for slot in expansion.recurrence.occurrences(from: first) {
      if slot > last { break }
      if !expansion.excludedDays.contains(slot.day) { outdated[slot] = nil }
    }
    return Array(outdated.values)
  }
}

extension ICalendar.Event {
  /// Whether nothing makes it take place more than once, or not at all.
  fileprivate var takesPlaceOnce: Bool { rules.isEmpty && dates.isEmpty && exceptions.isEmpty }

  /// When it is over, the first time: the first moment, or day, that is not in it any more.
  func end(seenFrom zone: String, zones: any TimeZones) -> ICalendar.Time {
    Window(start: .first, end: .first, zone: zone, zones: zones).end(
      of: self, at: start, extent: nil)
  }
}

/// What is looked at, and from where.
private struct Window {
  let start: Instant
  let end: Instant
  let zone: String
  let zones: any TimeZones

  func instant(_ time: ICalendar.Time) -> Instant { time.instant(seenFrom: zone, zones: zones) }

  /// The event at a time, or `nil` when that is not within the window.
  func occurrence(
    of event: ICalendar.Event, at time: ICalendar.Time, for slot: ICalendar.Time,
    extent: ICalendar.Extent? = nil
  ) -> ICalendar.Occurrence? {
    let over = self.end(of: event, at: time, extent: extent)
    let (first, last) = (instant(time), instant(over))
    guard first < end, last > start || (last == first && first >= start) else { return nil }
    return ICalendar.Occurrence(event: event, start: time, end: over, recurrenceID: slot)
  }

  /// When an event is over that begins at a time.
  func end(
    of event: ICalendar.Event, at time: ICalendar.Time, extent: ICalendar.Extent?
  ) -> ICalendar.Time {
    // A PERIOD of an RDATE has a length of its own, from its own start on.
    let first = extent == nil ? event.start : time
    switch extent ?? event.extent {
    case .unsaid: return time.isDate ? .date(time.local.day.advanced(by: 1)) : time
    case .lasting(let duration): return later(time, by: duration)
    case .until(let end):
      if first.isDate, end.isDate {
        return .date(time.local.day.advanced(by: first.local.day.distance(to: end.local.day)))
      }
      // "the same exact duration will apply to all the members" (RFC 5545, 3.8.5.3).
      let seconds = (instant(end).milliseconds - instant(first).milliseconds) / 1000
      let over = later(time, by: ICalendar.Duration(seconds: Int(seconds)))
      guard let zone = end.zone, time.zone != nil, zone != over.zone else { return over }
      return .zoned(zones.local(at: instant(over), in: zone), zone: zone)
    }
  }

  /// A time so much later: days on the wall clock first, then exact seconds.
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

/// A series on its way to its occurrences. Its slots are times on the wall clock of its first start.
private struct Expansion {
  let window: Window
  let master: ICalendar.Event
  let recurrence: Recurrence
  /// The days that a date among the exceptions takes away as a whole.
  var excludedDays: Set<Day> = []
  /// The lengths of the further times that have their own.
  var extents: [LocalDateTime: ICalendar.Extent] = [:]
  /// The events of single times, by their slots.
  var overrides: [LocalDateTime: ICalendar.Event] = [:]
  /// The events that hold from a slot on, the series' own first.
  var segments: [(since: LocalDateTime?, event: ICalendar.Event)]

  /// `nil` when there is nothing that repeats, or it is cancelled as a whole.
  init?(_ series: ICalendar.Series, window: Window) {
    guard let master = series.master else { return nil }
    self.window = window
    self.master = master
    segments = [(nil, master)]
    var exceptions: [LocalDateTime] = []
    for exception in master.exceptions {
      if exception.isDate, !master.start.isDate {
        excludedDays.insert(exception.local.day)
      } else {
        exceptions.append(window.slot(of: exception, in: master.start))
      }
    }
    var dates: [LocalDateTime] = []
    for date in master.dates {
      let slot = window.slot(of: date.start, in: master.start)
      dates.append(slot)
      if date.extent != .unsaid { extents[slot] = date.extent }
    }
    let rules = master.rules.map { window.rule($0, of: master.start) }
    // DTSTART with DTEND "defines the first instance of the recurrence" (RFC 5545, 3.8.5.3), whether a rule names
    // it or not; but where all was over before it began, a series was taken away.
    if rules.isEmpty || !rules.allSatisfy({ $0.isOver(before: master.start.local) }) {
      dates.append(master.start.local)
    }
    recurrence = Recurrence(
      start: master.start.local, rules: rules, dates: dates, exceptions: exceptions)
    for event in series.overrides {
      guard let time = event.recurrenceID else { continue }
      var slot = window.slot(of: time, in: master.start)
      if time.isDate, !master.start.isDate {
        // A date among times means the time of that day.
        let day = recurrence.occurrences(from: slot).first { _ in true }
        slot =
          day.flatMap { $0.day == slot.day ? $0 : nil }
          ?? LocalDateTime(unchecked: slot.day, master.start.local.second)
      }
      overrides[slot] = event
      if event.isThisAndFuture { segments.append((slot, event)) }
    }
    segments.sort { ($0.since ?? .distantPast) < ($1.since ?? .distantPast) }
  }

  func occurrences() -> [ICalendar.Occurrence] {
    guard master.status != .cancelled else { return [] }
    var found: [ICalendar.Occurrence] = []
    for (index, segment) in segments.enumerated() where segment.event.status != .cancelled {
      let next = index + 1 < segments.count ? segments[index + 1].since : nil
      expand(segment.event, from: segment.since, to: next, into: &found)
    }
    for (slot, event) in overrides where event.status != .cancelled && isIn(slot, event) {
      let time = master.start.at(slot)
      if let occurrence = window.occurrence(of: event, at: event.start, for: time) {
        found.append(occurrence)
      }
    }
    return found
  }

  /// Adds the times of a stretch of the series that have no event of their own.
  private func expand(
    _ event: ICalendar.Event, from since: LocalDateTime?, to next: LocalDateTime?,
    into found: inout [ICalendar.Occurrence]
  ) {
    // "When the given recurrence instance is rescheduled, all subsequent instances are also rescheduled by the
    // same time difference" (RFC 5545, 3.8.4.4).
    let shift =
      since.map {
        window.slot(of: event.start, in: master.start).secondsSince1970 - $0.secondsSince1970
      } ?? 0
    // How far from the window a slot may be whose time is in it; two days for the zones.
    let slack = 2 * 86_400
    let reach = slack + longest(event)
    let zone = master.start.zone ?? window.zone
    let lowest = window.zones.local(at: window.start, in: zone).secondsSince1970 - shift - reach
    let highest = window.zones.local(at: window.end, in: zone).secondsSince1970 - shift + slack
    let first = max(LocalDateTime(clampingSecondsSince1970: lowest), since ?? .distantPast)
    let last = LocalDateTime(clampingSecondsSince1970: highest)
    for slot in recurrence.occurrences(from: first) {
      if slot > last { break }
      if let next, slot >= next { break }
      if overrides[slot] != nil || excludedDays.contains(slot.day) { continue }
      let time = moved(slot, by: shift, to: event, isMoved: since != nil)
      let occurrence = window.occurrence(
        of: event, at: time, for: master.start.at(slot), extent: since == nil ? extents[slot] : nil)
      if let occurrence { found.append(occurrence) }
    }
  }

  /// The time of a slot in a stretch that begins otherwise, in the zone of that.
  private func moved(
    _ slot: LocalDateTime, by shift: Int, to event: ICalendar.Event, isMoved: Bool
  ) -> ICalendar.Time {
    guard isMoved else { return master.start.at(slot) }
    let local = LocalDateTime(clampingSecondsSince1970: slot.secondsSince1970 + shift)
    guard case .zoned(_, let zone) = event.start, case .zoned(_, let own) = master.start,
      zone != own
    else { return event.start.at(local) }
    let instant = window.zones.instant(of: local, in: own)
    return .zoned(window.zones.local(at: instant, in: zone), zone: zone)
  }

  /// The seconds that an event of the series can take at most.
  private func longest(_ event: ICalendar.Event) -> Int {
    let own = length(event.extent, from: event.start)
    return master.dates.reduce(own) { max($0, length($1.extent, from: $1.start)) }
  }

  private func length(_ extent: ICalendar.Extent, from start: ICalendar.Time) -> Int {
    switch extent {
    case .unsaid: 86_400
    case .lasting(let duration): duration.days * 86_400 + duration.seconds
    case .until(let end):
      Int((window.instant(end).milliseconds - window.instant(start).milliseconds) / 1000)
    }
  }

  /// Whether the event of a single time is shown.
  private func isIn(_ slot: LocalDateTime, _ event: ICalendar.Event) -> Bool {
    if excludedDays.contains(slot.day) { return false }
    if recurrence.occurrences(from: slot).first(where: { _ in true }) == slot { return true }
    if event.sequence < master.sequence { return false }
    return !master.exceptions.contains { window.slot(of: $0, in: master.start) == slot }
  }
}

extension Window {
  /// A time as one on the wall clock of a series that starts with `start`.
  func slot(of time: ICalendar.Time, in start: ICalendar.Time) -> LocalDateTime {
    if start.isDate { return LocalDateTime(day: time.local.day) }
    guard case .zoned(_, let zone) = start, let own = time.zone, own != zone else {
      return time.local
    }
    return zones.local(at: zones.instant(of: time.local, in: own), in: zone)
  }

  /// A rule whose UNTIL is on the wall clock of the series: an instant is looked at in its zone.
  func rule(_ rule: RecurrenceRule, of start: ICalendar.Time) -> RecurrenceRule {
    guard case .utc(let until) = rule.until else { return rule }
    var rule = rule
    if start.isDate {
      rule.until = .date(WallClock.utc(of: until).day)
    } else {
      rule.until = .local(zones.local(at: until, in: start.zone ?? zone))
    }
    return rule
  }
}

extension RecurrenceRule {
  /// Whether it ends before a time, by an UNTIL on the same wall clock.
  fileprivate func isOver(before time: LocalDateTime) -> Bool {
    switch until {
    case .date(let day): day < time.day
    case .local(let local): local < time
    case .utc, nil: false
    }
  }
}

extension LocalDateTime {
  /// Before all others.
  fileprivate static let distantPast = LocalDateTime(day: .first)
}

extension [ICalendar.Occurrence] {
  /// Sorted by when they begin; dates before times of the same instant, then by UID.
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
