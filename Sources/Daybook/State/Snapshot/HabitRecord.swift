import Values
import Calendar
public import Streaks
public import Avro

extension Habit: AvroRecord {
  public static var recordName: String { "Habit" }
  public static var placeholder: Habit {
    Habit(
      key: Key(high: 0, low: 0), owner: .placeholder, goal: nil, description: .placeholder,
      type: .checkbox, reminders: [], versions: [], createdOn: .placeholder, created: .placeholder,
      updated: .placeholder)
  }

  /// The fields of the habit.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("goal", &goal)
    try visitor.visit("description", &description)
    try visitor.visit("type", &type)
    try visitor.visit("reminders", &reminders)
    try visitor.visit("versions", &versions, [.doc("each holds from its day until the next one's")])
    try visitor.visit("archived", &archived)
    try visitor.visit("is_deleted", &isDeleted)
    try visitor.visit("created_on", &createdOn)
    try visitor.visit("created", &created)
    try visitor.visit("updated", &updated)
    try visitor.visit("days", &days)
  }
}

extension HabitHistory.Version: AvroRecord {
  public static var recordName: String { "Version" }
  public static var placeholder: HabitHistory.Version {
    .init(since: .placeholder, schedule: .placeholder, target: .placeholder)
  }

  /// The rules and the day from which they hold.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("since", &since)
    try visitor.visit("schedule", &schedule)
    try visitor.visit("target", &target)
  }
}

extension DayTable: AvroRecord {
  public static var recordName: String { "Days" }
  public static var placeholder: DayTable { DayTable() }

  /// The packed days as they are, the place of the last one, and the notes.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    var packed = AvroBytes(days.bytes)
    var (last, lastStart, count) = (days.last, days.lastStart, days.count)
    var notes = notes.isEmpty ? [] : notes.map(DayNote.init).sorted { $0.day < $1.day }
    var entered = entered.isEmpty ? [] : entered.map(EnteredAmount.init).sorted { $0.day < $1.day }
    try visitor.visit("packed", &packed, [.doc("one record a day, as PackedDay has it")])
    try visitor.visit("count", &count, [.doc("how many records")])
    try visitor.visit("last_start", &lastStart, [.doc("where the last record begins")])
    try visitor.visit("last_day", &last.day)
    try visitor.visit("last_created", &last.created)
    try visitor.visit("notes", &notes)
    try visitor.visit(
      "entered", &entered, [.doc("what was entered, where another value counts")])
    days = PackedDays(bytes: packed.bytes, last: last, lastStart: lastStart, count: count)
    self.notes = [:]
    for note in notes { self.notes[note.day] = note.text }
    self.entered = [:]
    for amount in entered { self.entered[amount.day] = amount.amount }
  }
}

/// The value that a person entered for a day on which another value counts.
struct EnteredAmount: AvroRecord {
  var day: Day = .placeholder
  var amount: Amount = .zero

  static var recordName: String { "Entered" }
  static var placeholder: EnteredAmount { EnteredAmount() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("day", &day)
    try visitor.visit("amount", &amount)
  }
}

/// The note that a person wrote about a day.
struct DayNote: AvroRecord {
  var day: Day = .placeholder
  var text = ""

  static var recordName: String { "Note" }
  static var placeholder: DayNote { DayNote() }

  mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("day", &day)
    try visitor.visit("text", &text)
  }
}
