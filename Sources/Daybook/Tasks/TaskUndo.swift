/// An undo that is being decided.
struct Undoing {
  let position: Int64
  let past: CommandPast
  var plan: TaskPlan
  private var restored: Set<TaskLabel.ID> = []
  private var touched: Set<TaskItem.ID> = []

  init(position: Int64, past: CommandPast, plan: TaskPlan) {
    (self.position, self.past, self.plan) = (position, past, plan)
  }

  mutating func run() throws(Rejection) {
    var conflict: Int64?
    for entry in past.entries.reversed() {
      guard let aggregate = aggregate(of: entry.event) else { throw .entryNotFound(position) }
      guard plan.state.owner(of: aggregate) == plan.actor else { throw .entryNotFound(position) }
      conflict = conflict ?? laterChange(of: aggregate, TaskFacets(of: entry.event))
      switch aggregate.kind {
      case .task: try undo(entry, of: TaskItem.ID(unchecked: aggregate.number), aggregate)
      default: try undo(entry, of: TaskLabel.ID(unchecked: aggregate.number), aggregate)
      }
    }
    // An entity that is as it was needs no undo, whatever happened in between.
    guard !plan.events.isEmpty else { throw .nothingToUndo(position) }
    if let conflict { throw .changedSince(conflict) }
    try checkTree()
  }

  private func aggregate(of event: Event) -> Aggregate? {
    switch event.subject {
    case .aggregate(let aggregate): aggregate
    case .new(.task, let key, _): plan.state.tasks.number(of: key).map { .task($0) }
    case .new(.label, let key, _): plan.state.labels.number(of: key).map { Aggregate($0) }
    case .new: nil
    }
  }

  private func laterChange(of aggregate: Aggregate, _ facets: TaskFacets) -> Int64? {
    switch aggregate.kind {
    case .task:
      laterChange(of: plan.state.tasks[TaskItem.ID(unchecked: aggregate.number)], aggregate, facets)
    default:
      laterChange(
        of: plan.state.labels[TaskLabel.ID(unchecked: aggregate.number)], aggregate, facets)
    }
  }

  /// The last later entry that changed the same facets and still has an effect: a change that was reverted again is no
  /// obstacle. Nothing follows that entry, so it can be undone first.
  private func laterChange<Thing: Faceted>(
    of now: Thing?, _ aggregate: Aggregate, _ facets: TaskFacets
  ) -> Int64? {
    let last = past.entries.last?.head.position ?? position
    guard let now else { return nil }
    guard let left: Thing = thing(of: aggregate, before: last + 1) else { return now.changed }
    if left.isSame(as: now, facets) { return nil }
    // The successive states, for each facet.
    var stages = facets.each.map { (facet: $0, things: [left]) }
    var thing = left
    for entry in past.histories[aggregate] ?? [] {
      guard entry.head.position > last, entry.head.position <= plan.state.position else { continue }
      thing.apply(entry.event, entry.head)
      for index in stages.indices {
        let facet = stages[index].facet
        if let same = stages[index].things.lastIndex(where: { $0.isSame(as: thing, facet) }) {
          stages[index].things.removeSubrange((same + 1)...)
        } else {
          stages[index].things.append(thing)
        }
      }
    }
    // The histories may have been read before the latest changes; the state includes those.
    return stages.compactMap { $0.things.dropFirst().last?.changed }.max() ?? now.changed
  }

