/// Expands a series into its occurrences. A slot identifies an occurrence: it is the start before any
/// override, on the wall clock of DTSTART.
///
/// Slots are looked up in ascending order, so that one lookup follows the recurrence only once, however many
/// overrides there are. Time and memory are linear in the size of the series and in the steps allowed.
struct SeriesExpansion {
  private let window: ExpansionWindow
  private let master: ICalendar.Event
  private let recurrence: Recurrence
  private let maximumStepCount: Int
  /// The number of steps taken so far.
  private(set) var steps = 0
  /// Whether there may be more occurrences than were found.
  private(set) var isCutOff = false
  /// The days that an EXDATE excludes as a whole.
  private var excludedDays: Set<Day> = []
  /// The slots that an EXDATE excludes.
  private var excluded: Set<LocalDateTime> = []
  /// The lengths of the RDATE occurrences that have a length of their own, by slot.
  private var extents: [LocalDateTime: ICalendar.Extent] = [:]
  /// The longest of these lengths, in seconds.
  private var longestExtent = 0
  /// The overrides, by slot.
  private var overrides: [LocalDateTime: ICalendar.Event] = [:]
  /// The master, then each THISANDFUTURE override with the slot from which it applies, in ascending order.
  private var segments: [(since: LocalDateTime?, event: ICalendar.Event)]

  /// `nil` when there is no master.
  init?(_ series: ICalendar.Series, window: ExpansionWindow, maximumStepCount: Int) {
    guard let master = series.master else { return nil }
    self.window = window
    self.master = master
    self.maximumStepCount = maximumStepCount
    segments = [(nil, master)]
    for exception in master.exceptions {
      if exception.isDate, !master.start.isDate {
        excludedDays.insert(exception.local.day)
      } else {
        excluded.insert(window.slot(of: exception, in: master.start))
      }
    }
    var dates: [LocalDateTime] = []
    for date in master.dates {
      let slot = window.slot(of: date.start, in: master.start)
      dates.append(slot)
      if date.extent != .unsaid { extents[slot] = date.extent }
    }
    let rules = master.rules.map { window.rule($0, of: master.start) }
    // DTSTART with DTEND "defines the first instance of the recurrence" (RFC 5545, 3.8.5.3), whether a rule
    // includes it or not. Rules that all end before the start, however, mean that the series was removed.
    if rules.isEmpty || !rules.allSatisfy({ $0.isOver(before: master.start.local) }) {
      dates.append(master.start.local)
    }
    recurrence = Recurrence(
      start: master.start.local, rules: rules, dates: dates, exceptions: Array(excluded))
    steps = 1 + dates.count + master.exceptions.count + series.overrides.count
    longestExtent =
      master.dates.lazy.map { window.length($0.extent, from: $0.start) }.max() ?? 0
    place(series.overrides)
  }

  /// Finds the slots of the overrides.
  private mutating func place(_ events: [ICalendar.Event]) {
    var daily: [ICalendar.Event] = []
    for event in events {
      guard let time = event.recurrenceID else { continue }
      if time.isDate, !master.start.isDate {
        daily.append(event)
      } else {
        place(event, at: window.slot(of: time, in: master.start))
      }
    }
    // A date in a series of times means the occurrence on that day.
    if !daily.isEmpty {
      let days = daily.map { ($0.recurrenceID ?? $0.start).local.day }
      let slots = firstSlots(of: Set(days))
      for (event, day) in zip(daily, days) {
        place(event, at: slots[day] ?? LocalDateTime(unchecked: day, master.start.local.second))
      }
    }
    segments.sort { ($0.since ?? .distantPast) < ($1.since ?? .distantPast) }
  }

  private mutating func place(_ event: ICalendar.Event, at slot: LocalDateTime) {
    overrides[slot] = event
    if event.isThisAndFuture { segments.append((slot, event)) }
  }

  /// The first slot on each of the days, if the day has one.
  private mutating func firstSlots(of days: Set<Day>) -> [Day: LocalDateTime] {
    var slots: [Day: LocalDateTime] = [:]
    var recurrence = following(from: days.min().map { LocalDateTime(day: $0) })
    for day in days.sorted() {
      recurrence.advance(to: LocalDateTime(day: day))
      if let slot = recurrence.upcoming(), slot.day == day { slots[day] = slot }
    }
    note(recurrence)
    return slots
  }

  /// Finds which of the slots belong to the series.
  private mutating func slots(among wanted: some Collection<LocalDateTime>) -> Set<LocalDateTime> {
    var found: Set<LocalDateTime> = []
    guard !wanted.isEmpty else { return found }
    var recurrence = following(from: wanted.min())
    for slot in wanted.sorted() {
      recurrence.advance(to: slot)
      if recurrence.upcoming() == slot { found.insert(slot) }
    }
    note(recurrence)
    return found
  }

  /// The recurrence from a slot on, within the steps allowed.
  private func following(from first: LocalDateTime?) -> Recurrence.Occurrences {
    recurrence.occurrences(from: first, maximumStepCount: max(0, maximumStepCount - steps))
  }

  /// Counts the steps that following a recurrence took.
  private mutating func note(_ followed: Recurrence.Occurrences) {
    steps += followed.steps
    isCutOff = isCutOff || followed.isCutOff
  }

