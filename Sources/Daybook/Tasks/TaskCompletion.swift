package import Values
package import Calendar
public import Avro

/// Says that a task is done (DM-5). Of a repeating one an occurrence is done, once, and the next is open.
public struct CompleteTask: ThingCommand {
  /// The task.
  package var thing: TaskItem.ID
  /// The occurrence that is meant, by when it was due: one that is done already is not done again.
  package var slot: Instant?
  /// When it was done; the book's clock unless given, and not after that.
  package var completed: Instant?

  public init(_ task: TaskItem.ID, slot: Instant? = nil, at completed: Instant? = nil) {
    thing = task
    self.slot = slot
    self.completed = completed
  }

  package static let form = CommandForm(
    "complete_task", "Says that a task is done; a repeating one opens again, due the next time.",
    answer: "task")
  /// Of no task yet.
  public static var defaults: CompleteTask { CompleteTask(.placeholder) }

  /// `task`, `due_at`, `completed_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try TaskItem.visit(&thing, by: &visitor)
    try visitor.column(
      "due_at", &slot, [.doc("the occurrence that is meant, by when it was due")])
    try visitor.column(
      "completed_at", &completed, [.doc("when it was done; the book's clock unless said")])
  }

  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    try plan.complete(thing, slot: slot, at: completed)
    return plan.events
  }
}

/// Says that a done task is to be done again, and with it what was done because it was.
public struct ReopenTask: BareThingCommand {
  /// The task.
  package var thing: TaskItem.ID

  public init(_ task: TaskItem.ID) { thing = task }

  package static let form = CommandForm(
    "reopen_task", "Says that a done task is to be done again.", answer: "task")

  /// What happens: what somebody said to be done within the last two seconds stays done (DM-8).
  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    plan.reopen(thing)
    return plan.events
  }
}

extension TaskPlan {
  /// So long a completion wins over a reopening (DM-8).
  static let contestMilliseconds: Int64 = 2000

  /// Says that a task is done, or the slot of one that repeats.
  ///
  /// - Parameters:
  ///   - number: The task.
  ///   - slot: The occurrence that is meant, by when it was due; the one that is due unless given.
  ///   - said: When it was done, as far as anybody says so: not after the book's clock.
  /// - Throws: ``Rejection`` when the rule or the time zone is none.
  mutating func complete(
    _ number: TaskItem.ID, slot: Instant?, at said: Instant?
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    // What is due now may be a slot that is done, if somebody put it back there: then it goes on.
    if let slot, slot != item.due, item.hasDone(slot) { return }
    let said = said.map { min($0, context.at) }
    let done = said ?? context.at
    if item.isDone {
      if let slot, try completeLate(number, item, slot: slot, at: done) { return }
      if let repetition = item.repetition, isOwn(said, slot, number, item) {
        return try completeOccurrence(of: number, item, repetition, slot: slot, at: done)
      }
      // Said once more, so that it wins over whoever reopens it just now.
      return add(
        TaskCompleted(
          task: number, completed: said ?? item.completed ?? done,
          withParent: item.wasDoneWithParent))
    }
    if let repetition = item.repetition {
      return try completeOccurrence(of: number, item, repetition, slot: slot, at: done)
    }
    completeParts(of: number, at: done)
    add(TaskCompleted(task: number, completed: done))
  }

  func recurrence(
    _ rule: String, _ origin: TaskRepetition.Origin
  ) throws(Rejection) -> TaskRecurrence {
    do throws(RecurrenceError) {
      return try TaskRecurrence(rule, origin, account.dayClock, context.zones)
    } catch { throw .invalidRecurrence(error) }
  }

  /// Records a slot of a series that has ended meanwhile, if it is one; the task stays done.
  private mutating func completeLate(
    _ number: TaskItem.ID, _ item: TaskItem, slot: Instant, at done: Instant
  ) throws(Rejection) -> Bool {
    guard let last = item.endedSeries, let other = last.due, last.day == nil, slot != item.due,
      try recurrence(last.rule, .due).areOfOneSeries(slot, other)
    else { return false }
    add(
      TaskOccurrenceCompleted(
        task: number, key: Key(completionOf: item.key, due: slot, day: nil), due: slot,
        completed: done, nextDue: item.due.map { max($0, slot) }))
    return true
  }

