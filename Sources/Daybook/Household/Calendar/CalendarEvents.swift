public import Values
public import Calendar
public import Avro

/// The content of a calendar event: a series with its changed single occurrences (MC-10).
public struct CalendarContent: AvroRecord, Hashable {
  /// The start of the first occurrence.
  public var starts: Instant = .placeholder
  /// The end of the first occurrence.
  public var ends: Instant = .placeholder
  /// The series, if it is known, and then the changed single occurrences; at least one component, all with one UID.
  public var components: [ICalendar.Event] = []
  /// The time zones that only its calendar defines.
  public var zones: [CalendarZone] = []

  public static var recordName: String { "CalendarContent" }
  public static var placeholder: CalendarContent { CalendarContent() }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("starts", &starts, [.doc("dates are those of UTC")])
    try visitor.visit("ends", &ends)
    try visitor.visit("components", &components)
    try visitor.visit("zones", &zones)
  }
}

extension CalendarContent {
  /// The event in iCalendar's terms.
  public var series: ICalendar.Series {
    ICalendar.Series(
      uid: main?.uid ?? "", master: components.first.flatMap { $0.recurrenceID == nil ? $0 : nil },
      overrides: components.filter { $0.recurrenceID != nil })
  }

  /// The component that is shown: the series, or its first known occurrence.
  public var main: ICalendar.Event? { components.first }

  /// The rules of its own time zones, by name.
  public var zoneRules: [String: ICalendar.ZoneRules] {
    Dictionary(zones.map { ($0.name, $0.rules) }) { first, _ in first }
  }

  /// Makes the content of a series.
  ///
  /// - Parameters:
  ///   - series: The series; at least one event.
  ///   - zoneRules: The rules of zones, including its own ones.
  ///   - compiled: The other time zones, and those that were compiled already.
  ///   - zone: The zone in which floating times are interpreted.
  init(
    _ series: ICalendar.Series, zoneRules: [String: ICalendar.ZoneRules],
    _ compiled: inout ICalendar.CompiledZones, seenFrom zone: String
  ) {
    components = (series.master.map { [$0] } ?? []) + series.overrides
    // The time of writing is not part of the content: programs write it anew each time.
    for index in components.indices { components[index].stamp = nil }
    let names = Set(components.flatMap(\.zoneNames))
    zones = names.sorted().compactMap { name in
      zoneRules[name].map { CalendarZone(name: name, rules: $0) }
    }
    guard let main else { return }
    let known = compiled.zones(self.zoneRules)
    let seenFrom = main.start.isDate ? "UTC" : zone
    starts = main.start.instant(seenFrom: seenFrom, zones: known)
    ends = main.end(seenFrom: seenFrom, zones: known).instant(seenFrom: seenFrom, zones: known)
  }
}

/// An event of a household's calendar was created, by a member or from an iCalendar file (MC-10).
public struct CalendarEventCreated: EventRecord, BackdatableEvent {
  /// The client's name for it.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that created it.
  public var owner: Account.ID = .placeholder
  /// The content of the event.
  public var content: CalendarContent = .placeholder
  /// The source: `import` for an iCalendar file.
  public var source: LogSource = .manual
  /// When the event was created, by the clock of its app; nil if that is the time of the entry.
  public var begun: Instant?

  public static var recordName: String { "CalendarEventCreated" }
  var verb: String { "in the calendar" }
  /// The household of the calendar.
  public var home: Household.ID? { household }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("household", &household)
    try visitor.visit("owner", &owner, [.doc("who put it there")])
    try visitor.visit("content", &content)
    try visitor.visit("source", &source)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A calendar event changed; this event holds all of it as it is now.
public struct CalendarEventChanged: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// The content as it is now.
  public var content: CalendarContent = .placeholder
  /// The source: `import` for an iCalendar file.
  public var source: LogSource = .manual

  public static var recordName: String { "CalendarEventChanged" }
  var verb: String { "changed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("content", &content)
    try visitor.visit("source", &source)
  }
}

/// A calendar event was deleted, by a member or because an iCalendar file no longer had it.
public struct CalendarEventDeleted: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// The source: `import` when a file no longer had it, else a member deleted it.
  public var source: LogSource = .manual

  public static var recordName: String { "CalendarEventDeleted" }
  var verb: String { "removed from the calendar" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("source", &source, [.ifAbsent("manual")])
  }
}

extension CalendarContent {
  /// Content that stands in for a lost event, at a moment at which the event was known.
  package static func placeholder(uid: String, title: String, at instant: Instant)
    -> CalendarContent
  {
    let start = ICalendar.Time.zoned(WallClock.utc(of: instant), zone: "UTC")
    let event = ICalendar.Event(uid: uid, summary: title, start: start)
    var content = CalendarContent()
    (content.starts, content.ends, content.components) = (instant, instant, [event])
    return content
  }
}

/// A deleted event was restored to the household's calendar.
public struct CalendarEventRestored: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// When it was last imported, if it was.
  public var synced: Instant?

  public static var recordName: String { "CalendarEventRestored" }
  static var deletedKind: EntityKind? { .calendarEvent }
  var verb: String { "in the calendar again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("synced", &synced)
  }
}
