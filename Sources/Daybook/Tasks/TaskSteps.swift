import Values
import Calendar

// The steps that commands and upserts of tasks are made of. A step that changes nothing adds no event.
extension TaskPlan {
  func repetition(
    _ content: TaskContent, after former: TaskRepetition?
  ) throws(Rejection) -> TaskRepetition? {
    guard let rule = content.recurrence else { return nil }
    let origin = content.origin ?? former?.origin ?? .due
    do throws(RecurrenceError) {
      return try TaskRecurrence(rule, origin, account.dayClock, context.zones)
        .repetition(due: content.due, after: former)
    } catch { throw .invalidRecurrence(error) }
  }

  /// Changes a task's text, due time and repetition; the title was checked before.
  mutating func describe(
    _ number: TaskItem.ID, _ content: TaskContent
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let (title, description) = (content.title, content.description)
    guard title != item.title || description != item.description else { return }
    try Limit.text.check(description, "description")
    add(TaskDescribed(task: number, title: title, description: description))
  }

  mutating func schedule(
    _ number: TaskItem.ID, _ content: TaskContent
  ) throws(Rejection) {
    guard let item = self[number] else { return }
    let due = content.due
    var repetition = try repetition(content, after: item.repetition)
    // A task whose due time stays the same stays in its series.
    if due == item.due, repetition?.rule == item.repetition?.rule {
      repetition = item.repetition
      repetition?.origin = content.origin ?? item.repetition?.origin ?? .due
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

  /// Moves the subtasks of a task from its former bucket to its present one.
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

  /// Purges a task and its subtasks, the subtasks first, including those that were deleted earlier. It must be the
  /// first step of the plan.
  mutating func purge(_ number: TaskItem.ID) {
    var (found, next) = ([number], 0)
    var seen: Set = [number]
    while next < found.count {
      let index = state.indexes.tasks
      let parts = index.parts(of: found[next]) + index.tombstones(of: found[next])
      found += parts.filter { state.tasks[$0]?.owner == actor && seen.insert($0).inserted }
      next += 1
    }
    for part in found.reversed() { add(TaskDeleted(task: part, purged: true)) }
  }

  /// Deletes a task and its subtasks, the subtasks first.
  mutating func delete(_ number: TaskItem.ID) {
    for part in descendants(of: number).reversed() { add(TaskDeleted(task: part)) }
    add(TaskDeleted(task: number))
  }
}
