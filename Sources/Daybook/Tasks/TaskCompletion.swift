package import Values
package import Calendar
public import Avro

/// Marks a task as done (DM-5). If the task repeats, one occurrence is completed, and the next one is open.
public struct CompleteTask: EntityCommand {
  package var thing: TaskItem.ID
  /// The due time of the occurrence to complete. An occurrence that is done already is not completed again.
  package var slot: Instant?
  /// When the task was done: the time of the book's clock if not given. A later time becomes that of the clock.
  package var completed: Instant?

  public init(_ task: TaskItem.ID, slot: Instant? = nil, at completed: Instant? = nil) {
    thing = task
    self.slot = slot
    self.completed = completed
  }

  package static let form = CommandForm(
    "complete_task", "Marks a task as done; a repeating task opens again, with its next due time.",
    answer: "task")
  /// A command that names no task yet.
  public static var defaults: CompleteTask { CompleteTask(.placeholder) }

  /// `task`, `due_at`, `completed_at`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try TaskItem.visit(&thing, by: &visitor)
    try visitor.column(
      "due_at", &slot, [.doc("the occurrence, named by the time when it was due")])
    try visitor.column(
      "completed_at", &completed,
      [.doc("when it was done; the time of the book's clock unless given")])
  }

  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    try plan.complete(thing, slot: slot, at: completed)
    return plan.events
  }
}

/// Reopens a done task, and the parts that were completed with it.
public struct ReopenTask: BareEntityCommand {
  package var thing: TaskItem.ID

  public init(_ task: TaskItem.ID) { thing = task }

  package static let form = CommandForm(
    "reopen_task", "Reopens a done task.", answer: "task")

  /// The events; a task that was marked as done within the last two seconds stays done (DM-8).
  func events(
    _ found: TaskItem, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    var plan = try TaskPlan(state, context)
    plan.reopen(thing)
    return plan.events
  }
}

extension TaskPlan {
  /// The time for which a completion wins over a reopening (DM-8).
  static let contestMilliseconds: Int64 = 2000

  /// Marks a task as done, or one slot of a repeating task.
  ///
  /// - Parameters:
  ///   - number: The task.
  ///   - slot: The due time of the occurrence to complete; the one that is due now if not given.
  ///   - said: When it was done, if the client gives a time; never after the book's clock.
  /// - Throws: ``Rejection`` when the rule or the time zone is invalid.
  mutating func complete(
    _ number: TaskItem.ID, slot: Instant?, at said: Instant?
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    // The check leaves out the slot that is due now. If the task was moved back to a done slot, the series continues
    // from there.
    if let slot, slot != item.due, item.hasDone(slot) { return }
    let said = said.map { min($0, context.at) }
    let done = said ?? context.at
    if item.isDone {
      if let slot, try completeLate(number, item, slot: slot, at: done) { return }
      if let repetition = item.repetition, isOwn(said, slot, number, item) {
        return try completeOccurrence(of: number, item, repetition, slot: slot, at: done)
      }
      // The completion is recorded again, so that it wins over a concurrent reopening.
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

  /// Records a completion that arrives after its series has ended, if the slot belongs to the series. The task stays
  /// done.
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

  /// Whether a completion of a repeating task that is done completes one occurrence. There are two such cases. Either
  /// the task was done before it began to repeat, and then the next occurrence is open. Or the occurrence was done
  /// before the task was completed with its parent, and then the task stays done.
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
        // Only slots of the series can be completed. A slot before the current one is recorded, and the task keeps its
        // due time.
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
    // At most one completion a day.
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
    let goesOn = due == nil ? recurrence.continues(after: context.at) : next != nil
    if isDone, goesOn {
      // The task was moved back to a slot that is done: the slot is not completed twice.
      return add(TaskScheduled(task: number, due: next, repetition: repetition))
    }
    let after = goesOn ? recurrence.counted(repetition) : nil
    if after == nil { completeParts(of: number, at: done) }
    // After the end of the series the task keeps the due time of the last slot that was done.
    let last = due.map { max($0, item.lastSlot ?? $0) }
    add(
      TaskOccurrenceCompleted(
        task: number, key: key, due: due, day: day, completed: done,
        nextDue: after == nil ? last : next, repetition: after))
    // The next occurrence begins with all parts open. A late completion opens no part.
    guard after != nil, !isLate, !staysDone else { return }
    for part in descendants(of: number) where self[part]?.isDone == true {
      add(TaskReopened(task: part))
    }
  }

  /// Whether a completion of the task was recorded within the contest time.
  func isContested(_ number: TaskItem.ID) -> Bool {
    self[number]?.saidDone.map {
      context.at.milliseconds - $0.milliseconds <= Self.contestMilliseconds
    } ?? false
  }

  /// Reopens a task: first its done ancestors, then the task, then the parts that were completed with it.
  mutating func reopen(_ number: TaskItem.ID) {
    guard self[number]?.isDone == true else { return }
    let done = doneAncestors(of: number) + [number]
    guard !done.contains(where: isContested) else { return }
    for part in done { add(TaskReopened(task: part)) }
    var opened: Set = [number]
    // The descendants are ordered so that each parent comes before its parts.
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
  /// Whether the occurrence with this due time is done.
  func hasDone(_ slot: Instant) -> Bool {
    occurrences.contains { $0.due == slot && $0.removed == nil }
  }

  /// Whether a completion on a later day was made after an instant.
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

  /// The last recorded occurrence of a series that has ended, if the task is done because of it.
  var endedSeries: TaskOccurrence? { isDone && repetition == nil ? lastOfSeries : nil }

  /// The last recorded occurrence of the task's current or former series.
  var lastOfSeries: TaskOccurrence? {
    occurrences.last { $0.removed == nil && !$0.rule.isEmpty }
  }
}

extension Key {
  /// Makes the key of a completion: the same task and slot give the same key on every device.
  package init(completionOf task: Key, due: Instant?, day: Day?) {
    self.init(derivedFrom: [
      "task_completion", task.description, day?.description ?? due?.description ?? "",
    ])
  }
}
