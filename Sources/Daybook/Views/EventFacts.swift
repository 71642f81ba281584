import Avro
public import Calendar

/// The fields of an event that a history and the evidence of an audit show besides its name.
///
/// They are the fields with these names and types, of an event that is about a day. Events of a household or a task are
/// about none: their history describes them in other words.
private struct EventFacts: FieldVisitor {
  var day: Day?
  var source: LogSource?
  var value: Amount?
  var note: String?
  var entered: Amount?

  init(_ record: some EventRecord) {
    var record = record
    record.visitFields(&self)
    // The events of a calendar say who wrote them, too.
    if day == nil { source = nil }
  }

  mutating func visit<Value: AvroValue>(
    _ name: StaticString, _ value: inout Value, _ notes: @autoclosure () -> [FieldNote]
  ) {
    switch "\(name)" {
    // A pause is about its first day. A task's occurrence may have a day, but its history does not show it.
    case "day", "first": if Value.self == Day.self { day = value as? Day }
    case "source": source = value as? LogSource
    case "value": self.value = value as? Amount
    case "note": note = value as? String
    case "entered": entered = value as? Amount
    default: break
    }
  }
}

extension Event {
  /// The day that the event is about, if it is about one.
  public var day: Day? { facts.day }
  /// The source of the event, if it has one.
  public var source: LogSource? { facts.source }
  /// The logged value that counts, if there is one.
  public var value: Amount? { facts.value }
  /// The value that the person entered, when another value counts.
  package var entered: Amount? { facts.entered }
  /// The note that the person wrote, if any.
  public var note: String? { facts.note }

  private var facts: EventFacts { EventFacts(content.record) }
}
