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
  /// - Throws: ``Rejection``. After ``Rejection/parentNotFound`` the row may be sent again once the
  ///   parent was.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    guard let number = state.tasks.number(of: key) else {
      // Of what was never here nothing is left to delete.
      if isDeleted, title == .keep { return Decision([], state.tasks.nextNumber) }
      try create(&plan)
      return Decision(plan.events, state.tasks.nextNumber)
    }
    guard let item = state.tasks[number], item.owner == plan.actor else { throw .notOwner }
    // What is deleted stays so, whatever rows of devices come late that do not know it.
    guard !item.isDeleted else { return Decision([], number) }
    if isDeleted { plan.delete(number) } else { try change(number, item, &plan) }
    return Decision(plan.events, number)
  }

  private func create(_ plan: inout TaskPlan) throws(Rejection) {
    let number = plan.state.tasks.nextNumber
    let above = try parentNumber(plan)
    let bucket = bucket.applied(to: above.flatMap { plan[$0]?.bucket } ?? .thisWeek)
    let title = try checkedTaskTitle(title.applied(to: ""))
    try Limit.text.check(description.applied(to: nil), "description")
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
      try plan.complete(number, slot: nil, at: completed)
    }
    settle(number, &plan)
  }

  private func change(
    _ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan
  ) throws(Rejection) {
    let series = try SeriesRow(self, item, plan)
    try plan.describe(number, title, description)
    if !series.isDueKept || series.recurrence != .keep {
      try plan.schedule(number, series.isDueKept ? .keep : due, series.recurrence, origin)
    }
    try place(number, item, &plan)
    if !series.isOld {
      switch isDone {
      case .keep: break
      case .set(false): plan.reopen(number)
      case .set(true) where isKnown(to: item, plan): break
      case .set(true): try plan.complete(number, slot: due.applied(to: nil), at: completed)
      }
    }
    settle(number, &plan)
  }

  /// Whether the row, which does not say what was due, is one that came before: by when it says it was done.
  private func isKnown(to item: TaskItem, _ plan: TaskPlan) -> Bool {
    guard due == .keep, item.repetition != nil, let completed else { return false }
    let done = min(completed, plan.context.at)
    return item.occurrences.contains { $0.removed == nil && $0.completed == done }
  }

  private func place(
    _ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan
  ) throws(Rejection) {
    var list = TaskPlan.List(parent: item.parent, bucket: bucket.applied(to: item.bucket))
    if case .set = parent {
      let above = try parentNumber(plan)
      // Two devices may each have put one of two tasks under the other: the one that came first counts.
      let isCycle = above.map { $0 != item.parent && plan.isPart($0, of: number) } ?? false
      if !isCycle { list.parent = above }
    }
    let place: Rank
    if let rank = rank.applied(to: nil) {
      place = rank
    } else if list.holds(item) {
      place = item.rank
    } else {
      place = try plan.rank(at: .last, of: list, leavingOut: number)
    }
    plan.move(number, to: list, place)
    // A part that a device has put elsewhere stays there.
    plan.takeAlong(number, from: item.bucket) { $0.bucket == item.bucket }
  }

  /// What is open is a part of nothing that is done: that is opened, unless somebody said just now that it is done.
  /// Then the part is done with it, as it would have been had it come before (DM-8).
  private func settle(_ number: TaskItem.ID, _ plan: inout TaskPlan) {
    guard plan[number]?.isDone == false else { return }
    let done = plan.doneAncestors(of: number)
    guard done.contains(where: plan.isContested) else { return plan.reopenAncestors(of: number) }
    guard let completed = done.last.flatMap({ plan[$0]?.completed }) else { return }
    plan.completeParts(of: number, at: completed)
    plan.add(TaskCompleted(task: number, completed: completed, withParent: true))
  }

  /// The parent that the row names. What is put under a deleted one goes to what that was a part of: it was
  /// not there when that was deleted, and nothing is lost. To a deleted row it does not matter.
  private func parentNumber(_ plan: TaskPlan) throws(Rejection) -> TaskItem.ID? {
    guard let key = parent.applied(to: nil) else { return nil }
    guard key != self.key else { throw .taskCycle }
    guard let number = plan.state.tasks.number(of: key), let item = plan[number] else {
      if isDeleted { return nil }
      throw .parentNotFound
    }
    guard item.owner == plan.actor else { throw .notOwner }
    if !item.isDeleted { return number }
    return plan.ancestors(of: number).first { plan[$0]?.isDeleted == false }
  }
}

