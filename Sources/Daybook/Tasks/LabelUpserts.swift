public import Values
package import Calendar
public import Avro

/// A label's row as a device sends it: made or changed, whichever is called for (DM-7). A deleted label stays
/// deleted.
public struct UpsertLabel: ColumnCommand {
  /// The client's name for the label.
  package var key: Key
  /// Whose the row says it is: the actor's.
  public var owner: Key?
  /// What the row says of the label.
  package var patch: Patch<LabelRow>
  /// When it was deleted, if it was.
  package var deleted: Instant?

  /// Makes a row that says what the closure sets.
  public init(_ key: Key, _ set: (inout LabelRow) -> Void = { _ in }) {
    self.key = key
    patch = Patch(set)
  }

  /// What a row may say of a label.
  public struct LabelRow: Columns {
    /// What it is called.
    public var name = ""
    /// Its colour; nothing where the row has none.
    public var color: String?

    /// Says nothing.
    public static var defaults: LabelRow { LabelRow() }

    /// `name`, `color`.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column("name", &name)
      try visitor.column("color", &color, [.bounds(LabelContent.colorPattern)])
    }
  }

  /// "upsert_label".
  package static var form: CommandForm {
    CommandForm(
      "upsert_label", "Makes or changes a label, as a row of `labels` says it.", answer: "label")
  }
  /// Of no label yet.
  public static var defaults: UpsertLabel { UpsertLabel(Key(high: 0, low: 0)) }

  /// The columns of `labels`. The stamps are the book's.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(RowKeyCodec(noun: "label"), &key)
    try visitor.column("user_id", &owner, [.doc("the actor's, where it is said")])
    try visitor.columns(&patch)
    try visitor.columns(RowStampsCodec(), &deleted)
  }

  /// Decides the command; the answer is the label's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskLabel.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    let isDeleted = deleted != nil
    guard let number = state.labels.number(of: key) else {
      // Of what was never here nothing is left to delete.
      if isDeleted, !patch.has("name") { return Decision([], state.labels.nextNumber) }
      let row = patch.applied(to: LabelRow())
      plan.add(
        LabelCreated(
          key: key, owner: plan.actor, name: try checkedLabelName(row.name),
          color: try checkedLabelColor(row.color ?? CreateLabel.usualColor)))
      if isDeleted { plan.add(LabelDeleted(label: state.labels.nextNumber)) }
      return Decision(plan.events, state.labels.nextNumber)
    }
    guard let label = state.labels[number], label.owner == plan.actor else { throw .notOwner }
    guard !label.isDeleted else { return Decision([], number) }
    let row = patch.applied(to: LabelRow(name: label.name))
    if isDeleted {
      plan.delete(number)
    } else if let described = try plan.describe(
      number, label,
      LabelContent(name: try checkedLabelName(row.name), color: row.color ?? label.color))
    {
      plan.add(described)
    }
    return Decision(plan.events, number)
  }

  /// The label's row, also when it is deleted.
  package func row(of answer: TaskLabel.ID, in state: BookState) -> JSON {
    state.labels[answer].map { state.labelRow($0) } ?? .null
  }
}

/// Gives a task labels and takes others from it; those that are not named stay (DM-8). One that is named both
/// ways is taken. A task or a label that was deleted meanwhile is passed over.
package struct SetTaskLabels: Command {
  /// The task.
  package var task: TaskItem.ID
  /// Whose a row says the task is: the actor's.
  package var owner: Key?
  /// The labels that it gets, if it has them not.
  package var added: [TaskLabel.ID]
  /// The labels that it loses, if it has them.
  package var removed: [TaskLabel.ID]
  /// Whether devices are not even told that it lost them; then those count, too, that it lost before.
  package var purge: Bool
  /// Whether it takes labels from a task that is not there: then nothing happens.
  var isOfNothing = false

  /// Makes the command.
  package init(
    _ task: TaskItem.ID, add added: [TaskLabel.ID], remove removed: [TaskLabel.ID] = [],
    purge: Bool = false
  ) {
    self.task = task
    self.added = added
    self.removed = removed
    self.purge = purge
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  package func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    if isOfNothing { return Decision([], task) }
    guard let item = state.tasks[task] else { throw .taskNotFound }
    guard item.owner == plan.actor else { throw .notOwner }
    // A device that does not know that the task was deleted need not ask again.
    if item.isDeleted { return Decision([], task) }
    try plan.checkTaken(removed)
    try plan.label(task, add: try plan.given(added), remove: removed, purged: purge)
    return Decision(plan.events, task)
  }
}

extension SetTaskLabels: RequestBody {
  /// `task`, `labels` (those that it gets), `removed` (those that it loses); or the columns of one row of
  /// `task_labels`, which is removed where `deleted_at` is set; and `purge`. The stamps are the book's. A label that is not
  /// there need not be taken, nor one from a task that is not there.
  package init(_ reader: inout RequestReader) throws {
    let purge = try reader.optional("purge", Bool.jsonWords) { $0.boolean } ?? false
    guard try reader.optionalKey("label_id") != nil else {
      let added = try reader.labels("labels")
      let isLoss = added.isEmpty && reader.value("removed") != nil
      let removed = try LostLabelsCodec("removed").read(&reader) ?? []
      let task = isLoss ? try reader.taskIfAny("task") : try reader.task("task")
      self.init(
        task ?? reader.state.tasks.nextNumber, add: added, remove: removed, purge: purge)
      isOfNothing = task == nil
      return
    }
    let deleted: Instant? = try RowStampsCodec().read(&reader) ?? nil
    let isDeleted = deleted != nil
    let task = isDeleted ? try reader.taskIfAny("task_id") : try reader.task("task_id")
    let label = try reader.label("label_id", isLoss: isDeleted)
    self.init(
      task ?? reader.state.tasks.nextNumber, add: isDeleted ? [] : label,
      remove: isDeleted ? label : [], purge: purge)
    isOfNothing = task == nil
    owner = try reader.optionalKey("user_id")
  }

  /// The task's key, and the labels that it has.
  package func row(of answer: TaskItem.ID, in state: BookState) -> JSON {
    guard let task = state.tasks[answer] else { return .null }
    let keys = task.currentLabels.compactMap { state.labels[$0] }
      .filter { !$0.isDeleted }.map(\.key).sorted()
    return ["task_id": .key(task.key), "labels": .array(keys.map { .key($0) })]
  }
}

extension RequestReader {
  /// The number of the task that a field names by key.
  fileprivate mutating func task(_ name: String) throws -> TaskItem.ID {
    guard let number = try taskIfAny(name) else { throw Rejection.taskNotFound }
    return number
  }

  /// The number of the task that a field names by key, if it is there.
  fileprivate mutating func taskIfAny(_ name: String) throws -> TaskItem.ID? {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    return state.tasks.number(of: key)
  }

  /// The label that a field names, as a list: one that is lost need not be there.
  fileprivate mutating func label(_ name: String, isLoss: Bool) throws -> [TaskLabel.ID] {
    guard let key = try optionalKey(name) else { throw Rejection.missingField(name) }
    if let number = state.labels.number(of: key) { return [number] }
    guard isLoss else { throw Rejection.labelNotFound }
    return []
  }

  /// The labels that a field names.
  fileprivate mutating func labels(_ name: String) throws -> [TaskLabel.ID] {
    guard let json = value(name), json != .null else { return [] }
    return try take(json, name)
  }
}
