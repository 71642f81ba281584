import Avro
import Calendar
import Daybook
import DaybookStore
import Values

extension Table {
  /// Tasks (DM-2, DM-6). A deleted task stays as a tombstone until a client purges it.
  static var tasks: Table {
    let fields: [Field<Numbered<TaskItem>>] = [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field(
        "bucket_key", .value(.text(TaskBucket.thisWeek.rawValue)),
        allowed: TaskBucket.allCases.map(\.rawValue)
      ) { $0.bucket.rawValue },
      Field(
        "parent_task_id",
        seen: { task, sight in task.parent.flatMap { sight.state.tasks[$0]?.key } }),
      Field("title") { $0.title }, Field("description") { $0.description },
      Field("due_at") { $0.due },
      Field("recurrence_rule") { $0.repetition?.rule },
      Field("is_completed", .always(.bool(false))) { $0.isDone },
      Field("completed_at") { $0.completed },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated }, Field("deleted_at") { $0.deleted },
    ]
    return .owned(
      "tasks", fields, of: .task, in: \.tasks, numbers: { $0.allTasks(of: $1) },
      isShown: { !$0.isPurged },
      foreignKeys: [
        ForeignKey("user_id", of: "tasks", to: "profiles"),
        ForeignKey("parent_task_id", of: "tasks", to: "tasks"),
      ], writer: TaskWriter())
  }
}

/// Carries out the task rows that devices push (DM-7): a row creates a task, or changes the columns that it sets.
struct TaskWriter: TableWriter {
  func insert(
    _ row: RowColumns, said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value] {
    // A purged task still exists for a client that inserts it again.
    if let key = row.key("id"), let number = write.batch.state.tasks.number(of: key),
      let task = write.batch.state.tasks[number], task.isPurged, task.owner == write.viewer
    {
      throw Rejection.keyTaken(key)
    }
    let task = try write.record(UpsertTask.self, row.filled(said.union(["id"])).taskFields)
    return [(write.batch.state.tasks[task]?.key).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if changes["deleted_at"] == .null {
      try write.record(RestoreTask(number(of: row, write)))
    }
    var changes = changes
    changes["id"] = row["id"]
    try write.record(UpsertTask.self, changes.taskFields)
  }

  /// Purges a task, with its subtasks.
  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    try write.record(DeleteTask(number(of: row, write), purge: true))
  }

  private func number(of row: RowColumns, _ write: TableWrite) throws(Rejection) -> TaskItem.ID {
    guard let task = row.key("id").flatMap({ write.batch.state.tasks.number(of: $0) }) else {
      throw .taskNotFound
    }
    return task
  }
}

extension RowColumns {
  /// The fields of a task in a device's row.
  fileprivate var taskFields: [JSON.Member] {
    var columns = self
    // A completion time implies that the task is completed.
    if !says("is_completed"), let completed = columns["completed_at"] {
      columns["is_completed"] = .bool(completed != .null)
    }
    return columns.fields([
      "id", "bucket_key", "parent_task_id", "title", "description", "due_at", "recurrence_rule",
      "is_completed", "completed_at", "created_at", "deleted_at",
    ])
  }
}
