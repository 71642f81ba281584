/// What a command about tasks comes to, worked out step by step on copies of the tasks that it changes.
struct TaskPlan {
  let state: State
  let context: Context
  let actor: Account.ID
  let account: Account
  /// What happens, in order.
  private(set) var events: [Event] = []
  private var items: [TaskItem.ID: TaskItem] = [:]
  private var created: [TaskItem.ID] = []

  init(_ state: State, _ context: Context) throws(TaskRejection) {
    self.state = state
    self.context = context
    do { (actor, account) = try state.actor(context) } catch { throw .account(error) }
  }

  /// A task as it is after the events so far.
  subscript(number: TaskItem.ID) -> TaskItem? { items[number] ?? state.tasks[number] }

  /// Lets something happen.
  mutating func add(_ record: some TaskRecord) {
    var record = record
    record.continues = !events.isEmpty
    let event = record.event
    let head = EntryHead(
      position: state.position + Int64(events.count) + 1, at: context.at, actor: actor, key: nil)
    events.append(event)
    if let item = TaskItem(event, head) {
      created.append(state.tasks.nextNumber)
      items[state.tasks.nextNumber] = item
    } else if let aggregate = event.subject.aggregate, aggregate.kind == .task {
      let number = TaskItem.ID(unchecked: aggregate.number)
      guard var item = self[number] else { return }
      item.apply(event, head)
      items[number] = item
    }
  }

  /// A task that is there and the actor's own.
  func own(_ number: TaskItem.ID) throws(TaskRejection) -> TaskItem {
    guard let item = self[number], !item.isDeleted else { throw .taskNotFound }
    guard item.owner == actor else { throw .notOwner }
    return item
  }

  /// The actor's tasks that are there, in the order of their creation.
  var live: [(number: TaskItem.ID, item: TaskItem)] {
    var live: [(TaskItem.ID, TaskItem)] = []
    forEachLive { live.append(($0, $1)) }
    return live
  }

  /// Looks at the actor's tasks that are there, in the order of their creation: thousands of them for one command,
  /// so that none is copied.
  func forEachLive(_ look: (TaskItem.ID, TaskItem) -> Void) {
    for number in state.taskIndex.tasks(of: actor) {
      if !items.isEmpty, let item = items[number] {
        if !item.isDeleted { look(number, item) }
      } else if let place = state.tasks.place(of: number),
        !state.tasks.elements[place].isDeleted
      {
        look(number, state.tasks.elements[place])
      }
    }
    for number in created {
      if let item = items[number], !item.isDeleted { look(number, item) }
    }
  }
}

// The tree. Walks keep their own stack: nobody can make a tree too deep for them.
extension TaskPlan {
  /// The parts of a task, the parts of the parts, and so on: each after that of which it is a part.
  func descendants(of root: TaskItem.ID) -> [TaskItem.ID] {
    var children: [TaskItem.ID: [TaskItem.ID]] = [:]
    forEachLive { number, item in
      if let parent = item.parent { children[parent, default: []].append(number) }
    }
    guard !children.isEmpty else { return [] }
    var found: [TaskItem.ID] = []
    var seen: Set = [root]
    var waiting = children[root] ?? []
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      found.append(next)
      waiting += children[next] ?? []
    }
    return found
  }

  /// The task of which a task is a part, the one of which that is a part, and so on.
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

  /// Those of them that are done, the topmost first: what is a part of a done task is done, so that none is above
  /// one that is open.
  func doneAncestors(of number: TaskItem.ID) -> [TaskItem.ID] {
    var found: [TaskItem.ID] = []
    var next = self[number]?.parent
    while let parent = next, let item = self[parent], item.isDone, parent != number {
      found.append(parent)
      next = item.parent
    }
    return found.reversed()
  }

  /// Whether a task is another one or a part of it.
  func isPart(_ part: TaskItem.ID, of number: TaskItem.ID) -> Bool {
    part == number || ancestors(of: part).contains(number)
  }

  /// Refuses a parent that is the task itself or a part of it.
  func checkParent(_ parent: TaskItem.ID, of number: TaskItem.ID) throws(TaskRejection) {
    if isPart(parent, of: number) { throw .taskCycle }
  }

  /// What is open is a part of nothing that is done.
  mutating func reopenAncestors(of number: TaskItem.ID) {
    guard self[number]?.isDone == false else { return }
    for ancestor in doneAncestors(of: number) { add(TaskReopened(task: ancestor)) }
  }
}