  /// Whether an occurrence is meant where a repeating task is done: it was done before it repeated, and the next one
  /// is open; or it was done by itself before it was done with its parent, and stays so.
  private func isOwn(
    _ said: Instant?, _ slot: Instant?, _ number: TaskItem.ID, _ item: TaskItem
  ) -> Bool {
    guard item.wasDoneWithParent else { return doneAncestors(of: number).isEmpty }
    guard slot != nil, let said, let completed = item.completed else { return false }
    return said < completed
  }

  mutating func completeParts(of number: TaskItem.ID, at done: Instant) {
    for part in descendants(of: number).reversed() where self[part]?.isDone == false {
      add(TaskCompleted(task: part, completed: done, withParent: true))
    }
  }

  private mutating func completeOccurrence(
    of number: TaskItem.ID, _ item: TaskItem, _ repetition: TaskRepetition, slot: Instant?,
    at done: Instant
  ) throws(Rejection) {
    let recurrence = try recurrence(repetition.rule, repetition.origin)
    guard let today = account.dayClock.day(of: done, in: context.zones) else {
      throw .unknownTimeZone(account.dayClock.timeZone)
    }
    var due = item.due
    var isLate = false
    if let slot, let current = due, slot != current {
      switch repetition.origin {
      case .due:
        // Only slots of the series can have been done; one before what is due now is recorded, and it stays due.
        guard let start = repetition.start, recurrence.isOccurrence(slot, since: start) else {
          return
        }
        (due, isLate) = (slot, slot < current)
      case .completion: due = max(current, slot)
      }
    }
    let day = due == nil || repetition.origin == .completion ? today : nil
    if let day { isLate = item.hasDone(after: day, done) }
    let key = Key(completionOf: item.key, due: due, day: day)
    let isDone = item.occurrence(key) != nil
    // Once a day.
    if isDone, day != nil { return }
    let staysDone = item.isDone && item.wasDoneWithParent
    if item.isDone, !staysDone { add(TaskReopened(task: number)) }
    let next =
      isLate
      ? item.due
      : due.flatMap {
        recurrence.next(
          after: $0, repetition, now: context.at, doneOn: today, skipping: item.hasDone)
      }
    let goesOn = due == nil ? recurrence.goesOn(after: context.at) : next != nil
    if isDone, goesOn {
      // Somebody put it back on a slot that is done: it is not done twice.
      return add(TaskScheduled(task: number, due: next, repetition: repetition))
    }
    let after = goesOn ? recurrence.counted(repetition) : nil
    if after == nil { completeParts(of: number, at: done) }
    // After the end it stays due as the last slot was that was done.
    let last = due.map { max($0, item.lastSlot ?? $0) }
    add(
      TaskOccurrenceCompleted(
        task: number, key: key, due: due, day: day, completed: done,
        nextDue: after == nil ? last : next, repetition: after))
    // The next occurrence has all its parts to be done again; what is told late opens none.
    guard after != nil, !isLate, !staysDone else { return }
    for part in descendants(of: number) where self[part]?.isDone == true {
      add(TaskReopened(task: part))
    }
  }

  /// Whether somebody said just now that a task is done.
  func isContested(_ number: TaskItem.ID) -> Bool {
    self[number]?.saidDone.map {
      context.at.milliseconds - $0.milliseconds <= Self.contestMilliseconds
    } ?? false
  }

  /// Opens a task again: that of which it is a part before, and what was done with it after.
  mutating func reopen(_ number: TaskItem.ID) {
    guard self[number]?.isDone == true else { return }
    let done = doneAncestors(of: number) + [number]
    guard !done.contains(where: isContested) else { return }
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

  /// Whether it was done on a later day, after an instant.
  fileprivate func hasDone(after day: Day, _ done: Instant) -> Bool {
    occurrences.contains { occurrence in
      guard occurrence.removed == nil, let other = occurrence.day else { return false }
      return other > day && occurrence.completed > done
    }
  }

  /// The last slot that was done.
  fileprivate var lastSlot: Instant? {
    occurrences.compactMap { $0.removed == nil ? $0.due : nil }.max()
  }

  /// The occurrence that was recorded last of a series that is over, if the task is done after one.
  var endedSeries: TaskOccurrence? { isDone && repetition == nil ? lastOfSeries : nil }

  /// The occurrence that was recorded last of the series that it is in, or was.
  var lastOfSeries: TaskOccurrence? {
    occurrences.last { $0.removed == nil && !$0.rule.isEmpty }
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
