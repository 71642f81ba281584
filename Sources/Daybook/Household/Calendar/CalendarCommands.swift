/// When a calendar event begins or ends, as a person says it.
public enum CalendarMoment: Hashable, Sendable {
  /// On a day, which is meant as a whole.
  case day(Day)
  /// When the clock on the wall shows this.
  case local(LocalDateTime)
  /// At an instant.
  case instant(Instant)
}

/// Puts something into a household's calendar (MC-10). Repeated by a member with the same key it changes nothing.
public struct CreateCalendarEvent: Command {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// Its title.
  public var title: String
  /// More about it.
  public var description: String?
  /// Where it is.
  public var location: String?
  /// When it begins.
  public var start: CalendarMoment
  /// When it is over: the first moment, or day, that is not in it any more. Without it a day is one day, and a
  /// time has no length.
  public var end: CalendarMoment?
  /// The time zone in which it is; the actor's unless given.
  public var timeZone: String?
  /// How it repeats.
  public var rules: [RecurrenceRule] = []

  /// Makes the command.
  public init(
    in household: Household.ID, key: Key? = nil, title: String, start: CalendarMoment,
    end: CalendarMoment? = nil
  ) {
    self.household = household
    self.key = key
    self.title = title
    self.start = start
    self.end = end
  }

  /// Decides the command; the answer is the event's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<CalendarEvent.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    if let known = try state.known(key, in: state.calendarEvents, of: household) {
      return Decision([], known)
    }
    let zone = try state.calendarZone(timeZone, of: actor, context)
    var event = ICalendar.Event(
      uid: key.uid, start: start.time(in: zone, context.zones))
    event.summary = try checkedLine(title, "title")
    event.description = try checkedText(description, "description")
    event.location = try checkedPlace(location)
    try Limit.calendarRules.check(rules.count, "recurrence")
    event.rules = rules.map { event.start.isDate ? $0.withoutTimes : $0 }
    try event.end(with: end?.time(in: zone, context.zones), context.zones)
    var compiled = ICalendar.CompiledZones(context.zones)
    let content = CalendarContent(
      ICalendar.Series(uid: event.uid, master: event), zoneRules: [:], &compiled, seenFrom: zone)
    return Decision(
      [
        .calendarEventCreated(
          CalendarEventCreated(key: key, household: household, owner: actor, content: content))
      ], state.calendarEvents.nextNumber)
  }
}

/// Changes a calendar event. When it begins otherwise, or repeats otherwise, what was changed of single times is
/// gone.
public struct UpdateCalendarEvent: Command {
  /// The event.
  public var event: CalendarEvent.ID
  /// Its title.
  public var title: Edit<String> = .keep
  /// More about it.
  public var description: Edit<String?> = .keep
  /// Where it is.
  public var location: Edit<String?> = .keep
  /// When it begins. Without a new end it takes as long as before.
  public var start: Edit<CalendarMoment> = .keep
  /// When it is over.
  public var end: Edit<CalendarMoment?> = .keep
  /// The time zone in which the new times are; that of the event unless given.
  public var timeZone: String?
  /// How it repeats.
  public var rules: Edit<[RecurrenceRule]> = .keep

  /// Makes a command that changes nothing yet.
  public init(_ event: CalendarEvent.ID) { self.event = event }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<CalendarEvent.ID> {
    let (found, _, actor) = try state.ownCalendarEvent(event, context)
    guard let old = found.content.main else { throw .calendarEventNotFound }
    let own = timeZone ?? old.start.zone.flatMap { found.content.zoneRules[$0] == nil ? $0 : nil }
    let zone = try state.calendarZone(own, of: actor, context)
    var new = old
    var compiled = ICalendar.CompiledZones(context.zones)
    if case .set(let title) = title { new.summary = try checkedLine(title, "title") }
    if case .set(let text) = description { new.description = try checkedText(text, "description") }
    if case .set(let text) = location { new.location = try checkedPlace(text) }
    if case .set(let moment) = start {
      let known = compiled.zones(found.content.zoneRules)
      new.extent = old.length(zones: known)
      new.start = moment.time(in: zone, context.zones)
      if new.start.isDate != old.start.isDate { new.extent = .unsaid }
      if new.start == old.start { new.extent = old.extent }
    }
    // A rule of days knows no hours.
    if new.start.isDate { new.rules = new.rules.map(\.withoutTimes) }
    if case .set(let moment) = end {
      new.extent = .unsaid
      try new.end(with: moment?.time(in: zone, context.zones), context.zones)
    }
    if case .set(let rules) = rules, old.recurrenceID == nil {
      try Limit.calendarRules.check(rules.count, "recurrence")
      new.rules = rules.map { new.start.isDate ? $0.withoutTimes : $0 }
    }
    guard new != old else { return Decision([], event) }
    var series = found.content.series
    if new.start != old.start || new.rules != old.rules, old.recurrenceID == nil {
      (new.exceptions, new.dates) = ([], [])
      series.overrides = []
    }
    // A file of the same or an older version does not undo it.
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
    return Decision(
      [.calendarEventChanged(CalendarEventChanged(event: event, content: content))], event)
  }
}

/// Takes something off a household's calendar, with all its times; time travel finds it.
public struct DeleteCalendarEvent: Command {
  /// The event.
  public var event: CalendarEvent.ID

  /// Makes the command.
  public init(_ event: CalendarEvent.ID) { self.event = event }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<CalendarEvent.ID> {
    _ = try state.ownCalendarEvent(event, context)
    return Decision([.calendarEventDeleted(CalendarEventDeleted(event: event))], event)
  }
}

extension State {
  fileprivate func ownCalendarEvent(
    _ number: CalendarEvent.ID, _ context: Context
  ) throws(Rejection) -> (CalendarEvent, Household, Account.ID) {
    try ownThing(number, in: calendarEvents, context, missing: .calendarEventNotFound)
  }

  /// The zone that was asked for, or that of the actor.
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
  /// The moment on the wall clock of a zone; in UTC where that clock shows it twice.
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
  /// Sets when it is over, if that is said.
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

  /// How long it goes on, wherever it begins.
  fileprivate func length(zones: any TimeZones) -> ICalendar.Extent {
    guard case .until(let end) = extent else { return extent }
    if start.isDate {
      return .lasting(ICalendar.Duration(days: start.local.day.distance(to: end.local.day)))
    }
    let instants = [start, end].map { $0.instant(seenFrom: "UTC", zones: zones).milliseconds }
    return .lasting(ICalendar.Duration(seconds: Int((instants[1] - instants[0]) / 1000)))
  }
}

/// What is said of an event; nothing when it is empty.
private func checkedText(_ text: String?, _ field: String) throws(Rejection) -> String? {
  try Limit.text.check(text, field)
  return text?.nonEmpty
}

/// Where an event is; nothing when it is empty.
private func checkedPlace(_ text: String?) throws(Rejection) -> String? {
  try Limit.title.check(text, "location")
  return text?.nonEmpty
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
