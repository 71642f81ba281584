/// Notes something to do (DM-2). Repeated by its owner with the same key it changes nothing.
public struct CreateTask: Command {
  /// The client's name for the task; a fresh one unless given.
  public var key: Key?
  /// What is to be done.
  public var title: String
  /// More about it.
  public var description: String?
  /// In which bucket; its parent's, or this week, unless given.
  public var bucket: TaskBucket?
  /// The task of which it is a part.
  public var parent: TaskItem.ID?
  /// When it is due.
  public var due: Instant?
  /// How it repeats: an RFC 5545 RRULE value.
  public var recurrence: String?
  /// From where the next occurrence is told.
  public var origin: TaskRepetition.Origin
  /// Where it stands among its siblings.
  public var place: TaskPlace
  /// The labels that it has.
  public var labels: [TaskLabel.ID]

  /// Makes the command.
  public init(
    key: Key? = nil, title: String, description: String? = nil, bucket: TaskBucket? = nil,
    parent: TaskItem.ID? = nil, due: Instant? = nil, recurrence: String? = nil,
    from origin: TaskRepetition.Origin = .due, place: TaskPlace = .last,
    labels: [TaskLabel.ID] = []
  ) {
    self.key = key
    self.title = title
    self.description = description
    self.bucket = bucket
    self.parent = parent
    self.due = due
    self.recurrence = recurrence
    self.origin = origin
    self.place = place
    self.labels = labels
  }

  /// Decides the command; the answer is the task's number. A done parent is opened again.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    let key = key ?? context.freshKey
    if let existing = state.tasks.number(of: key) {
      guard let task = state.tasks[existing], task.owner == plan.actor, !task.isDeleted else {
        throw .keyTaken(key)
      }
      return Decision([], existing)
    }
    let title = try checkedTaskTitle(title)
    let repetition = try plan.repetition(recurrence, origin, due: due, after: nil)
    var above: TaskItem?
    if let parent { above = try plan.own(parent) }
    let bucket = bucket ?? above?.bucket ?? .thisWeek
    let rank = try plan.rank(
      at: place, of: .init(parent: parent, bucket: bucket), leavingOut: nil)
    let labels = try plan.given(labels)
    let number = state.tasks.nextNumber
    if let parent, above?.isDone == true {
      for ancestor in plan.doneAncestors(of: parent) + [parent] {
        plan.add(TaskReopened(task: ancestor))
      }
    }
    try Limit.text.check(description, "description")
    plan.add(
      TaskCreated(
        key: key, owner: plan.actor, bucket: bucket, parent: parent, title: title,
        description: description, due: due, repetition: repetition, rank: rank))
    try plan.label(number, add: labels, remove: [])
    return Decision(plan.events, number)
  }
}

/// Changes what a task says, when it is due or how it repeats.
public struct UpdateTask: Command {
  /// The task.
  public var task: TaskItem.ID
  /// What is to be done.
  public var title: Edit<String> = .keep
  /// More about it.
  public var description: Edit<String?> = .keep
  /// When it is due.
  public var due: Edit<Instant?> = .keep
  /// How it repeats: an RFC 5545 RRULE value.
  public var recurrence: Edit<String?> = .keep
  /// From where the next occurrence is told.
  public var origin: Edit<TaskRepetition.Origin> = .keep
  /// The labels that it gets.
  public var added: [TaskLabel.ID] = []
  /// The labels that it loses.
  public var removed: [TaskLabel.ID] = []

  /// Makes a command that changes nothing yet.
  public init(_ task: TaskItem.ID) { self.task = task }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    _ = try plan.own(task)
    try plan.describe(task, title, description)
    try plan.schedule(task, due, recurrence, origin)
    try plan.checkTaken(removed)
    try plan.label(task, add: try plan.given(added), remove: removed)
    return Decision(plan.events, task)
  }
}

/// Puts a task elsewhere: into a bucket, under another task, before or after one of its siblings.
public struct MoveTask: Command {
  /// The task.
  public var task: TaskItem.ID
  /// In which bucket; what is a part of it goes with it. A subtask that is given a bucket and no parent leaves
  /// its parent.
  public var bucket: TaskBucket?
  /// The task of which it is to be a part; none to be part of nothing.
  public var parent: Edit<TaskItem.ID?>
  /// Where among its siblings; beside another task, in that one's list, unless told otherwise.
  public var place: TaskPlace

