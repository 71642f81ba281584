public import Values
package import Calendar
public import Avro

/// Takes over a task's row as a device sends it: creates or changes the task (DM-7).
///
/// Fields that the row leaves out stay as they are. Rows may come in any order and repeatedly; the last one in the
/// book's order decides each field, except completion, which has rules of its own (DM-8), and deletion, which is final.
public struct UpsertTask: ColumnCommand {
  /// The client's name for the task.
  package var key: Key
  /// The owner that the row names: the actor.
  public var owner: Key?
  /// The bucket; unchanged if not given.
  package var bucket: TaskBucket?
  /// The other fields of the row.
  package var patch: Patch<TaskRow>
  /// When it was done.
  package var completed: Instant?
  /// When it was deleted, if it was.
  package var deleted: Instant?
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(_ key: Key, _ set: (inout TaskRow) -> Void = { _ in }) {
    self.key = key
    patch = Patch(set)
  }

  /// The fields that a row may give for a task or leave out.
  public struct TaskRow: Columns {
    /// The key of the parent.
    public var parent: Key?
    /// The content.
    public var content = TaskContent.defaults
    /// Its place among its siblings; the book chooses it if the row has none.
    public var rank: Rank?
    /// Whether the task is done. For a repeating task: whether the occurrence at the row's due time is done.
    public var isDone = false

    /// No fields.
    public static var defaults: TaskRow { TaskRow() }

    /// The columns of `tasks` that may be left out.
    public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
      try visitor.column(
        "parent_task_id", &parent, [.doc("the parent task; it must exist")])
      try content.visitColumns(&visitor)
      try visitor.column("rank", &rank)
      try visitor.column("is_completed", &isDone)
    }
  }

  package static let form = CommandForm(
    "upsert_task", "Creates or changes a task from a row of `tasks`.", answer: "task")
  /// The defaults; no task is named yet.
  public static var defaults: UpsertTask { UpsertTask(Key(high: 0, low: 0)) }

  /// The columns of `tasks`. The book itself determines when the task last changed.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(RowKeyCodec(noun: "task"), &key)
    try visitor.column("user_id", &owner, [.doc("must be the actor's, if given")])
    try visitor.column("bucket_key", &bucket)
    try visitor.columns(&patch)
    try visitor.columns(RowInstantCodec("completed_at", "when it was done"), &completed)
    try visitor.columns(RowStampsCodec(unused: ["updated_at"]), &deleted)
    try visitor.columns(RowInstantCodec("created_at", FieldNote.whenBegun), &begun)
  }

  /// Decides the command; the answer is the task's number.
  ///
  /// - Throws: ``Rejection``. After ``Rejection/parentNotFound`` the row may be sent again once the parent exists.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<TaskItem.ID> {
    var plan = try TaskPlan(state, context)
    if let owner, owner != plan.account.key { throw .notOwner }
    guard let number = state.tasks.number(of: key) else {
      // A task that never existed needs no deletion.
      if isDeleted, !patch.has("title") { return Decision([], state.tasks.nextNumber) }
      try create(&plan)
      return Decision(plan.events, state.tasks.nextNumber)
    }
    guard let item = state.tasks[number], item.owner == plan.actor else { throw .notOwner }
    // A deleted task stays deleted, even if a device that does not know of it sends its row late.
    guard !item.isDeleted else { return Decision([], number) }
    if isDeleted { delete(number, item, &plan) } else { try change(number, item, &plan) }
    return Decision(plan.events, number)
  }

  /// The task's row, also when it is deleted.
  package func row(of answer: TaskItem.ID, in state: BookState) -> JSON {
    state.tasks[answer]?.row(in: state) ?? .null
  }

  private var isDeleted: Bool { deleted != nil }

  /// The fields of the row, with defaults for those that it leaves out.
  fileprivate var said: TaskRow { patch.applied(to: TaskRow()) }

  private func create(_ plan: inout TaskPlan) throws(Rejection) {
    let number = plan.state.tasks.nextNumber
    let row = said
    let above = try parentNumber(row, plan)
    let bucket = bucket ?? above.flatMap { plan[$0]?.bucket } ?? .thisWeek
    let title = try keptTaskTitle(row.content.title)
    try Limit.text.check(row.content.description, "description")
    let repetition = try plan.repetition(row.content, after: nil)
    var place = row.rank
    if place == nil {
      place = try plan.rank(
        at: .last, of: .init(parent: above, bucket: bucket), leavingOut: nil)
    }
    plan.add(
      TaskCreated(
        key: key, owner: plan.actor, bucket: bucket, parent: above, title: title,
        description: row.content.description, due: row.content.due, repetition: repetition,
        rank: place ?? .first, begun: plan.context.begun(begun)))
    if isDeleted { return plan.delete(number) }
    if row.isDone {
      try plan.complete(number, slot: nil, at: completed)
    }
    plan.settle(number)
  }

  private func change(
    _ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan
  ) throws(Rejection) {
    let row = said
    let series = try SeriesRow(self, item, plan)
    var content = patch.applied(to: TaskRow(content: TaskContent(item))).content
    content.title = try keptTaskTitle(content.title)
    try plan.describe(number, content)
    if series.isDueKept { content.due = item.due }
    if series.isRuleKept { content.recurrence = item.repetition?.rule }
    if !series.isDueKept || !series.isRuleKept { try plan.schedule(number, content) }
    try place(number, item, row, &plan)
    if !series.isOld, patch.has("is_completed") {
      if !row.isDone {
        plan.reopen(number)
      } else if !isKnown(to: item, plan) {
        try plan.complete(number, slot: row.content.due, at: completed)
      }
    }
    plan.settle(number)
  }

  /// Deletes the task with the row's last content. Invalid content, such as a parent that does not exist, does not
  /// prevent the deletion.
  private func delete(_ number: TaskItem.ID, _ item: TaskItem, _ plan: inout TaskPlan) {
    var changed = plan
    if (try? change(number, item, &changed)) != nil { plan = changed }
    plan.delete(number)
  }

  /// Whether the row, which gives no due time, was recorded before, judging by its completion time.
  private func isKnown(to item: TaskItem, _ plan: TaskPlan) -> Bool {
    guard !patch.has("due_at"), item.repetition != nil, let completed else { return false }
    let done = min(completed, plan.context.at)
    return item.occurrences.contains { $0.removed == nil && $0.completed == done }
  }

  private func place(
    _ number: TaskItem.ID, _ item: TaskItem, _ row: TaskRow, _ plan: inout TaskPlan
  ) throws(Rejection) {
    var list = TaskPlan.List(parent: item.parent, bucket: bucket ?? item.bucket)
    if patch.has("parent_task_id") {
      let above = try parentNumber(row, plan)
      // Two devices may each have put one of two tasks under the other: the row that came first counts.
      let isCycle = above.map { $0 != item.parent && plan.isPart($0, of: number) } ?? false
      if !isCycle { list.parent = above }
    }
    let place: Rank
    if let rank = row.rank {
      place = rank
    } else if list.holds(item) {
      place = item.rank
    } else {
      place = try plan.rank(at: .last, of: list, leavingOut: number)
    }
    plan.move(number, to: list, place)
    // A subtask that a device has put elsewhere stays there.
    plan.takeAlong(number, from: item.bucket) { $0.bucket == item.bucket }
  }

  /// The parent that the row names. If that is deleted, the nearest existing ancestor takes its place: the task was not
  /// there at the deletion, and must not be lost. For a deleted row the parent does not matter.
  private func parentNumber(
    _ row: TaskRow, _ plan: TaskPlan
  ) throws(Rejection) -> TaskItem.ID? {
    guard let key = row.parent else { return nil }
    guard key != self.key else { throw .taskCycle }
    guard let number = plan.state.tasks.number(of: key), let item = plan[number] else {
      if isDeleted { return nil }
      throw .parentNotFound
    }
    guard item.owner == plan.actor else { throw .notOwner }
    return plan.isThere(number) ? number : plan.nearestAbove(number)
  }
}

