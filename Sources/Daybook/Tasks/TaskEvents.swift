public import Values
public import Calendar
public import Avro

/// The record of one type of event about tasks and labels.
protocol TaskRecord: EventRecord {
  /// Whether it belongs to the same command as the entry before. This lets a command be undone as a whole where entries
  /// do not hold their step (``EntryHead/step``): in older books, and in older Daybooks.
  var continues: Bool { get set }
  var event: Event { get }
}

/// A person created a task (DM-2).
public struct TaskCreated: TaskRecord, BackdatableEvent {
  /// The client's name for the task.
  public var key: Key = Key(high: 0, low: 0)
  /// The owner.
  public var owner: Account.ID = .placeholder
  /// The bucket.
  public var bucket: TaskBucket = .thisWeek
  /// The task of which it is a subtask.
  public var parent: TaskItem.ID?
  /// The title; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// When it is due.
  public var due: Instant?
  /// The repetition.
  public var repetition: TaskRepetition?
  /// Its place among its siblings.
  public var rank: Rank = .first
  /// Whether it belongs to the same command as the entry before.
  package var continues = false
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "TaskCreated" }
  /// The subject of the event.
  package var subject: Subject { .new(.task, key: key, owner: owner) }
  public var event: Event { .taskCreated(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("key", &key)
    try visitor.visit("owner", &owner)
    try visitor.visit("bucket", &bucket)
    try visitor.visit("parent", &parent)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("due", &due)
    try visitor.visit("repetition", &repetition)
    try visitor.visit("rank", &rank)
    try visitor.visit("continues", &continues)
    try visitor.visit("begun", &begun, [.begun])
  }
}

/// A task's title or description changed; the event holds both as they are now.
public struct TaskDescribed: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The title; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskDescribed" }
  public var event: Event { .taskDescribed(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("title", &title, [.personal])
    try visitor.visit("description", &description, [.personal])
    try visitor.visit("continues", &continues)
  }
}

/// A task's due time or repetition changed; the event holds both as they are now.
public struct TaskScheduled: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// When it is due.
  public var due: Instant?
  /// The repetition.
  public var repetition: TaskRepetition?
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskScheduled" }
  public var event: Event { .taskScheduled(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("due", &due)
    try visitor.visit("repetition", &repetition)
    try visitor.visit("continues", &continues)
  }
}

/// A task moved to another bucket, parent or rank; the event holds all three as they are now.
public struct TaskMoved: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The bucket.
  public var bucket: TaskBucket = .thisWeek
  /// The task of which it is a subtask.
  public var parent: TaskItem.ID?
  /// Its place among its siblings.
  public var rank: Rank = .first
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskMoved" }
  public var event: Event { .taskMoved(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("bucket", &bucket)
    try visitor.visit("parent", &parent)
    try visitor.visit("rank", &rank)
    try visitor.visit("continues", &continues)
  }
}

/// A task was deleted; its subtasks were deleted before it. For a task that is deleted already: whether it is purged
/// now.
public struct TaskDeleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether its row is gone for good, rather than only marked as deleted.
  public var purged = false
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskDeleted" }
  static var deletedKind: EntityKind? { .task }
  public var event: Event { .taskDeleted(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
    try visitor.visit("purged", &purged, [.ifAbsent(false)])
  }
}

/// A deleted task was restored as it was.
public struct TaskRestored: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskRestored" }
  static var deletedKind: EntityKind? { .task }
  public var event: Event { .taskRestored(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
  }
}

/// A task gained or lost labels.
public struct TaskLabelsChanged: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// The labels that it gained.
  public var added: [TaskLabel.ID] = []
  /// The labels that it lost now or earlier.
  public var removed: [TaskLabel.ID] = []
  /// Whether the rows of the lost labels are gone for good, rather than only marked as deleted.
  public var purged = false
  /// Whether it belongs to the same command as the entry before.
  package var continues = false

  public static var recordName: String { "TaskLabelsChanged" }
  static var deletedKind: EntityKind? { .label }
  public var event: Event { .taskLabelsChanged(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("added", &added)
    try visitor.visit("removed", &removed)
    try visitor.visit("continues", &continues)
    try visitor.visit("purged", &purged, [.ifAbsent(false)])
  }
}
