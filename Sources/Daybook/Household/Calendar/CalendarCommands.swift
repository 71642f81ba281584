package import Values
import Calendar

/// Creates an event in a household's calendar (MC-10). Repeated by a member with the same key and content it changes
/// nothing.
public struct CreateCalendarEvent: HouseholdCreationCommand {
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  package var content: CalendarDraft
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(
    in household: Household.ID, key: Key? = nil, title: String, start: CalendarMoment,
    end: CalendarMoment? = nil
  ) {
    self.household = household
    self.key = key
    content = CalendarDraft(title: title, start: start, end: end)
  }

  package static let form = CommandForm(
    "create_calendar_event", "Adds an event to a household's calendar.",
    answer: "calendar_event")
  /// An event without a title.
  public static var defaults: CreateCalendarEvent {
    CreateCalendarEvent(in: .placeholder, title: "", start: .day(.placeholder))
  }

  /// Decides the command; the answer is the event's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<CalendarEvent.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    let draft = content
    let zone = try state.calendarZone(draft.timeZone, of: actor, context)
    var event = ICalendar.Event(
      uid: key.uid, start: draft.start.time(in: zone, context.zones))
    event.summary = try checkedLine(draft.title, "title")
    event.description = try checkedText(draft.description, "description")
    event.location = try checkedPlace(draft.location)
    try Limit.calendarRules.check(draft.rules.count, "recurrence")
    event.rules = draft.rules.map { event.start.isDate ? $0.withoutTimes : $0 }
    try event.end(with: draft.end?.time(in: zone, context.zones), context.zones)
    var compiled = ICalendar.CompiledZones(context.zones)
    let content = CalendarContent(
      ICalendar.Series(uid: event.uid, master: event), zoneRules: [:], &compiled, seenFrom: zone)
    if let known = try state.known(
      key, in: state.calendarEvents, of: household, { $0.content == content })
    {
      return Decision([], known)
    }
    return Decision(
      [
        .calendarEventCreated(
          CalendarEventCreated(
            key: key, household: household, owner: actor, content: content,
            begun: context.begun(begun)))
      ], state.calendarEvents.nextNumber)
  }
}

/// Changes a calendar event. If its start or its rule changes, changes of single occurrences are lost.
public struct UpdateCalendarEvent: PatchCommand {
  package var thing: CalendarEvent.ID
  /// The changes. Without a new end the event keeps its length; the new times are in the event's time zone unless
  /// another is given.
  package var patch: Patch<CalendarDraft>

  public init(_ event: CalendarEvent.ID, _ set: (inout CalendarDraft) -> Void = { _ in }) {
    thing = event
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_calendar_event",
    "Changes a calendar event: what it is, when it is, or how it repeats.",
    answer: "calendar_event")
  /// Nothing changes.
  public static var defaults: UpdateCalendarEvent { UpdateCalendarEvent(.placeholder) }

  func events(
    _ found: CalendarEvent, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard let old = found.content.main else { throw .calendarEventNotFound }
    let said = patch.applied(to: .defaults)
    let own =
      said.timeZone ?? old.start.zone.flatMap { found.content.zoneRules[$0] == nil ? $0 : nil }
    let zone = try state.calendarZone(own, of: try state.actor(context).0, context)
    var new = old
    var compiled = ICalendar.CompiledZones(context.zones)
    if patch.has("title") { new.summary = try checkedLine(said.title, "title") }
    if patch.has("description") {
      new.description = try checkedText(said.description, "description")
    }
    if patch.has("location") { new.location = try checkedPlace(said.location) }
    if patch.has("start_time") {
      let known = compiled.zones(found.content.zoneRules)
      new.extent = old.length(zones: known)
      new.start = said.start.time(in: zone, context.zones)
      if new.start.isDate != old.start.isDate { new.extent = .unsaid }
      if new.start == old.start { new.extent = old.extent }
    }
    // A rule for days has no hours.
    if new.start.isDate { new.rules = new.rules.map(\.withoutTimes) }
    if patch.has("end_time") {
      new.extent = .unsaid
      try new.end(with: said.end?.time(in: zone, context.zones), context.zones)
    }
    if patch.has("recurrence"), old.recurrenceID == nil {
      try Limit.calendarRules.check(said.rules.count, "recurrence")
      new.rules = said.rules.map { new.start.isDate ? $0.withoutTimes : $0 }
    }
    guard new != old else { return [] }
    var series = found.content.series
    if new.start != old.start || new.rules != old.rules, old.recurrenceID == nil {
      (new.exceptions, new.dates) = ([], [])
      series.overrides = []
    }
    // A file of the same or an older version must not undo the change.
    new.sequence = old.sequence == .max ? .max : old.sequence + 1
    new.lastModified = Instant(
      clamping: DayClock.floorDivide(context.at.milliseconds, 1000) * 1000)
    if old.recurrenceID == nil {
      series.master = new
    } else {
      series.overrides[0] = new
    }
    let content = CalendarContent(
      series, zoneRules: found.content.zoneRules, &compiled, seenFrom: zone)
    return [.calendarEventChanged(CalendarEventChanged(event: thing, content: content))]
  }
}