/// What a row says of when its task is due and how it repeats, where the task repeats or did: the device may not
/// know yet what was done of the series meanwhile.
private struct SeriesRow {
  /// Whether the row still shows a slot that is done: then it is old, and what it says of due, rule and done is
  /// passed over, but for a rule that the series never had.
  let isOld: Bool
  /// Whether it stays due as it is: the row is old, or says that some slot of the series is done.
  let isDueKept: Bool
  /// How it repeats: a rule that the series had changes nothing, for only the book knows how much of its COUNT
  /// is left.
  let recurrence: Edit<String?>

  init(_ row: UpsertTask, _ item: TaskItem, _ plan: TaskPlan) throws(Rejection) {
    let slot = row.due.applied(to: nil)
    let done =
      slot == item.due ? nil : item.occurrences.last { $0.removed == nil && $0.due == slot }
    let rule = try Self.canonical(row.recurrence)
    let isOver = try Self.isOver(item, plan)
    let isKnown =
      rule.map { Self.isKnown($0, to: item, isOver: isOver) || $0 == done?.rule } ?? false
    let isDone = row.isDone == .set(true)
    var isSlot = false
    if let slot, slot != item.due, isDone || item.endedSeries != nil,
      isKnown || row.recurrence == .keep
    {
      isSlot = try Self.isSlot(slot, of: item, plan)
    }
    // After the end the rule tells, which is gone where the end is known.
    let isOfBefore = row.due == .set(item.due) || isSlot && !isDone
    isOld = slot != nil && done != nil || isKnown && item.endedSeries != nil && isOfBefore
    isDueKept = isOld || isSlot && isDone
    let isSeries = item.repetition != nil || isOver && row.due == .set(item.due)
    recurrence = isKnown && (isDueKept || isSeries) ? .keep : row.recurrence
  }

  /// Whether the series that the task was in is over, also if it was opened again since.
  private static func isOver(_ item: TaskItem, _ plan: TaskPlan) throws(Rejection) -> Bool {
    guard item.repetition == nil, let last = item.lastOfSeries else { return false }
    let rule = try plan.recurrence(last.rule, .due)
    return rule.rule.count == 1 || !rule.goesOn(after: item.due ?? last.completed)
  }

  private static func canonical(
    _ recurrence: Edit<String?>
  ) throws(Rejection) -> String? {
    guard let text = recurrence.applied(to: nil) else { return nil }
    do throws(RecurrenceError) {
      return try RecurrenceRule(parsing: text).description
    } catch { throw .invalidRecurrence(error) }
  }

  /// Whether a rule is the series' own, or was before so much of its COUNT was used.
  private static func isKnown(_ rule: String, to item: TaskItem, isOver: Bool) -> Bool {
    let last = isOver ? item.lastOfSeries : item.endedSeries
    guard let current = item.repetition?.rule ?? last?.rule else { return false }
    return rule == current
      || endless(rule) == endless(current)
        && item.occurrences.contains { $0.removed == nil && $0.rule == rule }
  }

  private static func endless(_ rule: String) -> RecurrenceRule? {
    var rule = try? RecurrenceRule(parsing: rule)
    rule?.count = nil
    return rule
  }

  /// Whether an instant is a slot of the series that the task is in, or that was over when it was done.
  private static func isSlot(
    _ slot: Instant, of item: TaskItem, _ plan: TaskPlan
  ) throws(Rejection) -> Bool {
    if let repetition = item.repetition {
      guard repetition.origin == .due, let start = repetition.start else { return false }
      return try plan.recurrence(repetition.rule, .due).isOccurrence(slot, since: start)
    }
    guard let last = item.endedSeries, last.day == nil, let other = last.due else { return false }
    return try plan.recurrence(last.rule, .due).areOfOneSeries(slot, other)
  }
}