/// Where a task is put among its siblings.
public enum TaskPlace: Hashable, Sendable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// Right before another.
  case before(TaskItem.ID)
  /// Right after another.
  case after(TaskItem.ID)
}

// The order.
extension TaskPlan {
  /// A list of siblings: the parts of a task, or the tasks of a bucket that are part of none.
  struct List: Hashable {
    var parent: TaskItem.ID?
    var bucket: TaskBucket

    func holds(_ item: TaskItem) -> Bool {
      item.parent == parent && (parent != nil || item.bucket == bucket)
    }
  }

  /// The rank of a task that is put at a place of a list. Others keep theirs, but for those of the same rank
  /// between which it is put: then those behind it get new ones; and when a rank would be too long, which only a
  /// move of the same few tasks to and fro a thousand times comes to, the list is numbered afresh.
  mutating func rank(
    at place: TaskPlace, of list: List, leavingOut moved: TaskItem.ID?
  ) throws(TaskRejection) -> Rank {
    if place == .last, let rank = lastRank(of: list, leavingOut: moved) { return rank }
    let siblings = live.filter { $0.number != moved && list.holds($0.item) }
      .sorted { ($0.item.rank, $0.item.key) < ($1.item.rank, $1.item.key) }
    let index: Int
    switch place {
    case .first: index = 0
    case .last: index = siblings.count
    case .before(let other):
      guard let found = siblings.firstIndex(where: { $0.number == other }) else {
        throw .invalidNeighbour
      }
      index = found
    case .after(let other):
      guard let found = siblings.firstIndex(where: { $0.number == other }) else {
        throw .invalidNeighbour
      }
      index = found + 1
    }
    let low = index > 0 ? siblings[index - 1].item.rank : nil
    // Those behind it that stand where the one before it stands.
    let tied = siblings[index...].prefix { $0.item.rank == low }
    let end = index + tied.count
    let high = end < siblings.count ? siblings[end].item.rank : nil
    // Where it stands already it stays.
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
    guard last.text.utf8.count <= Rank.mostCharacters else { return renumber(siblings, index) }
    for (sibling, rank) in zip(tied, ranks) { move(sibling.number, to: rank) }
    return rank
  }

  /// The rank of a task that is put last, as most are: no list needs to be sorted for it.
  private func lastRank(of list: List, leavingOut moved: TaskItem.ID?) -> Rank? {
    var last: Rank?
    forEachLive { number, item in
      guard number != moved, list.holds(item), last.map({ $0 < item.rank }) ?? true else { return }
      last = item.rank
    }
    if let item = moved.flatMap({ self[$0] }), list.holds(item),
      last.map({ $0 < item.rank }) ?? true
    {
      return item.rank
    }
    let rank = Rank.between(last, nil)
    return rank.text.utf8.count > Rank.mostCharacters ? nil : rank
  }

  private mutating func renumber(
    _ siblings: [(number: TaskItem.ID, item: TaskItem)], _ index: Int
  ) -> Rank {
    var (rank, result) = (Rank.first, Rank.first)
    for place in 0...siblings.count {
      if place == index {
        result = rank
        rank = .between(rank, nil)
      }
      guard place < siblings.count else { break }
      move(siblings[place].number, to: rank)
      rank = .between(rank, nil)
    }
    return result
  }

  private mutating func move(_ number: TaskItem.ID, to rank: Rank) {
    guard let item = self[number], item.rank != rank else { return }
    add(TaskMoved(task: number, bucket: item.bucket, parent: item.parent, rank: rank))
  }
}

extension State {
  /// The tasks of an account that are there, in the order of their creation.
  public func tasks(of account: Account.ID) -> [(number: TaskItem.ID, task: TaskItem)] {
    taskIndex.tasks(of: account).compactMap { number in
      guard let task = tasks[number], !task.isDeleted else { return nil }
      return (number, task)
    }
  }

  /// The labels of an account that are there, in the order of their creation.
  public func labels(of account: Account.ID) -> [(number: TaskLabel.ID, label: TaskLabel)] {
    taskIndex.labels(of: account).compactMap { number in
      guard let label = labels[number], !label.isDeleted else { return nil }
      return (number, label)
    }
  }
}

func checkedTaskTitle(_ title: String) throws(TaskRejection) -> String {
  let trimmed = title.trimmingSpace
  // What nobody can see is no title.
  let isSeen = trimmed.unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint }
  guard isSeen else { throw .emptyTitle }
  try Limit.title.checkTask(trimmed, "title")
  guard !trimmed.hasControls else { throw .invalidTitle }
  return trimmed
}
