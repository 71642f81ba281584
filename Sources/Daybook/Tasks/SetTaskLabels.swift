import Values
import Calendar
package import Avro

/// Gives a task labels and takes others from it; those that are not named stay (DM-8). One that is named both
/// ways is taken. A task or a label that was deleted meanwhile is passed over.
package struct SetTaskLabels: ColumnCommand {
  /// What it gets and loses.
  package var change: LabelsOfTask
  /// Whether devices are not even told that it lost them; then those count, too, that it lost before.
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
    "Gives a task labels and takes others from it, or does what a row of `task_labels` says.",
    answer: "task_id, labels")
  /// Of no task yet.
  package static var defaults: SetTaskLabels { SetTaskLabels(.placeholder, add: []) }

  /// Both forms of ``TaskLabelsCodec``, and `purge`.
  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column(
      "purge", &purge, [.doc("whether devices are not even told that it lost them")])
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
    // A device that does not know that the task was deleted need not ask again.
    if item.isDeleted { return Decision([], task) }
    try plan.checkTaken(change.removed)
    try plan.label(
      task, add: try plan.given(change.added), remove: change.removed, purged: purge)
    return Decision(plan.events, task)
  }

  /// The task's key, and the labels that it has.
  package func row(of answer: TaskItem.ID, in state: BookState) -> JSON {
    guard let task = state.tasks[answer] else { return .null }
    let keys = task.currentLabels.compactMap { state.labels[$0] }
      .filter { !$0.isDeleted }.map(\.key).sorted()
    return ["task_id": .key(task.key), "labels": .array(keys.map { .key($0) })]
  }
}

/// Labels that a task gets and loses.
package struct LabelsOfTask: Hashable, Sendable {
  /// The task; nothing where labels are taken from one that is not there: then nothing happens.
  package var task: TaskItem.ID?
  /// The key of a task that is not there.
  package var lostKey: Key?
  /// Whose a row says the task is: the actor's.
  package var owner: Key?
  /// The labels that it gets, if it has them not.
  package var added: [TaskLabel.ID]
  /// The labels that it loses, if it has them.
  package var removed: [TaskLabel.ID]
}

/// `task`, `labels` (those that it gets), `removed` (those that it loses); a row of `task_labels` says the task as `task_id` and one
/// label as `label_id`, which is lost where `deleted_at` is set. The other stamps are the book's. A label that is not there
/// need not be taken, nor one from a task that is not there.
struct TaskLabelsCodec: ColumnCodec {
  private let lost = LostLabelsCodec("removed")
  private let stamps = RowStampsCodec()

  var columns: [Column] {
    var task = Column("task", Key?.self, "the task; or a row's `task_id`")
    task.orElse = "task_id"
    let given = [task, Column("labels", [Key]?.self, "the labels that it gets")]
    return given + lost.columns + [
      Column("task_id", Key?.self, "the task, as a row says it"),
      Column("label_id", Key?.self, "a label that it gets, or loses where `deleted_at` is set"),
      Column("user_id", Key?.self, "the actor's, where it is said"),
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
    return try take(json, name)
  }
}
