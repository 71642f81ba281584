public import Calendar
public import Avro

/// What a member says of a calendar event.
public struct CalendarDraft: Columns, Hashable {
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

  /// An event without a title.
  public static var defaults: CalendarDraft { CalendarDraft(title: "", start: .day(.placeholder)) }

  /// `title`, `description`, `location`, `start_time`, `end_time`, `time_zone`, `recurrence`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("title", &title, [.needed])
    try visitor.column("description", &description)
    try visitor.column("location", &location)
    try visitor.column(
      "start_time", &start,
      [.needed, .doc("a date for the whole day, a time on the wall of the zone, or an instant")])
    try visitor.column("end_time", &end, [.doc("the first moment, or day, after it")])
    try visitor.column(
      "time_zone", &timeZone, [.doc("an IANA name; that of who asks unless given")])
    try visitor.columns(RecurrenceCodec(), &rules)
  }

  /// Reads how an event repeats: a rule, with or without `RRULE:` before it.
  ///
  /// - Throws: ``Rejection`` for one that is none, or repeats too often for a calendar.
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

/// How an event repeats: a rule as RRULE has it, several of them, or null for not at all.
struct RecurrenceCodec: ColumnCodec {
  /// `recurrence`.
  var columns: [Column] {
    var column = Column("recurrence", [String].self, "how it repeats: rules as RRULE has them")
    let rule = RecurrenceRule.jsonSchema
    column.schema = ["anyOf": [rule, ["type": "array", "items": rule], ["type": "null"]]]
    return [column]
  }
  /// Daily, and weekly.
  var examples: ([RecurrenceRule], [RecurrenceRule]) { [RecurrenceRule].examples }

  /// Reads the rules.
  ///
  /// - Throws: a refusal that names the column.
  func read(_ reader: inout RequestReader) throws -> [RecurrenceRule]? {
    guard let json = reader.value("recurrence") else { return nil }
    // Null is no rule at all: an event that happens once.
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
