import Values

extension TaskItem: PurgeableEntity {
  static var column: StaticString { "task" }
  static var notOwner: Rejection { .notOwner(ofNamed: kind) }
}

/// The plan of a command about tasks: the events and their effects, computed step by step on copies of the tasks that
/// it changes.
struct TaskPlan {
  let state: BookState
  let context: Context
  let actor: Account.ID
  let account: Account
  /// The events so far, in order.
  private(set) var events: [Event] = []
  /// The tasks that the events so far change or create, in their new state.
  private var items: [TaskItem.ID: TaskItem] = [:]

  init(_ state: BookState, _ context: Context) throws(Rejection) {
    self.state = state
    self.context = context
    (actor, account) = try state.actor(context)
  }

  /// A task after the events so far.
  subscript(number: TaskItem.ID) -> TaskItem? { items[number] ?? state.tasks[number] }

  /// Adds an event and applies it.
  mutating func add(_ record: some TaskRecord) {
    var record = record
    record.continues = !events.isEmpty
    let head = EntryHead(
      position: state.position + Int64(events.count) + 1, at: context.at, actor: actor, key: nil)
    events.append(record.event)
    if let creation = record as? TaskCreated {
      items[state.tasks.nextNumber] = creation.created(head)
    } else if let change = record as? any TaskChange, var item = self[change.task] {
      change.change(&item, head)
      items[change.task] = item
    }
  }

  /// An existing task that belongs to the actor.
  ///
  /// - Throws: a rejection for any other task.
  func own(_ number: TaskItem.ID) throws(Rejection) -> TaskItem {
    guard let item = self[number], !item.isDeleted else { throw .taskNotFound }
    guard item.owner == actor else { throw TaskItem.notOwner }
    return item
  }

  /// Whether a task exists and is not deleted.
  func isThere(_ number: TaskItem.ID) -> Bool { self[number]?.isDeleted == false }

  /// The changed tasks that exist and belong to the actor.
  var changed: [(number: TaskItem.ID, item: TaskItem)] {
    items.filter { !$0.value.isDeleted && $0.value.owner == actor }
      .map { (number: $0.key, item: $0.value) }
  }

  /// The numbers of the changed tasks, deleted ones too.
  var changedNumbers: Set<TaskItem.ID> { Set(items.keys) }

  /// Combines two sets of tasks in the order of their creation: those that an index found in the state and that the
  /// events left alone, and the changed tasks that match.
  private func current(_ found: [TaskItem.ID], and others: [TaskItem.ID]) -> [TaskItem.ID] {
    let own = found.filter { items[$0] == nil && state.tasks[$0]?.owner == actor }
    return others.isEmpty ? own : (own + others).sorted()
  }

  /// The changed tasks, by parent: grouped once for all steps of a walk.
  var changedParts: [TaskItem.ID: [TaskItem.ID]] {
    var parts: [TaskItem.ID: [TaskItem.ID]] = [:]
    for (number, item) in changed {
      if let parent = item.parent { parts[parent, default: []].append(number) }
    }
    return parts
  }

  /// The subtasks of a task that are not deleted, in the order of their creation.
  func parts(
    of number: TaskItem.ID, _ changed: [TaskItem.ID: [TaskItem.ID]]
  ) -> [TaskItem.ID] {
    current(state.indexes.tasks.parts(of: number), and: changed[number] ?? [])
  }

  /// The tasks that are not deleted and have a label, in the order of their creation.
  func tasks(having label: TaskLabel.ID) -> [TaskItem.ID] {
    var found: [TaskItem.ID] = []
    state.indexes.tasks.visit(having: label) {
      found.append($0)
      return true
    }
    let others = changed.filter { $0.item.currentLabels.contains(label) }
    return current(found, and: others.map(\.number))
  }
}

