import Avro
import Calendar
import Daybook
import DaybookStore
import Values

extension AppTable {
  /// Tasks (DM-2, DM-6). A deleted task stays as a tombstone until a client purges it.
  static var tasks: AppTable {
    let fields: [Field<NumberedEntity<TaskItem>>] = [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field(
        "bucket_key", .value(.text(TaskBucket.thisWeek.rawValue)),
        allowed: TaskBucket.allCases.map(\.rawValue)
      ) { $0.bucket.rawValue },
      Field(
        "parent_task_id",
        seen: { task, view in task.parent.flatMap { view.state.tasks[$0]?.key } }),
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
      ],
      writer: PushedRowWriter(
        UpsertTask.self, in: \.tasks, isPurged: { $0.isPurged }, restore: { RestoreTask($0) },
        purge: { DeleteTask($0, purge: true) }, fields: \.taskFields))
  }
}

extension RowColumns {
  /// The fields of a task in a device's row.
  fileprivate var taskFields: [JSON.Member] {
    var columns = self
    // A completion time implies that the task is completed.
    if !sets("is_completed"), let completed = columns["completed_at"] {
      columns["is_completed"] = .bool(completed != .null)
    }
    return columns.fields([
      "id", "bucket_key", "parent_task_id", "title", "description", "due_at", "recurrence_rule",
      "is_completed", "completed_at", "created_at", "deleted_at",
    ])
  }
}
