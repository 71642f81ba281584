public import Values
public import Calendar
public import Avro

/// What a household's calendar event is: a series with its single times that are otherwise (MC-10).
public struct CalendarContent: AvroRecord, Hashable {
  /// When it begins the first time.
  public var starts: Instant = .placeholder
  /// When it is over the first time.
  public var ends: Instant = .placeholder
  /// The series, if it is known, and then the single times that are otherwise; at least one, all of one UID.
  public var components: [ICalendar.Event] = []
  /// The time zones of it that only its calendar knew.
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
  /// The event as iCalendar has it.
  public var series: ICalendar.Series {
    ICalendar.Series(
      uid: main?.uid ?? "", master: components.first.flatMap { $0.recurrenceID == nil ? $0 : nil },
      overrides: components.filter { $0.recurrenceID != nil })
  }

  /// What it is shown as: the series, or the first single time of it that is known.
  public var main: ICalendar.Event? { components.first }

  /// The rules of its own time zones, by their names.
  public var zoneRules: [String: ICalendar.ZoneRules] {
    Dictionary(zones.map { ($0.name, $0.rules) }) { first, _ in first }
  }

  /// Makes the content of a series.
  ///
  /// - Parameters:
  ///   - series: What it is; at least one event.
  ///   - zoneRules: Among others those of its own zones.
  ///   - compiled: Knows the other time zones, and those that were worked out already.
  ///   - zone: Where a floating time is looked at from, to tell when that is.
  init(
    _ series: ICalendar.Series, zoneRules: [String: ICalendar.ZoneRules],
    _ compiled: inout ICalendar.CompiledZones, seenFrom zone: String
  ) {
    components = (series.master.map { [$0] } ?? []) + series.overrides
    // When it was written down is not what it is: programs write that anew each time.
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

/// Something was put into a household's calendar, by a member or from an iCalendar file (MC-10).
public struct CalendarEventCreated: EventRecord, BegunEvent {
  /// The client's name for it.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// Who put it there.
  public var owner: Account.ID = .placeholder
  /// What it is.
  public var content: CalendarContent = .placeholder
  /// Where it is from: `import` for an iCalendar file.
  public var source: Source = .manual
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "CalendarEventCreated" }
  /// Whose calendar it is.
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

/// A calendar event is otherwise; all of it as it is now.
public struct CalendarEventChanged: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// What it is.
  public var content: CalendarContent = .placeholder
  /// Where that is from: `import` for an iCalendar file.
  public var source: Source = .manual

  public static var recordName: String { "CalendarEventChanged" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("content", &content)
    try visitor.visit("source", &source)
  }
}

/// A calendar event was taken off, by a member or because an iCalendar file did not have it any more.
public struct CalendarEventDeleted: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// Why: `import` when a file did not have it, else a member did it.
  public var source: Source = .manual

  public static var recordName: String { "CalendarEventDeleted" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("source", &source, [.ifAbsent("manual")])
  }
}

extension CalendarContent {
  /// What stands for an event that was lost: a moment at which something was known of it.
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

/// A deleted event is in the household's calendar again.
public struct CalendarEventRestored: EventRecord {
  public var event: CalendarEvent.ID = .placeholder
  /// When it was last imported, if it was.
  public var synced: Instant?

  public static var recordName: String { "CalendarEventRestored" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("event", &event)
    try visitor.visit("synced", &synced)
  }
}