  private mutating func undo(
    _ entry: Entry, of number: TaskItem.ID, _ aggregate: Aggregate
  ) throws(Rejection) {
    touched.insert(number)
    guard let now = plan[number] else { return }
    if case .taskCreated = entry.event {
      if !now.isDeleted { plan.add(TaskDeleted(task: number)) }
      return
    }
    guard let before: TaskItem = thing(of: aggregate, before: entry.head.position) else { return }
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
    case .taskDescribed:
      try plan.describe(number, TaskContent(before))
    case .taskScheduled:
      guard now.due != before.due || now.repetition != before.repetition else { return }
      plan.add(TaskScheduled(task: number, due: before.due, repetition: before.repetition))
    case .taskMoved:
      if let parent = before.parent { try plan.checkParent(parent, of: number) }
      plan.move(number, to: .init(parent: before.parent, bucket: before.bucket), before.rank)
    case .taskLabelsChanged(let event):
      try undo(event, of: number, before)
    case .taskCompleted, .taskReopened, .taskOccurrenceCompleted, .taskOccurrenceReopened:
      let start = past.entries.first?.head.position ?? position
      let first: TaskItem? = thing(of: aggregate, before: start)
      undoCompletion(event, of: number, now, before, first)
    // Creation and deletion were handled above.
    case .taskCreated, .taskDeleted: break
    case .labelCreated, .labelDescribed, .labelDeleted, .labelRestored: break
    }
  }

  /// Undoes an event's effect on a task's completion: given the task now, before the event, and before the command.
  private mutating func undoCompletion(
    _ event: Event.Tasks, of number: TaskItem.ID, _ now: TaskItem, _ before: TaskItem,
    _ first: TaskItem?
  ) {
    switch event {
    case .taskCompleted:
      guard now.isDone, now.completed != before.completed,
        now.completed != first?.completed
      else { return }
      guard let completed = before.completed else { return plan.add(TaskReopened(task: number)) }
      plan.add(
        TaskCompleted(
          task: number, completed: completed, withParent: before.wasDoneWithParent))
    case .taskReopened:
      guard !now.isDone, let completed = before.completed else { return }
      plan.add(
        TaskCompleted(
          task: number, completed: completed, withParent: before.wasDoneWithParent))
    case .taskOccurrenceCompleted(let event):
      guard now.occurrence(event.key) != nil else { return }
      plan.add(
        TaskOccurrenceReopened(
          task: number, key: event.key, due: before.due, repetition: before.repetition))
      // Reopening the series opens the task, even if the task was done with its parent: then it must stay done.
      guard let completed = before.completed, plan[number]?.isDone == false else { return }
      plan.add(
        TaskCompleted(
          task: number, completed: completed, withParent: before.wasDoneWithParent))
    case .taskOccurrenceReopened(let event):
      guard now.occurrence(event.key) == nil, let done = before.occurrence(event.key) else {
        return
      }
      plan.add(
        TaskOccurrenceCompleted(
          task: number, key: done.key, due: done.due, day: done.day, completed: done.completed,
          nextDue: before.due, repetition: before.repetition))
    // These events do not affect completion.
    case .taskCreated, .taskDescribed, .taskScheduled, .taskMoved, .taskDeleted, .taskRestored,
      .taskLabelsChanged, .labelCreated, .labelDescribed, .labelDeleted, .labelRestored:
      break
    }
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

  private mutating func undo(
    _ entry: Entry, of number: TaskLabel.ID, _ aggregate: Aggregate
  ) throws(Rejection) {
    guard let now = plan.state.labels[number] else { return }
    let before: TaskLabel? = thing(of: aggregate, before: entry.head.position)
    guard case .tasks(let event) = entry.event.byContext else { return }
    switch event {
    case .labelCreated, .labelRestored:
      guard !now.isDeleted else { return }
      guard plan.tasks(having: number).isEmpty else {
        throw .labelGiven
      }
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
      guard now.name != before.name || now.color != before.color else { return }
      plan.add(LabelDescribed(label: number, name: before.name, color: before.color))
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

  /// The task or the label as it was before an entry.
  private func thing<Thing: Faceted>(of aggregate: Aggregate, before position: Int64) -> Thing? {
    var thing: Thing?
    for entry in past.histories[aggregate] ?? [] where entry.head.position < position {
      if thing == nil {
        thing = Thing(entry.event, entry.head)
      } else {
        thing?.apply(entry.event, entry.head)
      }
    }
    return thing
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
