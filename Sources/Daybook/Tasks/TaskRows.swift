import Values
public import Avro

extension TaskItem: Columns {
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

extension TaskItem: RowEntity {
  static func tables(of state: BookState) -> [RowTable] {
    [RowTable("tasks", of: TaskItem.self, in: state)]
  }
}

extension TaskLabel: RowEntity {
  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable("labels", of: TaskLabel.self, in: state),
      RowTable("task_labels", TaskLabelRow.self, state.taskLabelRows),
      RowTable("task_completions", OccurrenceRow.self, state.taskCompletionRows),
    ]
  }
}

/// A row of `task_labels`.
struct TaskLabelRow: RowForm {
  let task: Key
  let label: Key?
  let owner: Key?
  let link: TaskLabelLink

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == TaskLabelRow {
    visitor.column("task_id", as: TaskItem.ID.self) { $0.task }
    visitor.column("label_id", as: TaskLabel.ID?.self) { $0.label }
    visitor.column("user_id", as: Account.ID?.self) { $0.owner }
    visitor.column("created_at") { $0.link.created }
    visitor.column("updated_at") { $0.link.updated }
    visitor.column("deleted_at") { $0.link.removed }
  }
}

/// A row of `task_completions`.
struct OccurrenceRow: RowForm {
  let task: Key
  let owner: Key?
  let occurrence: TaskOccurrence

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == OccurrenceRow {
    visitor.column("id") { $0.occurrence.key }
    visitor.column("task_id", as: TaskItem.ID.self) { $0.task }
    visitor.column("user_id", as: Account.ID?.self) { $0.owner }
    visitor.column(
      "slot", schema: ["anyOf": [Day.jsonSchema, Instant?.jsonSchema]],
      "the day, or the time of a task that is due at one"
    ) { row in
      row.occurrence.day.map { .day($0) } ?? JSON.instant(row.occurrence.due)
    }
    visitor.column("due_at") { $0.occurrence.due }
    visitor.column("completed_at") { $0.occurrence.completed }
    visitor.column("deleted_at") { $0.occurrence.removed }
  }
}

extension BookState {
  var taskLabelRows: [TaskLabelRow] {
    shown(tasks).flatMap { task in
      task.labels
        .compactMap { link -> (key: Key, link: TaskLabelLink)? in
          guard link.removed == nil, let label = labels[link.label], !label.isDeleted else {
            return nil
          }
          return (label.key, link)
        }
        .sorted { $0.key < $1.key }.map {
          TaskLabelRow(
            task: task.key, label: $0.key, owner: accounts[task.owner]?.key, link: $0.link)
        }
    }
  }

  var taskCompletionRows: [OccurrenceRow] {
    shown(tasks).flatMap { task in
      task.occurrences.filter { $0.removed == nil }.map { (task, $0) }
    }
    .sorted { $0.1.key < $1.1.key }.map { task, occurrence in
      OccurrenceRow(task: task.key, owner: accounts[task.owner]?.key, occurrence: occurrence)
    }
  }
}
