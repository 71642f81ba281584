public import Values
public import Calendar
public import Avro

/// A task is done; its subtasks were done before it. Of a done task: somebody said so once more.
public struct TaskCompleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// When it was done.
  public var completed: Instant = .placeholder
  /// Whether it was done because its parent was.
  public var withParent: Bool = false
  /// Whether it is part of what the entry before is part of: one command came to both.
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

/// A task is to be done again.
public struct TaskReopened: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether it is part of what the entry before is part of: one command came to both.
  package var continues = false

  public static var recordName: String { "TaskReopened" }
  public var event: Event { .taskReopened(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
  }
}

/// One occurrence of a repeating task is done, and the next is open; after the last one the task stays done (DM-5).
public struct TaskOccurrenceCompleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The name of the completion, which follows from the task's key and the slot.
  public var key: Key = Key(high: 0, low: 0)
  /// What was due.
  public var due: Instant?
  /// The user-local day that is the slot, where it is not what was due.
  public var day: Day?
  /// When it was done.
  public var completed: Instant = .placeholder
  /// When it is due next; after the last occurrence, when that was.
  public var nextDue: Instant?
  /// How it goes on; nothing when this was the last one.
  public var repetition: TaskRepetition?
  /// Whether it is part of what the entry before is part of: one command came to both.
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

/// A completion of a repeating task was taken back; what is due as it was before.
public struct TaskOccurrenceReopened: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The name of the completion.
  public var key: Key = Key(high: 0, low: 0)
  /// When it is due.
  public var due: Instant?
  /// How it repeats.
  public var repetition: TaskRepetition?
  /// Whether it is part of what the entry before is part of: one command came to both.
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
