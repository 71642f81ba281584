package import Values
package import Calendar
public import Avro

extension Request {
  /// The commands about tasks and labels.
  static let taskTypes: [any ColumnCommand.Type] = [
    CreateTask.self, UpdateTask.self, MoveTask.self,
    CompleteTask.self, ReopenTask.self,
    DeleteTask.self, UpsertTask.self,
    CreateLabel.self, UpdateLabel.self,
    DeleteLabel.self, UpsertLabel.self,
    SetTaskLabels.self, UndoTask.self,
  ]
}

/// Creates a task (DM-2). It changes nothing if the owner repeats it with the same key and content.
public struct CreateTask: ColumnCommand {
  /// The client's key for the task; a fresh one if `nil`.
  package var key: Key?
  package var content: TaskContent
  /// The bucket. If `nil`, the parent's bucket, or this week for a task without a parent.
  package var bucket: TaskBucket?
  /// The task of which it is a subtask.
  package var parent: TaskItem.ID?
  /// Its place among its siblings.
  package var place: ListPlace<TaskItem>
  /// The labels that it has.
  package var labels: [TaskLabel.ID]

  public init(
    key: Key? = nil, title: String, description: String? = nil, bucket: TaskBucket? = nil,
    parent: TaskItem.ID? = nil, due: Instant? = nil, recurrence: String? = nil,
    from origin: TaskRepetition.Origin? = nil, place: ListPlace<TaskItem> = .last,
    labels: [TaskLabel.ID] = []
  ) {
    self.key = key
    content = TaskContent(
      title: title, description: description, due: due, recurrence: recurrence, from: origin)
    self.bucket = bucket
    self.parent = parent
    self.place = place
    self.labels = labels
  }

  package static let form = CommandForm("create_task", "Creates a task.", answer: "task")
  /// A task without a title.
  public static var defaults: CreateTask { CreateTask(title: "") }

  /// `key`, and the columns of the content, the place and the labels.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("key", &key)
    try content.visitText(&visitor)
    try visitor.column(
      "bucket_key", &bucket, [.doc("its parent's unless given; `THIS_WEEK` without a parent")])
    try visitor.columns(
      OptionalEntityCodec("parent_task_id", orElse: Rejection.parentNotFound), &parent)
    try visitor.column("due_at", &content.due)
    try content.visitRecurrence(&visitor)
    try visitor.columns(ListPlaceCodec(noun: "task"), &place)
    try visitor.column("labels", &labels)
  }

  /// Decides the command; the answer is the task's number. A done parent is reopened.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    let key = key ?? context.freshKey
    let title = try checkedTaskTitle(content.title)
    let repetition = try plan.repetition(content, after: nil)
    var above: TaskItem?
    if let parent { above = try plan.own(parent) }
    let bucket = bucket ?? above?.bucket ?? .thisWeek
    let known = try state.known(key, in: state.tasks) { task in
      task.owner == plan.actor && task.title == title && task.description == content.description
        && task.due == content.due && task.repetition?.rule == repetition?.rule
        && task.repetition?.origin == repetition?.origin && task.parent == parent
        && task.bucket == bucket && Set(task.currentLabels) == Set(self.labels)
    }
    if let known { return Decision([], known) }
    let rank = try plan.rank(
      at: place, of: .init(parent: parent, bucket: bucket), leavingOut: nil)
    let labels = try plan.given(labels)
    let number = state.tasks.nextNumber
    if let parent, above?.isDone == true {
      for ancestor in plan.doneAncestors(of: parent) + [parent] {
        plan.add(TaskReopened(task: ancestor))
      }
    }
    try Limit.text.check(content.description, "description")
    plan.add(
      TaskCreated(
        key: key, owner: plan.actor, bucket: bucket, parent: parent, title: title,
        description: content.description, due: content.due, repetition: repetition, rank: rank))
    try plan.label(number, add: labels, remove: [])
    return Decision(plan.events, number)
  }
}

/// Changes a task's content, due time or repetition.
public struct UpdateTask: EntityCommand, ChangingCommand {
  package var thing: TaskItem.ID
  /// The changes of its content.
  package var patch: Patch<TaskContent>
  /// The labels to add.
  package var added: [TaskLabel.ID] = []
  /// The labels to remove.
  package var removed: [TaskLabel.ID] = []
  /// Whether the command changes nothing.
  package var isEmpty: Bool { patch.isEmpty && added.isEmpty && removed.isEmpty }

  public init(_ task: TaskItem.ID, _ set: (inout TaskContent) -> Void = { _ in }) {
    thing = task
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_task", "Changes a task's text, due time, repetition or labels.",
    answer: "task")
  /// A command that changes nothing and names no task yet.
  public static var defaults: UpdateTask { UpdateTask(.placeholder) }

