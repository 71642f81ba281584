import Values
import Calendar
package import Avro

/// Gives a task labels and removes others; labels that are not named stay (DM-8). A label that is named in both lists
/// is removed. Tasks and labels that were deleted meanwhile are skipped.
package struct SetTaskLabels: ColumnCommand {
  /// The labels to add and to remove.
  package var change: LabelsOfTask
  /// Whether the tombstones of removed labels are hidden from devices, too; this includes labels that were removed
  /// earlier.
  package var purge: Bool

  package init(
    _ task: TaskItem.ID, add added: [TaskLabel.ID], remove removed: [TaskLabel.ID] = [],
    purge: Bool = false
  ) {
    change = LabelsOfTask(task: task, added: added, removed: removed)
    self.purge = purge
  }

  package static let form = CommandForm(
    "set_task_labels",
    "Adds labels to a task and removes others, or applies a row of `task_labels`.",
    answer: "task_id, labels")
  /// The defaults; no task is named yet.
  package static var defaults: SetTaskLabels { SetTaskLabels(.placeholder, add: []) }

  /// Both forms of ``TaskLabelsCodec``, and `purge`.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "purge", &purge, [.doc("whether to hide even the removal from devices")])
    try visitor.columns(TaskLabelsCodec(), &change)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner = change.owner, owner != plan.account.key { throw .notOwner }
    guard let task = change.task else { return Decision([], state.tasks.nextNumber) }
    guard let item = state.tasks[task] else { throw .taskNotFound }
    guard item.owner == plan.actor else { throw .notOwner }
    // A device that does not know of the task's deletion need not ask again.
    if item.isDeleted { return Decision([], task) }
    try plan.checkTaken(change.removed)
    try plan.label(
      task, add: try plan.given(change.added), remove: change.removed, purged: purge)
    return Decision(plan.events, task)
  }

  /// The task's key and its labels.
  package func row(of answer: TaskItem.ID, in state: BookState) -> JSON {
    guard let task = state.tasks[answer] else { return .null }
    let keys = task.currentLabels.compactMap { state.labels[$0] }
      .filter { !$0.isDeleted }.map(\.key).sorted()
    return ["task_id": .key(task.key), "labels": .array(keys.map { .key($0) })]
  }
}

/// The labels that a task gains and loses.
package struct LabelsOfTask: Hashable, Sendable {
  /// The task; nothing when labels are removed from a task that does not exist, which has no effect.
  package var task: TaskItem.ID?
  /// The key of a task that does not exist.
  package var lostKey: Key?
  /// The task's owner according to the row: the actor.
  package var owner: Key?
  /// The labels to add, unless the task has them.
  package var added: [TaskLabel.ID]
  /// The labels to remove, if the task has them.
  package var removed: [TaskLabel.ID]
}

/// `task`, `labels` (to add), `removed` (to remove). A row of `task_labels` names the task as `task_id` and one label
/// as `label_id`, which is removed if `deleted_at` is set. The book ignores the other timestamps. A removal of a label
/// that does not exist, or from a task that does not exist, does nothing.
struct TaskLabelsCodec: ColumnCodec {
  private let lost = LostLabelsCodec("removed")
  private let stamps = RowStampsCodec()

  var columns: [Column] {
    var task = Column("task", Key?.self, "the task; or a row's `task_id`")
    task.orElse = "task_id"
    let given = [task, Column("labels", [Key]?.self, "the labels to add")]
    return given + lost.columns + [
      Column("task_id", Key?.self, "the task, in the form of a row"),
      Column("label_id", Key?.self, "the label to add, or to remove if `deleted_at` is set"),
      Column("user_id", Key?.self, "must be the actor's, if given"),
    ] + stamps.columns
  }

  var examples: (LabelsOfTask, LabelsOfTask) {
    let (one, other) = TaskItem.ID.examples
    return (
      LabelsOfTask(task: one, added: [], removed: []),
      LabelsOfTask(task: other, added: [], removed: [])
    )
  }

  func read(_ reader: inout RequestReader) throws -> LabelsOfTask? {
    var added = try reader.labels("labels")
    let lost = try lost.read(&reader)
    var removed = lost ?? []
    let isDeleted = (try stamps.read(&reader) ?? nil) != nil
    let label = try reader.optionalKey("label_id")
    if let label {
      let number = reader.seen(reader.state.labels.number(of: label))
      if isDeleted {
        removed += number.map { [$0] } ?? []
      } else {
        guard let number else { throw Rejection.labelNotFound.about("label_id") }
        added.append(number)
      }
    }
    var column = "task"
    var key = try reader.optionalKey(column)
    if key == nil, label != nil || reader.value("task_id") != nil {
      column = "task_id"
      key = try reader.optionalKey(column)
    }
    guard let key else { throw Rejection.missingField(column) }
    let task = reader.seen(reader.state.tasks.number(of: key))
    let isLoss = added.isEmpty && (lost != nil || label != nil)
    guard task != nil || isLoss else { throw Rejection.taskNotFound.about(column) }
    return LabelsOfTask(
      task: task, lostKey: task == nil ? key : nil, owner: try reader.optionalKey("user_id"),
      added: added, removed: removed)
  }

  func members(of value: LabelsOfTask, in state: BookState) -> [JSON.Member] {
    let task = value.task?.json(state) ?? value.lostKey.json(state)
    return [.init("task", task), .init("labels", value.added.json(state))]
      + lost.members(of: value.removed, in: state)
      + [.init("user_id", value.owner.json(state))]
  }
}

extension RequestReader {
  /// The labels that a field names.
  fileprivate mutating func labels(_ name: String) throws -> [TaskLabel.ID] {
    guard let json = value(name), json != .null else { return [] }
    return try decode(json, name)
  }
}
