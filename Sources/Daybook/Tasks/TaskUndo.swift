/// An undo of a command about tasks and labels. It goes back through the entries one by one: whether a task can go back
/// depends on the tasks above and below it.
struct TaskUndo {
  private let reversal: CommandReversal
  private var plan: TaskPlan
  private var restored: Set<TaskLabel.ID> = []
  private var touched: Set<TaskItem.ID> = []

  /// Decides an undo.
  ///
  /// - Throws: ``Rejection``: also when a later entry changed what would be restored.
  static func decision(_ reversal: CommandReversal) throws(Rejection) -> Decision<UndoResult> {
    var undo = TaskUndo(reversal: reversal, plan: try TaskPlan(reversal.state, reversal.context))
    try undo.run()
    return Decision(
      undo.plan.events, UndoResult(position: reversal.position, events: undo.plan.events))
  }

  private mutating func run() throws(Rejection) {
    var conflict: Int64?
    for entry in reversal.past.entries.reversed() {
      guard let aggregate = plan.state.aggregate(of: entry.event),
        plan.state.owner(of: aggregate) == plan.actor
      else { throw .entryNotFound(reversal.position) }
      if aggregate.kind == .task {
        let task = TaskItem.ID(unchecked: aggregate.number)
        conflict = conflict ?? laterChange(of: task, entry.event)
        try undo(entry, of: task)
      } else {
        let label = TaskLabel.ID(unchecked: aggregate.number)
        conflict = conflict ?? laterChange(of: label, entry.event)
        try undo(entry, of: label)
      }
    }
    // An entity that is as it was needs no undo, whatever happened in between.
    guard !plan.events.isEmpty else { throw .nothingToUndo(reversal.position) }
    if let conflict { throw .changedSince(conflict) }
    try checkTree()
  }

  /// The last later entry that changed the same facets and still has an effect: a change that was reverted again is no
  /// obstacle. Nothing follows that entry, so it can be undone first.
  private func laterChange<Thing: FacetedEntity>(
    of number: EntityNumber<Thing>, _ event: Event
  ) -> Int64? {
    guard let now = plan.state[keyPath: Thing.table][number] else { return nil }
    guard let left = reversal.thing(number, through: reversal.last) else { return now.changed }
    let facets = Thing.facets(of: event)
    if facets.allSatisfy({ $0(left, now) }) { return nil }
    // The successive states, for each facet.
    var stages = facets.map { (isSame: $0, things: [left]) }
    reversal.visitLater(number) { position, thing in
      guard position <= plan.state.position else { return }
      for index in stages.indices {
        if let same = stages[index].things.lastIndex(where: { stages[index].isSame($0, thing) }) {
          stages[index].things.removeSubrange((same + 1)...)
        } else {
          stages[index].things.append(thing)
        }
      }
    }
    // The histories may have been read before the latest changes; the state includes those.
    return stages.compactMap { $0.things.dropFirst().last?.changed }.max() ?? now.changed
  }

  private mutating func undo(_ entry: Entry, of number: TaskItem.ID) throws(Rejection) {
    touched.insert(number)
    guard let now = plan[number] else { return }
    if case .taskCreated = entry.event {
      if !now.isDeleted { plan.add(TaskDeleted(task: number)) }
      return
    }
    guard let before = reversal.thing(number, through: entry.head.position - 1) else { return }
    if case .taskDeleted = entry.event {
      guard now.isDeleted else { return }
      if !before.isDeleted {
        plan.add(TaskRestored(task: number))
      } else if now.isPurged != before.isPurged {
        plan.add(TaskDeleted(task: number, purged: before.isPurged))
      }
      return
    }
    // A deleted entity cannot change otherwise.
    guard !now.isDeleted else {
      if case .taskLabelsChanged = entry.event { return }
      throw .changedSince(now.changed)
    }
    guard case .tasks(let event) = entry.event.byContext else { return }
    switch event {
    case .taskRestored: plan.add(TaskDeleted(task: number, purged: before.isPurged))
    case .taskDescribed: try plan.describe(number, TaskContent(before))
    case .taskScheduled:
      guard !TaskScheduled.isSame(now, before) else { return }
      plan.add(TaskScheduled(number, as: before))
    case .taskMoved:
      if let parent = before.parent { try plan.checkParent(parent, of: number) }
      plan.move(number, to: .init(parent: before.parent, bucket: before.bucket), before.rank)
    case .taskLabelsChanged(let event): try undo(event, of: number, before)
    case .taskCompleted:
      let first = reversal.thing(number, through: reversal.first - 1)
      guard now.isDone, now.completed != before.completed, now.completed != first?.completed
      else { return }
      if before.isDone { complete(number, before) } else { plan.add(TaskReopened(task: number)) }
    case .taskReopened:
      if !now.isDone { complete(number, before) }
    case .taskOccurrenceCompleted(let event):
      guard now.occurrence(event.key) != nil else { return }
      plan.add(
        TaskOccurrenceReopened(
          task: number, key: event.key, due: before.due, repetition: before.repetition))
      // Reopening the series opens the task, even if the task was done with its parent: then it must stay done.
      if plan[number]?.isDone == false { complete(number, before) }
    case .taskOccurrenceReopened(let event):
      guard now.occurrence(event.key) == nil, let done = before.occurrence(event.key) else {
        return
      }
      plan.add(
        TaskOccurrenceCompleted(
          task: number, key: done.key, due: done.due, day: done.day, completed: done.completed,
          nextDue: before.due, repetition: before.repetition))
    // Creation and deletion were handled above.
    case .taskCreated, .taskDeleted: break
    case .labelCreated, .labelDescribed, .labelDeleted, .labelRestored: break
    }
  }

