/// Says that a task is done (DM-5). Of a repeating one an occurrence is done, once, and the next is open.
public struct CompleteTask: Command {
  /// The task.
  public var task: TaskItem.ID
  /// The occurrence that is meant, by when it was due: one that is done already is not done again.
  public var slot: Instant?
  /// When it was done; the book's clock unless given, and not after that.
  public var completed: Instant?

  /// Makes the command.
  public init(_ task: TaskItem.ID, slot: Instant? = nil, at completed: Instant? = nil) {
    self.task = task
    self.slot = slot
    self.completed = completed
  }

  /// Decides the command.
  ///
  /// - Throws: ``TaskRejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(TaskRejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    _ = try plan.own(task)
    try plan.complete(task, slot: slot, at: completed ?? context.at)
    return Decision(plan.events, task)
  }
}

/// Says that a done task is to be done again, and with it what was done because it was.
public struct ReopenTask: Command {
  /// The task.
  public var task: TaskItem.ID

  /// Makes the command.
  public init(_ task: TaskItem.ID) { self.task = task }

  /// Decides the command. What somebody said to be done within the last two seconds stays done (DM-8).
  ///
  /// - Throws: ``TaskRejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(TaskRejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    _ = try plan.own(task)
    plan.reopen(task)
    return Decision(plan.events, task)
  }
}

extension TaskPlan {
  /// So long a completion wins over a reopening (DM-8).
  static let contestMilliseconds: Int64 = 2000

  mutating func complete(
    _ number: TaskItem.ID, slot: Instant?, at done: Instant
  ) throws(TaskRejection) {
    guard let item = self[number] else { return }
    if let slot, item.hasDone(slot) { return }
    let done = min(done, context.at)
    if let completed = item.completed {
      // Said once more, so that it wins over whoever reopens it just now.
      return add(
        TaskCompleted(task: number, completed: completed, withParent: item.wasDoneWithParent))
    }
    if let repetition = item.repetition {
      return try completeOccurrence(of: number, item, repetition, slot: slot, at: done)
    }
    completeParts(of: number, at: done)
    add(TaskCompleted(task: number, completed: done))
  }

  private mutating func completeParts(of number: TaskItem.ID, at done: Instant) {
    for part in descendants(of: number).reversed() where self[part]?.isDone == false {
      add(TaskCompleted(task: part, completed: done, withParent: true))
    }
  }

  private mutating func completeOccurrence(
    of number: TaskItem.ID, _ item: TaskItem, _ repetition: TaskRepetition, slot: Instant?,
    at done: Instant
  ) throws(TaskRejection) {
    let recurrence: TaskRecurrence
    do throws(RecurrenceError) {
      recurrence = try TaskRecurrence(
        repetition.rule, repetition.origin, account.dayClock, context.zones)
    } catch { throw .invalidRecurrence(error) }
    guard let today = account.dayClock.day(of: done, in: context.zones) else {
      throw .account(.unknownTimeZone(account.dayClock.timeZone))
    }
    // A slot before the one that is due was skipped.
    if let slot, let due = item.due, slot < due, repetition.origin == .due { return }
    let due = item.due.map { max($0, slot ?? $0) }
    let day = due == nil || repetition.origin == .completion ? today : nil
    let key = Key(completionOf: item.key, due: due, day: day)
    let isDone = item.occurrence(key) != nil
    // Once a day.
    if isDone, day != nil { return }
    let next = due.flatMap {
      recurrence.next(after: $0, repetition, now: context.at, doneOn: today)
    }
    let goesOn = due == nil ? recurrence.goesOn(after: context.at) : next != nil
    if isDone, goesOn {
      // Somebody put it back on a slot that is done: it is not done twice.
      return add(TaskScheduled(task: number, due: next, repetition: repetition))
    }
    let after = goesOn ? recurrence.counted(repetition) : nil
    if after == nil { completeParts(of: number, at: done) }
    add(
      TaskOccurrenceCompleted(
        task: number, key: key, due: due, day: day, completed: done,
        nextDue: after == nil ? nil : next, repetition: after))
    guard after != nil else { return }
    // The next occurrence has all its parts to be done again.
    for part in descendants(of: number) where self[part]?.isDone == true {
      add(TaskReopened(task: part))
    }
  }

  /// Opens a task again: that of which it is a part before, and what was done with it after.
  mutating func reopen(_ number: TaskItem.ID) {
    guard self[number]?.isDone == true else { return }
    let line = ancestors(of: number).reversed() + [number]
    let done = line.filter { self[$0]?.isDone == true }
    let isContested = done.contains { part in
      self[part]?.saidDone.map {
        context.at.milliseconds - $0.milliseconds <= Self.contestMilliseconds
      } ?? false
    }
    guard !isContested else { return }
    for part in done { add(TaskReopened(task: part)) }
    var opened: Set = [number]
    // Each part comes after that of which it is one.
    for part in descendants(of: number) {
      guard let item = self[part], item.wasDoneWithParent, let parent = item.parent,
        opened.contains(parent)
      else { continue }
      opened.insert(part)
      add(TaskReopened(task: part))
    }
  }
}

extension TaskItem {
  /// Whether the occurrence that was due then is done.
  func hasDone(_ slot: Instant) -> Bool {
    occurrences.contains { $0.due == slot && $0.removed == nil }
  }
}

extension Key {
  /// The name of the completion of a task's slot: the same task and slot have the same one on every device.
  package init(completionOf task: Key, due: Instant?, day: Day?) {
    self.init(derivedFrom: [
      "task_completion", task.description, day?.description ?? due?.description ?? "",
    ])
  }
}
