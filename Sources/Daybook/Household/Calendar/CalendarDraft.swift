public import Calendar
public import Avro

/// The content of a calendar event, as a member writes it.
public struct CalendarDraft: Columns, Hashable {
  /// The title.
  public var title: String
  /// More about it.
  public var description: String?
  /// The location.
  public var location: String?
  /// The start.
  public var start: CalendarMoment
  /// The end: the first moment, or day, after the event. Without it, a day is one day, and a time has no length.
  public var end: CalendarMoment?
  /// The time zone of the event; the actor's if not given.
  public var timeZone: String?
  /// The recurrence rules.
  public var rules: [RecurrenceRule] = []

  /// An event without a title.
  public static var defaults: CalendarDraft { CalendarDraft(title: "", start: .day(.placeholder)) }

  /// `title`, `description`, `location`, `start_time`, `end_time`, `time_zone`, `recurrence`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("title", &title, [.needed])
    try visitor.column("description", &description)
    try visitor.column("location", &location)
    try visitor.column(
      "start_time", &start,
      [.needed, .doc("a date for a whole day, a local time in the zone, or an instant")])
    try visitor.column(
      "end_time", &end, [.doc("the first moment, or the first day, after the event")])
    try visitor.column(
      "time_zone", &timeZone, [.doc("an IANA name; the actor's time zone unless given")])
    try visitor.columns(RecurrenceCodec(), &rules)
  }

  /// Reads a recurrence rule, with or without `RRULE:` before it.
  ///
  /// - Throws: ``Rejection`` for an invalid rule, or one that repeats too often for a calendar.
  package static func rule(_ text: String) throws(Rejection) -> RecurrenceRule {
    do throws(RecurrenceError) {
      let rule = try RecurrenceRule(
        parsing: text.hasPrefix("RRULE:") ? String(text.dropFirst(6)) : text)
      guard !rule.isTooOften else {
        throw RecurrenceError(.tooFine, text, "it repeats too often for a calendar", nil)
      }
      return rule
    } catch {
      throw .invalidField("recurrence", error.words)
    }
  }
}

/// The recurrence of an event: an RRULE, a list of them, or null for none.
struct RecurrenceCodec: ColumnCodec {
  /// `recurrence`.
  var columns: [Column] {
    var column = Column("recurrence", [String].self, "how it repeats, as RRULE values")
    let rule = RecurrenceRule.jsonSchema
    column.schema = ["anyOf": [rule, ["type": "array", "items": rule], ["type": "null"]]]
    return [column]
  }
  /// Daily, and weekly.
  var examples: ([RecurrenceRule], [RecurrenceRule]) { [RecurrenceRule].examples }

  /// Reads the rules.
  ///
  /// - Throws: a rejection that names the column.
  func read(_ reader: inout RequestReader) throws -> [RecurrenceRule]? {
    guard let json = reader.value("recurrence") else { return nil }
    // Null means no rule: the event happens once.
    guard json != .null else { return [] }
    let found = json.text.map { [$0] } ?? (json.elements ?? [nil]).compactMap(\.text)
    guard found.count == (json.elements?.count ?? 1) else {
      throw Rejection.invalidField(
        "recurrence", "\(json.shown) is not \(RecurrenceRule.jsonWords), or null")
    }
    var rules: [RecurrenceRule] = []
    for text in found {
      rules.append(try CalendarDraft.rule(text))
    }
    return rules
  }

  /// The rules; null for none.
  func members(of value: [RecurrenceRule], in state: BookState) -> [JSON.Member] {
    [.init("recurrence", value.isEmpty ? .null : value.json(state))]
  }
}