  /// Marks a task as done again, if it was.
  private mutating func complete(_ number: TaskItem.ID, _ before: TaskItem) {
    guard let completed = before.completed else { return }
    plan.add(
      TaskCompleted(task: number, completed: completed, withParent: before.wasDoneWithParent))
  }

  private mutating func undo(
    _ event: TaskLabelsChanged, of number: TaskItem.ID, _ before: TaskItem
  ) throws(Rejection) {
    let had = Set(before.currentLabels)
    let back = event.removed.filter { had.contains($0) }
    for label in back {
      guard let found = plan.state.labels[label] else { continue }
      guard !found.isDeleted || restored.contains(label) else {
        throw .changedSince(found.changed)
      }
    }
    let gone = event.added.filter { !had.contains($0) }
    let wasPurged = { (label: TaskLabel.ID) in before.link(to: label)?.isPurged == true }
    try plan.label(number, add: back, remove: gone.filter { !wasPurged($0) })
    try plan.label(number, add: [], remove: gone.filter(wasPurged), purged: true)
    // Labels that it had lost before get back their former purged mark.
    for purged in [false, true] {
      let lost = event.removed.filter { label in
        guard let former = before.link(to: label), former.removed != nil else { return false }
        return former.isPurged == purged && plan[number]?.link(to: label)?.isPurged == !purged
      }
      guard !lost.isEmpty else { continue }
      plan.add(TaskLabelsChanged(task: number, added: [], removed: lost, purged: purged))
    }
  }

  private mutating func undo(_ entry: Entry, of number: TaskLabel.ID) throws(Rejection) {
    guard let now = plan.state.labels[number] else { return }
    let before = reversal.thing(number, through: entry.head.position - 1)
    guard case .tasks(let event) = entry.event.byContext else { return }
    switch event {
    case .labelCreated, .labelRestored:
      guard !now.isDeleted else { return }
      guard plan.tasks(having: number).isEmpty else { throw .labelGiven }
      plan.add(LabelDeleted(label: number, purged: before?.isPurged ?? false))
    case .labelDeleted:
      guard now.isDeleted else { return }
      if let before, before.isDeleted {
        guard now.isPurged != before.isPurged else { return }
        return plan.add(LabelDeleted(label: number, purged: before.isPurged))
      }
      restored.insert(number)
      plan.add(LabelRestored(label: number))
    case .labelDescribed:
      guard let before else { return }
      guard !now.isDeleted else { throw .changedSince(now.changed) }
      if !LabelDescribed.isSame(now, before) { plan.add(LabelDescribed(number, as: before)) }
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .taskCompleted, .taskReopened, .taskOccurrenceCompleted,
      .taskOccurrenceReopened:
      break
    }
  }

  /// Checks the tree after the undo: no task is part of a deleted one, and no open task is part of a done one.
  private func checkTree() throws(Rejection) {
    for number in touched.sorted() {
      guard let item = plan[number], !item.isDeleted else { continue }
      guard let parent = item.parent.flatMap({ plan[$0] }) else { continue }
      guard !parent.isDeleted, item.isDone || !parent.isDone else {
        throw .parentChanged
      }
    }
    let changed = plan.changedParts
    for number in touched {
      guard let item = plan[number], item.isDeleted || item.isDone else { continue }
      for part in plan.parts(of: number, changed)
      where item.isDeleted || plan[part]?.isDone == false {
        throw .partChanged
      }
    }
  }
}

extension Event {
  /// Whether the event is about a task or a label.
  public var isOfTasks: Bool {
    switch subject {
    case .aggregate(let aggregate): aggregate.kind == .task || aggregate.kind == .label
    case .new(let kind, _, _): kind == .task || kind == .label
    }
  }

  /// Whether the event belongs to the same command as the entry before; `nil` unless it is about a task or a label.
  package var continuesCommand: Bool? { (content.record as? any TaskRecord)?.continues }
}
