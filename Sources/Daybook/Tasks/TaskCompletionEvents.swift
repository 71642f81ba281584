public import Values
public import Calendar
public import Avro

/// A task was done; its subtasks were done before it. For a task that is done already: the completion was repeated.
public struct TaskCompleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// When it was done.
  public var completed: Instant = .placeholder
  /// Whether it was done because its parent was.
  public var withParent: Bool = false
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskCompleted" }
  public var event: Event { .taskCompleted(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("completed", &completed)
    try visitor.visit("with_parent", &withParent)
    try visitor.visit("continues", &continues)
  }
}

/// A done task was reopened.
public struct TaskReopened: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskReopened" }
  public var event: Event { .taskReopened(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
  }
}

/// One occurrence of a repeating task was done, and the next is open; after the last one the task stays done (DM-5).
public struct TaskOccurrenceCompleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The key of the completion, derived from the task's key and the slot.
  public var key: Key = Key(high: 0, low: 0)
  /// The due time of the occurrence.
  public var due: Instant?
  /// The user-local day that identifies the slot, where the due time does not.
  public var day: Day?
  /// When it was done.
  public var completed: Instant = .placeholder
  /// When it is due next; after the last occurrence, its own due time.
  public var nextDue: Instant?
  /// The repetition from now on; nothing when this was the last occurrence.
  public var repetition: TaskRepetition?
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskOccurrenceCompleted" }
  public var event: Event { .taskOccurrenceCompleted(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("key", &key)
    try visitor.visit("due", &due, [.doc("what was due: the slot, unless there is a day")])
    try visitor.visit(
      "day", &day, [.doc("the slot of what is not due at a time, or repeats from its completion")])
    try visitor.visit("completed", &completed)
    try visitor.visit("next_due", &nextDue)
    try visitor.visit("repetition", &repetition)
    try visitor.visit("continues", &continues)
  }
}

/// A completion of a repeating task was undone; the task is due as before.
public struct TaskOccurrenceReopened: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The key of the completion.
  public var key: Key = Key(high: 0, low: 0)
  /// When it is due.
  public var due: Instant?
  /// The repetition.
  public var repetition: TaskRepetition?
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskOccurrenceReopened" }
  public var event: Event { .taskOccurrenceReopened(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("key", &key)
    try visitor.visit("due", &due)
    try visitor.visit("repetition", &repetition)
    try visitor.visit("continues", &continues)
  }
}
