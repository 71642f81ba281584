public import Calendar
public import Avro

// The encoding of calendars in the journal: iCalendar's values, as fields.

extension ICalendar.Time: AvroRecord {
  public static var recordName: String { "CalendarTime" }
  public static var placeholder: ICalendar.Time { .date(.placeholder) }

  /// The day, and the second and the zone if there are any.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var day = local.day
    var second: Int32? = isDate ? nil : local.second
    var zone = zone
    try visitor.visit("day", &day)
    try visitor.visit(
      "second", &second, [.doc("of the day, on the wall clock; null: a date")])
    try visitor.visit(
      "zone", &zone,
      [.doc("IANA, or of the event's own zones; null: floating")])
    guard let second else {
      self = .date(day)
      return
    }
    let local = LocalDateTime(day: day, second: Int(second)) ?? LocalDateTime(day: day)
    self = zone.map { .zoned(local, zone: $0) } ?? .floating(local)
  }
}

extension ICalendar.Extent: AvroRecord {
  public static var recordName: String { "CalendarExtent" }
  public static var placeholder: ICalendar.Extent { .unsaid }

  /// The end, or the duration in days and seconds; neither when there is no length.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var end: ICalendar.Time?
    var days: Int32?
    var seconds: Int32?
    switch self {
    case .unsaid: break
    case .until(let time): end = time
    case .lasting(let duration):
      (days, seconds) = (Int32(clamping: duration.days), Int32(clamping: duration.seconds))
    }
    try visitor.visit("end", &end, [.doc("DTEND")])
    try visitor.visit("days", &days, [.doc("DURATION")])
    try visitor.visit("seconds", &seconds)
    if let end {
      self = .until(end)
    } else if days != nil || seconds != nil {
      self = .lasting(ICalendar.Duration(days: Int(days ?? 0), seconds: Int(seconds ?? 0)))
    } else {
      self = .unsaid
    }
  }
}

extension ICalendar.Date: AvroRecord {
  public static var recordName: String { "CalendarDate" }
  public static var placeholder: ICalendar.Date { ICalendar.Date(.placeholder) }

  /// The start, and the length.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("start", &start)
    try visitor.visit("extent", &extent)
  }
}

extension ICalendar.Status: AvroEnumeration {
  public static var enumerationName: String { "CalendarStatus" }
}

extension RecurrenceRule: AvroValue {
  /// A `string` in RRULE syntax.
  public static var schema: Schema { String.schema }

  /// Reads the text of a rule; a rule with a harmless error in its file is stored as it was understood.
  ///
  /// - Throws: ``AvroError`` when it is not a rule.
  @_lifetime(reader: copy reader)
  public init(from reader: inout BinaryReader) throws(AvroError) {
    let text = try String(from: &reader)
    guard let rule = try? RecurrenceRule.tolerating(text).rule else {
      throw .outOfRange("a recurrence rule")
    }
    self = rule
  }

  /// Appends the rule's text.
  public func write(to writer: inout BinaryWriter) { description.write(to: &writer) }
}

extension ICalendar.Event: AvroRecord {
  public static var recordName: String { "CalendarComponent" }
  public static var placeholder: ICalendar.Event { ICalendar.Event(uid: "", start: .placeholder) }

  /// The fields of a VEVENT.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("uid", &uid, [.doc("never empty"), .personal, .neverEmpty])
    try visitor.visit("summary", &summary, [.personal])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("location", &location, [.personal])
    try visitor.visit("start", &start)
    try visitor.visit("extent", &extent)
    try visitor.visit("status", &status)
    try visitor.visit("sequence", &sequence)
    try visitor.visit("last_modified", &lastModified)
    try visitor.visit("rules", &rules, [.doc("RRULE")])
    try visitor.visit("dates", &dates, [.doc("RDATE")])
    try visitor.visit("exceptions", &exceptions, [.doc("EXDATE")])
    try visitor.visit(
      "recurrence_id", &recurrenceID, [.doc("which time of the series it is")])
    try visitor.visit("is_this_and_future", &isThisAndFuture)
  }
}

extension ICalendar.ZoneRules.Observance: AvroRecord {
  public static var recordName: String { "CalendarObservance" }
  public static var placeholder: ICalendar.ZoneRules.Observance {
    .init(isDaylight: false, start: LocalDateTime(day: .placeholder), offsetBefore: 0, offset: 0)
  }

  /// The fields of a STANDARD or DAYLIGHT.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var (before, after) = (Int32(clamping: offsetBefore), Int32(clamping: offset))
    var start = ICalendar.Time.floating(start)
    var dates = dates.map { ICalendar.Time.floating($0) }
    try visitor.visit("is_daylight", &isDaylight)
    try visitor.visit("start", &start)
    try visitor.visit("offset_before", &before, [.doc("seconds ahead of UTC")])
    try visitor.visit("offset", &after, [.doc("seconds ahead of UTC")])
    try visitor.visit("rules", &rules)
    try visitor.visit("dates", &dates)
    (offsetBefore, offset) = (Int(before), Int(after))
    self.start = start.local
    self.dates = dates.map(\.local)
  }
}

/// A time zone that only the calendar itself defines, under the name that its events use.
public struct CalendarZone: AvroRecord, Hashable {
  /// The name that the events use.
  public var name: String
  /// The rules of the zone.
  public var rules: ICalendar.ZoneRules

  public static var recordName: String { "CalendarZone" }
  public static var placeholder: CalendarZone {
    CalendarZone(name: "", rules: ICalendar.ZoneRules(observances: []))
  }

  /// The name and the observances.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("name", &name)
    try visitor.visit("observances", &rules.observances)
  }
}
