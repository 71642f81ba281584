public import Calendar
public import Avro

/// The content of a task as a person writes it: its text, when it is due and how it repeats.
public struct TaskContent: Columns, Hashable {
  /// The title; never empty.
  public var title: String
  /// More about it.
  public var description: String?
  /// When it is due.
  public var due: Instant?
  /// The recurrence: an RFC 5545 RRULE value.
  public var recurrence: String?
  /// The origin from which the next occurrence is computed; if not given, the due time, or the task's current origin.
  public var origin: TaskRepetition.Origin?

  public init(
    title: String, description: String? = nil, due: Instant? = nil, recurrence: String? = nil,
    from origin: TaskRepetition.Origin? = nil
  ) {
    self.title = title
    self.description = description
    self.due = due
    self.recurrence = recurrence
    self.origin = origin
  }

  /// The content of a task.
  init(_ task: TaskItem) {
    self.init(
      title: task.title, description: task.description, due: task.due,
      recurrence: task.repetition?.rule, from: task.repetition?.origin)
  }

  /// Without a title.
  public static var defaults: TaskContent { TaskContent(title: "") }

  /// The columns of the text, the due time and the repetition.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitText(&visitor)
    try visitor.columns(RowInstantCodec("due_at"), &due)
    try visitRecurrence(&visitor)
  }

  /// `title`, `description`.
  mutating func visitText<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("title", &title, [.needed])
    try visitor.column("description", &description)
  }

  /// `recurrence_rule`, `recurrence_from`.
  mutating func visitRecurrence<V: ColumnVisitor>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.column("recurrence_rule", &recurrence, [.doc("an RRULE of RFC 5545")])
    try visitor.column(
      "recurrence_from", &origin,
      [.doc("what the next occurrence is counted from; the due time unless given")])
  }
}
