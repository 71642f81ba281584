/// A task's row as a device sends it: made or changed, whichever is called for (DM-7).
///
/// What the row leaves out stays as it is. Rows may come in any order and again; the last one in the book's
/// order decides each field, but for what is done (DM-8) and what is deleted: that stays so.
public struct UpsertTask: Command {
  /// The client's name for the task.
  public var key: Key
  /// Whose the row says it is: the actor's.
  public var owner: Key?
  /// In which bucket it is.
  public var bucket: Edit<TaskBucket> = .keep
  /// The key of the task of which it is a part.
  public var parent: Edit<Key?> = .keep
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
  /// Where it stands among its siblings.
  public var rank: Edit<Rank?> = .keep
  /// Whether it is done. Of a repeating task: whether the occurrence that the row says is due is.
  public var isDone: Edit<Bool> = .keep
  /// When it was done.
  public var completed: Instant?
  /// Whether it is deleted.
  public var isDeleted = false

  /// Makes a row that says nothing yet.
  public init(_ key: Key) { self.key = key }

  /// Decides the command; the answer is the task's number.
  ///
  /// - Throws: ``TaskRejection``. After ``TaskRejection/parentNotFound`` the row may be sent again once the
  ///   parent was.
  public func decide(
    _ state: State, _ context: Context
  ) throws(TaskRejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    guard let number = state.tasks.number(of: key) else {
      try create(&plan)
      return Decision(plan.events, state.tasks.nextNumber)
    }
    guard let item = state.tasks[number], item.owner == plan.actor else { throw .notOwner }
    // What is deleted stays so, whatever rows of devices come late that do not know it.
    guard !item.isDeleted else { return Decision([], number) }
    if isDeleted { plan.delete(number) } else { try change(number, item, &plan) }
    return Decision(plan.events, number)
  }

  private func create(_ plan: inout TaskPlan) throws(TaskRejection) {
    let number = plan.state.tasks.nextNumber
    let above = try parentNumber(plan)
    let bucket = bucket.applied(to: above.flatMap { plan[$0]?.bucket } ?? .thisWeek)
    let title = try checkedTaskTitle(title.applied(to: ""))
    let due = due.applied(to: nil)
    let repetition = try plan.repetition(
      recurrence.applied(to: nil), origin.applied(to: .due), due: due, after: nil)
    var place = rank.applied(to: nil)
    if place == nil {
      place = try plan.rank(
        at: .last, of: .init(parent: above, bucket: bucket), leavingOut: nil)
    }
    plan.add(
      TaskCreated(
        key: key, owner: plan.actor, bucket: bucket, parent: above, title: title,
        description: description.applied(to: nil), due: due, repetition: repetition,
        rank: place ?? .first))
    if isDeleted { return plan.delete(number) }
    if isDone.applied(to: false) {
      try plan.complete(number, slot: nil, at: completed ?? plan.context.at)
    }
    plan.reopenAncestors(of: number)
  }

  private func change(
    _ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan
  ) throws(TaskRejection) {
    let stale = staleOccurrence(of: item)
    try plan.describe(number, title, description)
    try schedule(number, item, stale, &plan)
    try place(number, item, &plan)
    if stale == nil {
      switch isDone {
      case .keep: break
      case .set(false): plan.reopen(number)
      case .set(true):
        try plan.complete(
          number, slot: due.applied(to: nil), at: completed ?? plan.context.at)
      }
    }
    plan.reopenAncestors(of: number)
  }

  /// The occurrence that the row still shows, though it is done: then what the row says of it is old.
  private func staleOccurrence(of item: TaskItem) -> TaskOccurrence? {
    guard case .set(let due) = due else { return nil }
    return item.occurrences.last { occurrence in
      guard occurrence.removed == nil, occurrence.due == due else { return false }
      return due != nil || recurrence == .set(occurrence.rule)
    }
  }

  private func schedule(
    _ number: TaskItem.ID, _ item: TaskItem, _ stale: TaskOccurrence?, _ plan: inout TaskPlan
  ) throws(TaskRejection) {
    guard let stale else { return try plan.schedule(number, due, recurrence, origin) }
    // A rule that is another than the one that the occurrence had was changed on purpose.
    guard case .set(let rule) = recurrence, rule != stale.rule, rule != item.repetition?.rule else {
      return
    }
    try plan.schedule(number, .keep, recurrence, origin)
  }

  private func place(
    _ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan
  ) throws(TaskRejection) {
    var list = TaskPlan.List(parent: item.parent, bucket: bucket.applied(to: item.bucket))
    if case .set = parent { list.parent = try parentNumber(plan) }
    if let parent = list.parent { try plan.checkParent(parent, of: number) }
    if let rank = rank.applied(to: nil) { return plan.move(number, to: list, rank) }
    if list.holds(item) { return plan.move(number, to: list, item.rank) }
    let rank = try plan.rank(at: .last, of: list, leavingOut: number)
    plan.move(number, to: list, rank)
  }

  /// The parent that the row names. What is put under a deleted one goes to what that was a part of: it was
  /// not there when that was deleted, and nothing is lost.
  private func parentNumber(_ plan: TaskPlan) throws(TaskRejection) -> TaskItem.ID? {
    guard let key = parent.applied(to: nil) else { return nil }
    guard key != self.key else { throw .taskCycle }
    guard let number = plan.state.tasks.number(of: key), let item = plan[number] else {
      throw .parentNotFound
    }
    guard item.owner == plan.actor else { throw .notOwner }
    return ([number] + plan.ancestors(of: number)).first { plan[$0]?.isDeleted == false }
  }
}