  /// Makes the command.
  public init(
    _ task: TaskItem.ID, to bucket: TaskBucket? = nil, under parent: Edit<TaskItem.ID?> = .keep,
    place: TaskPlace = .last
  ) {
    self.task = task
    self.bucket = bucket
    self.parent = parent
    self.place = place
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    let item = try plan.own(task)
    let list = try list(of: item, plan)
    if let parent = list.parent { try plan.checkParent(parent, of: task) }
    let rank = try plan.rank(at: place, of: list, leavingOut: task)
    plan.move(task, to: list, rank)
    plan.takeAlong(task, from: item.bucket)
    plan.reopenAncestors(of: task)
    return Decision(plan.events, task)
  }

  private func list(of item: TaskItem, _ plan: TaskPlan) throws(Rejection) -> TaskPlan.List {
    var neighbour: TaskItem?
    switch place {
    case .first, .last: break
    case .before(let other), .after(let other):
      guard other != task else { throw .invalidNeighbour }
      neighbour = try plan.own(other)
    }
    let above: TaskItem.ID? =
      switch parent {
      case .set(let parent): parent
      case .keep: neighbour.map { $0.parent } ?? (bucket == nil ? item.parent : nil)
      }
    var parentItem: TaskItem?
    if let above { parentItem = try plan.own(above) }
    let isMoved = above != item.parent
    return .init(
      parent: above,
      bucket: bucket ?? neighbour?.bucket ?? (isMoved ? parentItem?.bucket : nil) ?? item.bucket)
  }
}

/// Deletes a task with all that is a part of it; time travel finds them, and an undo brings them back.
public struct DeleteTask: Command {
  /// The task.
  public var task: TaskItem.ID

  /// Makes the command.
  public init(_ task: TaskItem.ID) { self.task = task }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    _ = try plan.own(task)
    plan.delete(task)
    return Decision(plan.events, task)
  }
}

// The steps of which these commands and upserts are made. Each adds nothing when nothing changes.
extension TaskPlan {
  func repetition(
    _ rule: String?, _ origin: TaskRepetition.Origin, due: Instant?, after former: TaskRepetition?
  ) throws(Rejection) -> TaskRepetition? {
    guard let rule else { return nil }
    do throws(RecurrenceError) {
      return try TaskRecurrence(rule, origin, account.dayClock, context.zones)
        .repetition(due: due, after: former)
    } catch { throw .invalidRecurrence(error) }
  }

  mutating func describe(
    _ number: TaskItem.ID, _ title: Edit<String>, _ description: Edit<String?>
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let title = try checkedTaskTitle(title.applied(to: item.title))
    let description = description.applied(to: item.description)
    guard title != item.title || description != item.description else { return }
    try Limit.text.check(description, "description")
    add(TaskDescribed(task: number, title: title, description: description))
  }

  mutating func schedule(
    _ number: TaskItem.ID, _ due: Edit<Instant?>, _ recurrence: Edit<String?>,
    _ origin: Edit<TaskRepetition.Origin>
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let due = due.applied(to: item.due)
    let origin = origin.applied(to: item.repetition?.origin ?? .due)
    var repetition = try repetition(
      recurrence.applied(to: item.repetition?.rule), origin, due: due, after: item.repetition)
    // What stays due as it was stays in its series.
    if due == item.due, repetition?.rule == item.repetition?.rule {
      repetition = item.repetition
      repetition?.origin = origin
    }
    guard due != item.due || repetition != item.repetition else { return }
    add(TaskScheduled(task: number, due: due, repetition: repetition))
  }

  mutating func move(_ number: TaskItem.ID, to list: List, _ rank: Rank) {
    guard let item = self[number],
      item.parent != list.parent || item.bucket != list.bucket || item.rank != rank
    else { return }
    add(TaskMoved(task: number, bucket: list.bucket, parent: list.parent, rank: rank))
  }

  /// Takes the parts of a task that was in another bucket along into the one that it is in now.
  mutating func takeAlong(
    _ number: TaskItem.ID, from former: TaskBucket,
    where isTaken: (TaskItem) -> Bool = { _ in true }
  ) {
    guard let bucket = self[number]?.bucket, bucket != former else { return }
    for part in descendants(of: number) {
      guard let found = self[part], isTaken(found) else { continue }
      move(part, to: .init(parent: found.parent, bucket: bucket), found.rank)
    }
  }

  /// Deletes a task and its parts, the parts first.
  mutating func delete(_ number: TaskItem.ID) {
    for part in descendants(of: number).reversed() { add(TaskDeleted(task: part)) }
    add(TaskDeleted(task: number))
  }
}
