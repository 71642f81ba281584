public import Values
public import Calendar

/// A task of a person (DM-2). See `Docs/Tasks.md` for the rules.
public struct TaskItem: Entity, Hashable {
  /// The number of a task in its book.
  public typealias ID = EntityNumber<TaskItem>
  /// "task-number".
  @inlinable
  public static var entityName: StaticString { "task-number" }

  /// The client's name for the task.
  public internal(set) var key: Key
  /// The owner.
  public internal(set) var owner: Account.ID
  /// The bucket.
  public internal(set) var bucket: TaskBucket
  /// The task of which it is a subtask.
  public internal(set) var parent: TaskItem.ID?
  /// Its place among its siblings.
  public internal(set) var rank: Rank
  /// The title.
  public internal(set) var title: String
  /// More about it.
  public internal(set) var description: String?
  /// When it is due.
  public internal(set) var due: Instant?
  /// The repetition.
  public internal(set) var repetition: TaskRepetition?
  /// When it was done, if it is.
  public internal(set) var completed: Instant?
  /// When its completion was last recorded, by the book's clock: if reopened soon after, it stays done (DM-8).
  public internal(set) var saidDone: Instant?
  /// Whether it was done because its parent was: then it is reopened with the parent.
  public internal(set) var wasDoneWithParent = false
  /// The occurrences that were done, in the order of their recording.
  public internal(set) var occurrences: [TaskOccurrence] = []
  /// The labels that it has or had.
  public internal(set) var labels: [TaskLabelLink] = []
  /// When it was created.
  public internal(set) var created: Instant
  /// When its row last changed.
  public internal(set) var updated: Instant
  /// When it was deleted, if it was.
  public internal(set) var deleted: Instant?
  /// Whether it was purged: devices no longer receive its row.
  public internal(set) var isPurged = false
  /// The position of the last entry about it.
  public internal(set) var changed: Int64

  /// The name that people see.
  public var displayName: String { title }
  /// The owner.
  public var ownedBy: Account.ID? { owner }
  /// Whether it was deleted.
  public var isDeleted: Bool { deleted != nil }
  /// Whether it is done.
  public var isDone: Bool { completed != nil }

  /// The completion with a key, if it was not undone.
  func occurrence(_ key: Key) -> TaskOccurrence? {
    occurrences.last { $0.key == key && $0.removed == nil }
  }

  /// The task's present or former link to a label.
  package func link(to label: TaskLabel.ID) -> TaskLabelLink? { labels.first { $0.label == label } }

  /// The labels that it has.
  public var currentLabels: [TaskLabel.ID] {
    labels.compactMap { $0.removed == nil ? $0.label : nil }
  }
}

/// One done occurrence of a repeating task: a row of `task_completions`.
public struct TaskOccurrence: Hashable, Sendable {
  /// Its key, derived from the task's key and the slot: two devices that complete one slot make one row.
  public internal(set) var key: Key
  /// The due time.
  public internal(set) var due: Instant?
  /// The user-local day that identifies the slot, where the due time does not.
  public internal(set) var day: Day?
  /// The task's rule before the completion.
  public internal(set) var rule: String
  /// When it was done.
  public internal(set) var completed: Instant
  /// When it was undone, if it was.
  public internal(set) var removed: Instant?
}

/// The link of a task to a label: a row of `task_labels`.
public struct TaskLabelLink: Hashable, Sendable {
  /// The label.
  public internal(set) var label: TaskLabel.ID
  /// When the task first got the label.
  public internal(set) var created: Instant
  /// When the task last got or lost the label.
  public internal(set) var updated: Instant
  /// When the task lost the label, if it did.
  public internal(set) var removed: Instant?
  /// Whether the link was purged: devices no longer receive its row. The same holds when the task or the label is
  /// purged.
  public internal(set) var isPurged = false
}

/// A label for tasks (DM-4).
public struct TaskLabel: Entity, Hashable {
  /// The number of a label in its book.
  public typealias ID = EntityNumber<TaskLabel>
  /// "label-number".
  @inlinable
  public static var entityName: StaticString { "label-number" }

  /// The client's name for the label.
  public internal(set) var key: Key
  /// The owner.
  public internal(set) var owner: Account.ID
  /// The name.
  public internal(set) var name: String
  /// Its colour: `#FF9F1C`.
  public internal(set) var color: String
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// When it was deleted, if it was.
  public internal(set) var deleted: Instant?
  /// Whether it was purged: devices no longer receive its row.
  public internal(set) var isPurged = false
  /// The position of the last entry about it.
  public internal(set) var changed: Int64

  /// The name that people see.
  public var displayName: String { name }
  /// The owner.
  public var ownedBy: Account.ID? { owner }
  /// Whether it was deleted.
  public var isDeleted: Bool { deleted != nil }
}

extension TaskItem: StoredEntity {
  static var kind: EntityKind { .task }
  static var table: WritableKeyPath<BookState, Table<TaskItem>> { \.tasks }
  static var countField: StaticString { "tasks" }
  static var notFound: Rejection { .taskNotFound }

  mutating func erase(at instant: Instant) {
    (title, description) = ("", nil)
    (deleted, updated) = (deleted ?? instant, instant)
  }

  static func creation(of lost: LostEntity) -> Event {
    var task = TaskCreated.placeholder
    (task.key, task.owner, task.title) = (lost.key, lost.owner, lost.name)
    return .taskCreated(task)
  }
}

extension TaskLabel: StoredEntity {
  static var kind: EntityKind { .label }
  static var table: WritableKeyPath<BookState, Table<TaskLabel>> { \.labels }
  static var countField: StaticString { "labels" }
  static var notFound: Rejection { .labelNotFound }

  mutating func erase(at instant: Instant) {
    name = ""
    (deleted, updated) = (deleted ?? instant, instant)
  }

  static func creation(of lost: LostEntity) -> Event {
    var label = LabelCreated.placeholder
    (label.key, label.owner, label.name) = (lost.key, lost.owner, lost.name)
    label.color = CreateLabel.usualColor
    return .labelCreated(label)
  }
}