  /// `task`, the columns of the content, `labels` to add, and `removed_labels`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try TaskItem.visit(&thing, by: &visitor)
    try visitor.columns(&patch)
    try visitor.column("labels", &added, [.doc("the labels to add")])
    try visitor.columns(LostLabelsCodec("removed_labels"), &removed)
  }

  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    var content = patch.applied(to: TaskContent(found))
    if patch.has("title") { content.title = try checkedTaskTitle(content.title) }
    try plan.describe(thing, content)
    try plan.schedule(thing, content)
    try plan.checkTaken(removed)
    try plan.label(thing, add: try plan.given(added), remove: removed)
    return plan.events
  }
}

/// Moves a task: into a bucket, under another task, before or after one of its siblings.
public struct MoveTask: EntityCommand {
  package var thing: TaskItem.ID
  /// The new bucket; subtasks move with the task. A subtask that gets a bucket, but no parent, becomes a
  /// top-level task.
  package var bucket: TaskBucket?
  /// The new parent, if it changes.
  package var parent: Patch<TaskParent>
  /// The new place among its siblings. A task that is placed before or after another one joins that task's
  /// list, unless a bucket or parent is given.
  package var place: ListPlace<TaskItem>

  /// Makes the command; the closure sets the new parent.
  public init(
    _ task: TaskItem.ID, to bucket: TaskBucket? = nil, place: ListPlace<TaskItem> = .last,
    under set: (inout TaskParent) -> Void = { _ in }
  ) {
    thing = task
    self.bucket = bucket
    self.place = place
    parent = Patch(set)
  }

  /// The parent of a task.
  public struct TaskParent: Columns {
    /// The task of which it is a subtask; none for a top-level task.
    public var parent: TaskItem.ID?

    /// No parent.
    public static var defaults: TaskParent { TaskParent() }

    /// `parent_task_id`.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.columns(
        OptionalEntityCodec(
          "parent_task_id", orElse: Rejection.parentNotFound,
          "the new parent; null for none"), &parent)
    }
  }

  package static let form = CommandForm(
    "move_task", "Moves a task to a bucket, under another task, or before or after one.",
    answer: "task")
  /// A command that names no task yet.
  public static var defaults: MoveTask { MoveTask(.placeholder) }

  /// `task`, and the columns of the new place.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try TaskItem.visit(&thing, by: &visitor)
    try visitor.column("bucket_key", &bucket)
    try visitor.columns(&parent)
    try visitor.columns(ListPlaceCodec(noun: "task"), &place)
  }

  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    let list = try list(of: found, plan)
    if let parent = list.parent { try plan.checkParent(parent, of: thing) }
    let rank = try plan.rank(at: place, of: list, leavingOut: thing)
    plan.move(thing, to: list, rank)
    plan.takeAlong(thing, from: found.bucket)
    plan.reopenAncestors(of: thing)
    return plan.events
  }

  private func list(of item: TaskItem, _ plan: TaskPlan) throws(Rejection) -> TaskPlan.List {
    var neighbour: TaskItem?
    switch place {
    case .first, .last: break
    case .before(let other), .after(let other):
      guard other != thing else { throw .invalidNeighbour }
      neighbour = try plan.own(other)
    }
    let kept: TaskItem.ID? = neighbour.map { $0.parent } ?? (bucket == nil ? item.parent : nil)
    let above = parent.applied(to: TaskParent(parent: kept)).parent
    var parentItem: TaskItem?
    if let above { parentItem = try plan.own(above) }
    let isMoved = above != item.parent
    return .init(
      parent: above,
      bucket: bucket ?? neighbour?.bucket ?? (isMoved ? parentItem?.bucket : nil) ?? item.bucket)
  }
}

/// Deletes a task with all of its subtasks; as-of queries still find them, and an undo restores them.
public struct DeleteTask: PurgeCommand {
  /// The task. A task that is already deleted can still be purged.
  package var thing: TaskItem.ID
  /// Whether to hide even the tombstone from devices.
  package var purge: Bool

  public init(_ task: TaskItem.ID, purge: Bool = false) {
    thing = task
    self.purge = purge
  }

  package static let form = CommandForm(
    "delete_task", "Deletes a task with all its subtasks.", answer: "id, deleted")
  /// A command that names no task yet.
  public static var defaults: DeleteTask { DeleteTask(.placeholder) }

  func delete(from plan: inout TaskPlan) {
    if purge { plan.purge(thing) } else { plan.delete(thing) }
  }
}