/// Deletes an event of a household's calendar, with all its occurrences; as-of queries still find it.
public struct DeleteCalendarEvent: BareEntityCommand {
  package var thing: CalendarEvent.ID

  public init(_ event: CalendarEvent.ID) { thing = event }

  package static let form = CommandForm(
    "delete_calendar_event",
    "Deletes an event from a household's calendar, with all its occurrences.",
    answer: "id, deleted")

  func events(_ found: CalendarEvent, _ state: BookState, _ context: Context) -> [Event] {
    [.calendarEventDeleted(CalendarEventDeleted(event: thing))]
  }
}

extension BookState {
  /// The time zone that was given, or the actor's.
  fileprivate func calendarZone(
    _ asked: String?, of actor: Account.ID, _ context: Context
  ) throws(Rejection) -> String {
    guard let asked else { return accounts[actor]?.dayClock.timeZone ?? "UTC" }
    guard ICalendar.Zones(context.zones).offsetSeconds(of: asked, at: context.at) != nil else {
      throw .unknownTimeZone(asked)
    }
    return asked
  }
}

extension CalendarMoment {
  /// The moment on the wall clock of a zone; in UTC when that clock shows it twice.
  fileprivate func time(in zone: String, _ zones: any TimeZones) -> ICalendar.Time {
    switch self {
    case .day(let day): return .date(day)
    case .local(let local): return .zoned(local, zone: zone)
    case .instant(let instant):
      let known = ICalendar.Zones(zones)
      let local = known.local(at: instant, in: zone)
      let seconds = DayClock.floorDivide(instant.milliseconds, 1000)
      if known.instant(of: local, in: zone).milliseconds == seconds * 1000 {
        return .zoned(local, zone: zone)
      }
      return .zoned(WallClock.utc(of: instant), zone: "UTC")
    }
  }
}

extension ICalendar.Event {
  /// Sets the end, if one is given.
  fileprivate mutating func end(
    with end: ICalendar.Time?, _ zones: any TimeZones
  ) throws(Rejection) {
    guard let end else { return }
    guard end.isDate == start.isDate else { throw .mixedTimes }
    let known = ICalendar.Zones(zones)
    let instants = [start, end].map { $0.instant(seenFrom: "UTC", zones: known) }
    guard instants[0] < instants[1] || (instants[0] == instants[1] && !start.isDate) else {
      throw .endsBeforeStart
    }
    extent = .until(end)
  }

  /// The length of the event, wherever it begins.
  fileprivate func length(zones: any TimeZones) -> ICalendar.Extent {
    guard case .until(let end) = extent else { return extent }
    if start.isDate {
      return .lasting(ICalendar.Duration(days: start.local.day.distance(to: end.local.day)))
    }
    let instants = [start, end].map { $0.instant(seenFrom: "UTC", zones: zones).milliseconds }
    return .lasting(ICalendar.Duration(seconds: Int((instants[1] - instants[0]) / 1000)))
  }
}

/// A checked text of an event.
private func checkedText(_ text: String?, _ field: String) throws(Rejection) -> String? {
  try Limit.text.check(text, field)
  return text
}

/// The checked location of an event.
private func checkedPlace(_ text: String?) throws(Rejection) -> String? {
  try Limit.title.check(text, "location")
  return text
}
