public import Calendar
public import Avro

/// What takes place in a household on some days.
public struct CalendarListing: Sendable {
  /// The occurrences, in the order of their start.
  public var occurrences: [CalendarOccurrence] = []
  /// The events whose occurrences are incomplete, because there are too many of them, or their rules are too costly.
  public var cutOff: [CalendarEvent.ID] = []
}

/// One occurrence of an event in a household's calendar.
public struct CalendarOccurrence: Sendable {
  /// The number of the event.
  public var number: CalendarEvent.ID
  /// The occurrence, with its content.
  public var occurrence: ICalendar.Occurrence
  /// The start, for the viewer.
  public var start: Instant
  /// The end, for the viewer.
  public var end: Instant
  /// The first and the last day that it touches, for the viewer.
  public var days: ClosedRange<Day>
}

extension BookState {
  /// The occurrences in a household on some days, as a member sees them, in the order of their start (MC-10): days run
  /// from midnight to midnight in the member's zone.
  ///
  /// - Parameters:
  ///   - household: The household.
  ///   - viewer: The account that views the calendar.
  ///   - days: The days.
  ///   - zones: The time zones of the events.
  ///   - budget: The limit on the work: events may come from strangers.
  /// - Returns: Each occurrence once, and which events are incomplete; nothing unless the viewer is a member.
  public func calendar(
    of household: Household.ID, for viewer: Account.ID, on days: ClosedRange<Day>,
    zones: any TimeZones, within budget: ICalendar.ExpansionBudget = .question
  ) -> CalendarListing {
    guard self.household(household, for: viewer) != nil, let account = self.viewer(viewer) else {
      return CalendarListing()
    }
    let zone = account.dayClock.timeZone
    var compiled = ICalendar.CompiledZones(zones)
    let all = compiled.zones([:])
    let window = [days.lowerBound, days.upperBound.advanced(by: 1)].map {
      all.instant(of: LocalDateTime(day: $0), in: zone)
    }
    var budget = budget
    var found = CalendarListing()
    for (number, event) in householdEntities(.calendarEvent, in: calendarEvents, of: household) {
      let before = compiled.steps
      let known = compiled.zones(event.content.zoneRules)
      let expansion =
        budget.spend(compiled.steps - before)
        ? event.content.series.occurrences(
          from: window[0], until: window[1], seenFrom: zone, zones: known, within: &budget)
        : ICalendar.Expansion(isCutOff: true)
      if expansion.isCutOff { found.cutOff.append(number) }
      for occurrence in expansion.occurrences {
        let start = occurrence.start.instant(seenFrom: zone, zones: known)
        let end = occurrence.end.instant(seenFrom: zone, zones: known)
        let first = known.local(at: start, in: zone).day
        // An event that ends at midnight does not touch the day that begins then.
        let last = end > start ? end.advanced(byMilliseconds: -1000) : end
        found.occurrences.append(
          CalendarOccurrence(
            number: number, occurrence: occurrence, start: start, end: end,
            days: first...max(first, known.local(at: last, in: zone).day)))
      }
    }
    found.occurrences.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      let (one, other) = (left.occurrence, right.occurrence)
      if one.start.isDate != other.start.isDate { return one.start.isDate }
      return left.number < right.number
    }
    return found
  }

  /// The row of one occurrence in a calendar.
  public func calendarRow(_ found: CalendarOccurrence) -> JSON {
    let occurrence = found.occurrence
    let event = calendarEvents[found.number]
    let isAllDay = occurrence.start.isDate
    return [
      "event": .key(event?.key), "uid": .string(occurrence.event.uid),
      "title": .text(occurrence.event.summary),
      "description": .text(occurrence.event.description),
      "location": .text(occurrence.event.location), "all_day": .bool(isAllDay),
      "start_time": isAllDay
        ? .string(occurrence.start.local.day.description) : .instant(found.start),
      "end_time": isAllDay ? .string(occurrence.end.local.day.description) : .instant(found.end),
      "first_day": .day(found.days.lowerBound), "last_day": .day(found.days.upperBound),
      "time_zone": .text(occurrence.start.zone),
      "status": .text(occurrence.event.status?.rawValue.lowercased()),
      "is_recurring": .bool(event?.content.isRecurring ?? false),
    ]
  }
}

extension CalendarContent {
  /// Whether it has more than one occurrence.
  public var isRecurring: Bool {
    components.count > 1 || main.map { !$0.rules.isEmpty || !$0.dates.isEmpty } ?? false
  }
}
