public import Values
public import Calendar
public import Avro

/// What is kept of one type of event about tasks and labels.
protocol TaskRecord: EventRecord {
  /// Whether one command produced both this entry and the one before.
  ///
  /// It lets an undo find the whole command where entries do not say their step (``EntryHead/step``): in older books,
  /// and in an older Daybook.
  var continues: Bool { get set }
  var event: Event { get }
}

/// Somebody has something to do (DM-2).
public struct TaskCreated: TaskRecord, BegunEvent {
  /// The client's name for the task.
  public var key: Key = Key(high: 0, low: 0)
  /// Whose it is.
  public var owner: Account.ID = .placeholder
  /// In which bucket it is.
  public var bucket: TaskBucket = .thisWeek
  /// The task of which it is a part.
  public var parent: TaskItem.ID?
  /// What is to be done; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// When it is due.
  public var due: Instant?
  /// How it repeats.
  public var repetition: TaskRepetition?
  /// Where it stands among its siblings.
  public var rank: Rank = .first
  /// Whether it is part of what the entry before is part of: one command came to both.
  package var continues = false
  /// When it began by the clock of its app; nothing where it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "TaskCreated" }
  /// What it changes.
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

/// A task's title or description changed; both as they are now.
public struct TaskDescribed: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// What is to be done; never empty.
  public var title: String = ""
  /// More about it.
  public var description: String?
  /// Whether it is part of what the entry before is part of: one command came to both.
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

/// When a task is due, or how it repeats, changed; both as they are now.
public struct TaskScheduled: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// When it is due.
  public var due: Instant?
  /// How it repeats.
  public var repetition: TaskRepetition?
  /// Whether it is part of what the entry before is part of: one command came to both.
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

/// A task went to another bucket, parent or place; all as they are now.
public struct TaskMoved: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// In which bucket it is.
  public var bucket: TaskBucket = .thisWeek
  /// The task of which it is a part.
  public var parent: TaskItem.ID?
  /// Where it stands among its siblings.
  public var rank: Rank = .first
  /// Whether it is part of what the entry before is part of: one command came to both.
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

/// A task was deleted; its subtasks were deleted before it. Of a deleted task: whether its row is gone now.
public struct TaskDeleted: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether its row is gone for good, and not only marked as deleted.
  public var purged = false
  /// Whether it is part of what the entry before is part of: one command came to both.
  package var continues = false

  public static var recordName: String { "TaskDeleted" }
  public var event: Event { .taskDeleted(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
    try visitor.visit("purged", &purged, [.ifAbsent(false)])
  }
}

/// A deleted task is there again as it was.
public struct TaskRestored: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Whether it is part of what the entry before is part of: one command came to both.
  package var continues = false

  public static var recordName: String { "TaskRestored" }
  public var event: Event { .taskRestored(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("continues", &continues)
  }
}

/// A task got labels, or lost some.
public struct TaskLabelsChanged: TaskRecord {
  /// The task.
  public var task: TaskItem.ID = .placeholder
  /// Those that it got.
  public var added: [TaskLabel.ID] = []
  /// Those that it lost, or had lost before.
  public var removed: [TaskLabel.ID] = []
  /// Whether the rows of those that it lost are gone for good, and not only marked as deleted.
  public var purged = false
  /// Whether it is part of what the entry before is part of: one command came to both.
  package var continues = false

  public static var recordName: String { "TaskLabelsChanged" }
  public var event: Event { .taskLabelsChanged(self) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("task", &task)
    try visitor.visit("added", &added)
    try visitor.visit("removed", &removed)
    try visitor.visit("continues", &continues)
    try visitor.visit("purged", &purged, [.ifAbsent(false)])
  }
}
