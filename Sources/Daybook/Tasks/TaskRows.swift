import Values
public import Avro

extension TaskItem: Columns {
  /// The columns of its row.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    var content = TaskContent(self)
    var isDone = isDone
    try visitor.column("id", &key)
    try visitor.column("user_id", &owner)
    try visitor.column("bucket_key", &bucket)
    try visitor.column("parent_task_id", &parent)
    try content.visitColumns(&visitor)
    try visitor.column("is_completed", &isDone)
    try visitor.column("completed_at", &completed)
    try visitor.column("rank", &rank)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
    try visitor.column("deleted_at", &deleted)
  }
}

extension TaskLabel: Columns {
  /// The columns of its row.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("id", &key)
    try visitor.column("user_id", &owner)
    try visitor.column("name", &name)
    try visitor.column("color", &color)
    try visitor.column("created_at", &created)
    try visitor.column("updated_at", &updated)
    try visitor.column("deleted_at", &deleted)
  }
}

extension ColumnCommand where Answer == TaskItem.ID {
  /// The task's row, or that it is gone.
  package func row(of answer: TaskItem.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.taskRow($0) }
  }
}

extension ColumnCommand where Answer == TaskLabel.ID {
  /// The label's row, or that it is gone.
  package func row(of answer: TaskLabel.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.labelRow($0) }
  }
}

extension BookState {
  /// The task's row of `tasks`.
  package func taskRow(_ task: TaskItem) -> JSON { .object(task.members(in: self)) }

  /// The label's row of `labels`.
  package func labelRow(_ label: TaskLabel) -> JSON { .object(label.members(in: self)) }

  /// A row of `task_labels`.
  func taskLabelRow(_ task: TaskItem, _ link: TaskLabelLink) -> JSON {
    [
      "task_id": .key(task.key), "label_id": .key(labels[link.label]?.key),
      "user_id": .key(accounts[task.owner]?.key), "created_at": .instant(link.created),
      "updated_at": .instant(link.updated), "deleted_at": .instant(link.removed),
    ]
  }

  /// A row of `task_completions`.
  func occurrenceRow(_ task: TaskItem, _ occurrence: TaskOccurrence) -> JSON {
    [
      "id": .key(occurrence.key), "task_id": .key(task.key),
      "user_id": .key(accounts[task.owner]?.key),
      "slot": occurrence.day.map { .day($0) } ?? .instant(occurrence.due),
      "due_at": .instant(occurrence.due), "completed_at": .instant(occurrence.completed),
      "deleted_at": .instant(occurrence.removed),
    ]
  }

  var taskRows: [JSON] { tasksByKey.map { taskRow($0) } }

  var labelRows: [JSON] {
    labels.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }.map { labelRow($0) }
  }

  var taskLabelRows: [JSON] {
    tasksByKey.flatMap { task in
      task.labels
        .compactMap { link -> (key: Key, link: TaskLabelLink)? in
          guard link.removed == nil, let label = labels[link.label], !label.isDeleted else {
            return nil
          }
          return (label.key, link)
        }
        .sorted { $0.key < $1.key }.map { taskLabelRow(task, $0.link) }
    }
  }

  var taskCompletionRows: [JSON] {
    tasksByKey.flatMap { task in
      task.occurrences.filter { $0.removed == nil }.map { (task, $0) }
    }
    .sorted { $0.1.key < $1.1.key }.map { occurrenceRow($0.0, $0.1) }
  }

  private var tasksByKey: [TaskItem] {
    tasks.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }
}