  /// The occurrences within the window.
  mutating func occurrences() -> ICalendar.Expansion {
    guard master.status != .cancelled else { return ICalendar.Expansion() }
    var found: [ICalendar.Occurrence] = []
    let reaches = reaches()
    var recurrence = following(from: reaches.map(\.lowerBound).min())
    for (index, segment) in segments.enumerated() where segment.event.status != .cancelled {
      let next = index + 1 < segments.count ? segments[index + 1].since : nil
      let first = max(reaches[index].lowerBound, segment.since ?? .distantPast)
      // A segment without slots in the window does not advance the recurrence: the next segment may need
      // earlier slots.
      guard first <= reaches[index].upperBound, next.map({ first < $0 }) ?? true else { continue }
      expand(segment, first...reaches[index].upperBound, to: next, &recurrence, &found)
    }
    note(recurrence)
    let known = slots(among: overrides.keys)
    for (slot, event) in overrides where event.status != .cancelled && isIn(slot, event, known) {
      let time = master.start.at(slot)
      if let occurrence = window.occurrence(of: event, at: event.start, for: time) {
        found.append(occurrence)
      }
    }
    return ICalendar.Expansion(found, isCutOff: isCutOff)
  }

  /// The overrides of occurrences that only an older version of the series had.
  mutating func outdated() -> [ICalendar.Event] {
    let older = overrides.filter { $0.value.sequence < master.sequence }
    let known = slots(among: older.keys).filter { !excludedDays.contains($0.day) }
    // A slot that was not reached may still belong to the series.
    guard !isCutOff else { return [] }
    return older.filter { !known.contains($0.key) }.map(\.value)
  }

  /// How many seconds a segment's occurrences start after their slots: "When the given recurrence instance is
  /// rescheduled, all subsequent instances are also rescheduled by the same time difference" (RFC 5545,
  /// 3.8.4.4).
  private func shift(_ segment: (since: LocalDateTime?, event: ICalendar.Event)) -> Int {
    guard let since = segment.since else { return 0 }
    return window.slot(of: segment.event.start, in: master.start).secondsSince1970
      - since.secondsSince1970
  }

  /// For each segment, the range of slots whose occurrences may lie in the window. Two days of slack on each
  /// side allow for time zones.
  private func reaches() -> [ClosedRange<LocalDateTime>] {
    let slack = 2 * 86_400
    let zone = master.start.zone ?? window.zone
    let start = window.zones.local(at: window.start, in: zone).secondsSince1970 - slack
    let end = window.zones.local(at: window.end, in: zone).secondsSince1970 + slack
    return segments.map { segment in
      let shift = shift(segment)
      let longest = max(
        longestExtent, window.length(segment.event.extent, from: segment.event.start))
      let lowest = LocalDateTime(clampingSecondsSince1970: start - shift - longest)
      return lowest...max(lowest, LocalDateTime(clampingSecondsSince1970: end - shift))
    }
  }

  /// Adds the occurrences of a segment that have no override.
  private func expand(
    _ segment: (since: LocalDateTime?, event: ICalendar.Event), _ slots: ClosedRange<LocalDateTime>,
    to next: LocalDateTime?, _ recurrence: inout Recurrence.Occurrences,
    _ found: inout [ICalendar.Occurrence]
  ) {
    let shift = shift(segment)
    recurrence.advance(to: slots.lowerBound)
    while let slot = recurrence.upcoming(), slot <= slots.upperBound {
      if let next, slot >= next { break }
      _ = recurrence.next()
      if overrides[slot] != nil || excludedDays.contains(slot.day) { continue }
      let time = moved(slot, by: shift, to: segment.event, isMoved: segment.since != nil)
      let occurrence = window.occurrence(
        of: segment.event, at: time, for: master.start.at(slot),
        extent: segment.since == nil ? extents[slot] : nil)
      if let occurrence { found.append(occurrence) }
    }
  }

  /// The start of the occurrence in a slot: shifted with its segment, and in the segment's zone, if the
  /// segment was moved.
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

  /// Whether an override's occurrence takes place.
  private func isIn(
    _ slot: LocalDateTime, _ event: ICalendar.Event, _ known: Set<LocalDateTime>
  ) -> Bool {
    if excludedDays.contains(slot.day) { return false }
    if known.contains(slot) { return true }
    if event.sequence < master.sequence { return false }
    return !excluded.contains(slot)
  }
}

extension ExpansionWindow {
  /// The largest possible length of an event, in seconds.
  fileprivate func length(_ extent: ICalendar.Extent, from start: ICalendar.Time) -> Int {
    switch extent {
    case .unsaid: 86_400
    case .lasting(let duration): duration.days * 86_400 + duration.seconds
    case .until(let end): Int((instant(end).milliseconds - instant(start).milliseconds) / 1000)
    }
  }
}

extension RecurrenceRule {
  /// Whether the rule ends before a time, by an UNTIL on the same wall clock.
  fileprivate func isOver(before time: LocalDateTime) -> Bool {
    switch until {
    case .date(let day): day < time.day
    case .local(let local): local < time
    case .utc, nil: false
    }
  }
}

extension LocalDateTime {
  /// The earliest possible value.
  fileprivate static let distantPast = LocalDateTime(day: .first)
}
