import Avro
import Calendar
import Daybook
import DaybookStore
import Values

/// A present or former link between a task and a label.
struct TaskLabelThing {
  let task: NumberedEntity<TaskItem>
  let label: TaskLabel
  let link: TaskLabelLink
}

extension AppTable {
  /// Labels of tasks (DM-4). A deleted label stays as a tombstone until a client purges it.
  static var labels: AppTable {
    let fields: [Field<NumberedEntity<TaskLabel>>] = [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field("name") { $0.name },
      // An app that has no color may send an empty one; refusing it would make the app send it
      // again forever.
      Field("color", .always(.text(CreateLabel.usualColor))) { $0.color }.normalised {
        $0 == .text("") ? .text(CreateLabel.usualColor) : $0
      },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated }, Field("deleted_at") { $0.deleted },
    ]
    return .owned(
      "labels", fields, of: .label, in: \.labels, numbers: { $0.allLabels(of: $1) },
      isShown: { !$0.isPurged },
      foreignKeys: [ForeignKey("user_id", of: "labels", to: "profiles")],
      writer: PushedRowWriter(
        UpsertLabel.self, in: \.labels, isPurged: { $0.isPurged }, restore: { RestoreLabel($0) },
        purge: { DeleteLabel($0, purge: true) },
        fields: { $0.fields(["id", "name", "color", "created_at", "deleted_at"]) }))
  }

  /// The links between tasks and labels (DM-4, DM-8).
  static var taskLabels: AppTable {
    let fields: [Field<TaskLabelThing>] = [
      Field("task_id") { $0.task.key }, Field("label_id") { $0.label.key },
      .account("user_id", .caller) { $0.task.owner },
      Field("created_at", .null, .server) { $0.link.created },
      Field("updated_at", .null, .server) { $0.link.updated },
      Field("deleted_at") { $0.link.removed },
    ]
    return AppTable(
      "task_labels", fields, primaryKey: ["task_id", "label_id"],
      foreignKeys: [
        ForeignKey("task_id", of: "task_labels", to: "tasks", isChecked: false),
        ForeignKey("label_id", of: "task_labels", to: "labels", isChecked: false),
      ],
      writer: TaskLabelWriter(), touched: { touchedLinks($0) },
      things: { view, bounds, take in
        try view.forEachOwn(
          bounds, "task_id", in: view.state.tasks, { $0.allTasks(of: $1) }
        ) { task in
          guard !task.isPurged else { return }
          for link in task.labels where !link.isPurged {
            guard let label = view.state.labels[link.label], !label.isPurged,
              bounds.admits("label_id", label.key)
            else { continue }
            try take(TaskLabelThing(task: task, label: label, link: link))
          }
        }
      })
  }

  private static func touchedLinks(_ change: EntryChange) -> [TouchedRow] {
    var tasks: [TaskItem.ID] = []
    var only: TaskLabel.ID?
    if let task = change.subject(.task, as: TaskItem.self) {
      tasks = [task]
    } else if let label = change.subject(.label, as: TaskLabel.self) {
      // Purging a label also removes its links.
      guard case .labelDescribed = change.entry.event else {
        only = label
        tasks = change.after.labels[label].map { change.after.allTasks(of: $0.owner) } ?? []
        return links(of: tasks, only, change)
      }
      return []
    } else if let account = change.erased {
      tasks = change.before.allTasks(of: account)
    }
    return links(of: tasks, only, change)
  }

  private static func links(
    of tasks: [TaskItem.ID], _ only: TaskLabel.ID?, _ change: EntryChange
  ) -> [TouchedRow] {
    tasks.flatMap { number -> [TouchedRow] in
      guard let task = change.after.tasks[number] else { return [] }
      // A link stays on its task even after it was removed.
      return task.labels.flatMap { link -> [TouchedRow] in
        guard only == nil || link.label == only, let label = change.after.labels[link.label] else {
          return []
        }
        return EntryChange.row(
          ["task_id": .uuid(task.key), "label_id": .uuid(label.key)], for: [task.owner])
      }
    }
  }
}

/// Carries out writes to the links between tasks and labels. A task loses a label only where that
/// is requested (DM-8).
struct TaskLabelWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    try set(row, isGone: row["deleted_at"].map { $0 != .null } ?? false, &write)
    return [row["task_id"] ?? .null, row["label_id"] ?? .null]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    if changes.sets("task_id") || changes.sets("label_id") {
      throw TableError.rowSecurity("task_labels")
    }
    guard let deleted = changes["deleted_at"] else { return }
    try set(row, isGone: deleted != .null, &write)
  }

  /// Purges a link.
  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    let (task, label) = try link(row, write)
    try write.record(SetTaskLabels(task, add: [], remove: [label], purge: true))
  }

  private func set(_ row: RowColumns, isGone: Bool, _ write: inout TableWrite) throws {
    let (task, label) = try link(row, write)
    try write.record(
      SetTaskLabels(task, add: isGone ? [] : [label], remove: isGone ? [label] : []))
  }

  private func link(
    _ row: RowColumns, _ write: TableWrite
  ) throws -> (TaskItem.ID, TaskLabel.ID) {
    let state = write.batch.state
    guard let task = row.key("task_id").flatMap({ state.tasks.number(of: $0) }),
      state.tasks[task]?.owner == write.viewer
    else { throw missing("task_id", in: row) }
    guard let label = row.key("label_id").flatMap({ state.labels.number(of: $0) }),
      state.labels[label]?.owner == write.viewer
    else { throw missing("label_id", in: row) }
    return (task, label)
  }

  /// The error for a missing task or label. A task or label of another account counts as missing. A purged one did
  /// exist, and is skipped (DM-8).
  private func missing(_ column: String, in row: RowColumns) -> TableError {
    let links = AppTable.taskLabels
    guard let key = links.foreignKeys.first(where: { $0.columns == [column] }) else {
      return .rowSecurity(links.name)
    }
    return .missing(key, row, of: links)
  }
}