// The tree. Walks use a stack of their own, so that no tree is too deep for them.
extension TaskPlan {
  /// The subtasks of a task, their subtasks, and so on: each after its parent.
  func descendants(of root: TaskItem.ID) -> [TaskItem.ID] {
    var found: [TaskItem.ID] = []
    var seen: Set = [root]
    let changed = changedParts
    var waiting = parts(of: root, changed)
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      found.append(next)
      waiting += parts(of: next, changed)
    }
    return found
  }

  /// The parent of a task, the parent's parent, and so on.
  func ancestors(of number: TaskItem.ID) -> [TaskItem.ID] {
    var found: [TaskItem.ID] = []
    var seen: Set = [number]
    var next = self[number]?.parent
    while let parent = next, seen.insert(parent).inserted {
      found.append(parent)
      next = self[parent]?.parent
    }
    return found
  }

  /// The nearest ancestor that is not deleted: it receives what is put under a deleted task.
  func nearestAbove(_ number: TaskItem.ID) -> TaskItem.ID? {
    ancestors(of: number).first(where: isThere)
  }

  /// The ancestors that are done, the topmost first: every subtask of a done task is done, so none of these has an open
  /// one below it.
  func doneAncestors(of number: TaskItem.ID) -> [TaskItem.ID] {
    var found: [TaskItem.ID] = []
    var next = self[number]?.parent
    while let parent = next, let item = self[parent], item.isDone, parent != number {
      found.append(parent)
      next = item.parent
    }
    return found.reversed()
  }

  /// Whether a task is another one or one of its descendants.
  func isPart(_ part: TaskItem.ID, of number: TaskItem.ID) -> Bool {
    part == number || ancestors(of: part).contains(number)
  }

  /// Refuses a parent that is the task itself or one of its descendants.
  func checkParent(_ parent: TaskItem.ID, of number: TaskItem.ID) throws(Rejection) {
    if isPart(parent, of: number) { throw .taskCycle }
  }

  /// Reopens the done ancestors of an open task: no open task is part of a done one.
  mutating func reopenAncestors(of number: TaskItem.ID) {
    guard self[number]?.isDone == false else { return }
    for ancestor in doneAncestors(of: number) { add(TaskReopened(task: ancestor)) }
  }

  /// Reopens the done ancestors of an open task, unless their completion was recorded just now. In that case the
  /// subtask is done with them, as if it had come before (DM-8).
  mutating func settle(_ number: TaskItem.ID) {
    guard self[number]?.isDone == false else { return }
    let done = doneAncestors(of: number)
    guard done.contains(where: isContested) else { return reopenAncestors(of: number) }
    guard let completed = done.last.flatMap({ self[$0]?.completed }) else { return }
    completeParts(of: number, at: completed)
    add(TaskCompleted(task: number, completed: completed, withParent: true))
  }
}

// The order.
extension TaskPlan {
  /// A list of siblings: the subtasks of a task, or the top-level tasks of a bucket.
  struct List: Hashable {
    var parent: TaskItem.ID?
    var bucket: TaskBucket

    func holds(_ item: TaskItem) -> Bool {
      item.parent == parent && (parent != nil || item.bucket == bucket)
    }
  }

  /// The rank of a task that is put at a place of a list. Other tasks keep theirs, with two exceptions: when it goes
  /// between tasks of the same rank, those behind it get new ranks; and when the rank would become too long, the list
  /// is renumbered. That happens only when the same few tasks are moved to and fro a thousand times.
  mutating func rank(
    at place: ListPlace<TaskItem>, of list: List, leavingOut moved: TaskItem.ID?
  ) throws(Rejection) -> Rank {
    let siblings = Siblings(self, list, leavingOut: moved)
    var start: Sibling
    switch place {
    case .first: start = siblings.start
    case .last: start = siblings.end
    case .before(let other): start = try self.place(of: other, in: list, leavingOut: moved)
    case .after(let other):
      start = try self.place(of: other, in: list, leavingOut: moved)
      // No other task has its number, so this is the position right behind it.
      start.task &+= 1
    }
    let low = siblings.last(before: start).map { Rank(unchecked: $0.rank) }
    // The tasks behind it that have the same rank as the one before it.
    let (tied, next) = siblings.behind(start, tiedTo: low)
    let high = next.map { Rank(unchecked: $0.rank) }
    // A task that is at the place already keeps its rank.
    if let item = moved.flatMap({ self[$0] }), list.holds(item), tied.isEmpty,
      low.map({ $0 < item.rank }) ?? true, high.map({ item.rank < $0 }) ?? true
    {
      return item.rank
    }
    let rank = Rank.between(low, high)
    var (last, ranks) = (rank, [Rank]())
    for _ in tied {
      last = Rank.between(last, high)
      ranks.append(last)
    }
    guard last.text.utf8.count <= Rank.maximumCharacterCount else {
      return renumber(siblings.all, putting: start)
    }
    for (sibling, rank) in zip(tied, ranks) { move(sibling.number, to: rank) }
    return rank
  }

  /// The position of a listed task other than the one that is being placed.
  private func place(
    of number: TaskItem.ID, in list: List, leavingOut moved: TaskItem.ID?
  ) throws(Rejection) -> Sibling {
    guard number != moved, let item = self[number], !item.isDeleted, item.owner == actor,
      list.holds(item)
    else { throw .invalidNeighbour }
    return Sibling(item, number)
  }

  /// Gives the tasks of a list new ranks, and returns the rank that is left free for a position among them.
  private mutating func renumber(_ siblings: [Sibling], putting place: Sibling) -> Rank {
    var rank = Rank.first
    var result: Rank?
    for sibling in siblings {
      if result == nil, !(sibling < place) {
        result = rank
        rank = .between(rank, nil)
      }
      move(sibling.number, to: rank)
      rank = .between(rank, nil)
    }
    return result ?? rank
  }

  private mutating func move(_ number: TaskItem.ID, to rank: Rank) {
    guard let item = self[number], item.rank != rank else { return }
    add(TaskMoved(task: number, bucket: item.bucket, parent: item.parent, rank: rank))
  }
}