/// A row's due time and rule, for a task that repeats or did: the device may not know of the latest completions of the
/// series.
private struct SeriesRow {
  /// Whether the row still has a slot as its due time that is done. Then the row is outdated, and its due time, rule
  /// and completion are ignored, except for a rule that the series never had.
  let isOld: Bool
  /// Whether the task keeps its due time: the row is outdated, or marks a slot of the series as done.
  let isDueKept: Bool
  /// Whether the task keeps its rule. The row has no rule, or one that the series had; that changes nothing, because
  /// only the book knows how much of COUNT is left.
  let isRuleKept: Bool

  init(_ command: UpsertTask, _ item: TaskItem, _ plan: TaskPlan) throws(Rejection) {
    let row = command.said
    let slot = row.content.due
    let (saysDue, saysRule) = (command.patch.has("due_at"), command.patch.has("recurrence_rule"))
    let done =
      slot == item.due ? nil : item.occurrences.last { $0.removed == nil && $0.due == slot }
    let rule = try Self.canonical(row.content.recurrence)
    let isOver = try Self.isOver(item, plan)
    let isKnown =
      rule.map { Self.isKnown($0, to: item, isOver: isOver) || $0 == done?.rule } ?? false
    let isDone = row.isDone
    var isSlot = false
    if let slot, slot != item.due, isDone || item.endedSeries != nil,
      isKnown || !saysRule
    {
      isSlot = try Self.isSlot(slot, of: item, plan)
    }
    // After the end of the series its rule is needed, which is gone where the end is known.
    let isOfBefore = saysDue && slot == item.due || isSlot && !isDone
    isOld = slot != nil && done != nil || isKnown && item.endedSeries != nil && isOfBefore
    isDueKept = isOld || isSlot && isDone
    let isSeries = item.repetition != nil || isOver && saysDue && slot == item.due
    isRuleKept = !saysRule || isKnown && (isDueKept || isSeries)
  }

  /// Whether the task's former series has ended, even if the task was reopened since.
  private static func isOver(_ item: TaskItem, _ plan: TaskPlan) throws(Rejection) -> Bool {
    guard item.repetition == nil, let last = item.lastOfSeries else { return false }
    let rule = try plan.recurrence(last.rule, .due)
    return rule.rule.count == 1 || !rule.continues(after: item.due ?? last.completed)
  }

  private static func canonical(_ recurrence: String?) throws(Rejection) -> String? {
    guard let text = recurrence else { return nil }
    do throws(RecurrenceError) {
      return try RecurrenceRule(parsing: text).description
    } catch { throw .invalidRecurrence(error) }
  }

  /// Whether a rule is the series' own, or was before part of its COUNT was used.
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

  /// Whether an instant is a slot of the task's series, or of the one that ended with its completion.
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
