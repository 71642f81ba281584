import Values
import Avro

/// The index of tasks and labels: the order of the tasks, the parts of each task, the tasks of each label, and labels
/// by name. It is derived from the tasks and labels, and updated when they change.
package struct TaskIndex: Equatable, Sendable {
  // This relation holds only tasks that are deleted, but not purged:
  fileprivate var tombstones = Relation<TaskItem, TaskItem>()
  // These hold no deleted tasks:
  fileprivate var parts = Relation<TaskItem, TaskItem>()
  fileprivate var labelled = Relation<TaskLabel, TaskItem>()
  fileprivate var siblings = SortedSet<Sibling>()
  fileprivate var names = SortedSet<LabelName>()

  /// The subtasks of a task, in the order of their creation.
  func parts(of task: TaskItem.ID) -> [TaskItem.ID] { parts[task] }

  /// The deleted, not purged subtasks of a task, in the order of their creation.
  func tombstones(of task: TaskItem.ID) -> [TaskItem.ID] { tombstones[task] }

  /// Visits the tasks that have a label, in the order of their creation, until `look` returns false.
  func visit(having label: TaskLabel.ID, _ look: (TaskItem.ID) -> Bool) {
    labelled.visit(label, look)
  }

  /// The labels of an account whose names are equal to a name, without regard to case and accents.
  func labels(named name: SearchText, of account: Account.ID) -> [TaskLabel.ID] {
    var found: [TaskLabel.ID] = []
    names.visit(from: LabelName(owner: account, name: name, label: 0)) { entry in
      guard entry.owner == account, entry.name == name else { return false }
      found.append(TaskLabel.ID(unchecked: entry.label))
      return true
    }
    return found
  }

  /// Visits the tasks of a list from a position on, in their order, until `look` returns false.
  func visit(from start: Sibling, _ look: (Sibling) -> Bool) {
    siblings.visit(from: start) { $0.isBeside(start) && look($0) }
  }

  /// Visits the tasks of a list before a position, the last one first, until `look` returns false.
  func visit(before end: Sibling, _ look: (Sibling) -> Bool) {
    siblings.visit(before: end) { $0.isBeside(end) && look($0) }
  }
}

/// A task at its position in a list of siblings: an account's subtasks of one task, or its top-level tasks in one
/// bucket.
struct Sibling: Comparable, Sendable {
  var owner: Account.ID
  /// The number of the parent; 0 for a top-level task.
  var parent: Int32
  /// The index of the bucket for a top-level task, else 0.
  var bucket: Int
  var rank: String
  var key: Key
  var task: Int32

  /// The position of a task, if it is in a list.
  init(_ item: TaskItem, _ number: TaskItem.ID) {
    self.init(TaskPlan.List(parent: item.parent, bucket: item.bucket), of: item.owner)
    (rank, key, task) = (item.rank.text, item.key, number.number)
  }

  /// The position before the first task of a list.
  init(_ list: TaskPlan.List, of owner: Account.ID) {
    self.owner = owner
    parent = list.parent?.number ?? 0
    bucket = list.parent == nil ? list.bucket.symbolNumber : 0
    (rank, key, task) = ("", Key(high: 0, low: 0), 0)
  }

  /// The position after the last task of a list.
  static func end(of list: TaskPlan.List, of owner: Account.ID) -> Sibling {
    var end = Sibling(list, of: owner)
    // No rank begins with a character after z.
    end.rank = "{"
    return end
  }

  var number: TaskItem.ID { TaskItem.ID(unchecked: task) }

  /// Whether both are in one list.
  func isBeside(_ other: Sibling) -> Bool {
    owner == other.owner && parent == other.parent && bucket == other.bucket
  }

  static func < (left: Sibling, right: Sibling) -> Bool {
    if left.owner != right.owner { return left.owner < right.owner }
    if left.parent != right.parent { return left.parent < right.parent }
    if left.bucket != right.bucket { return left.bucket < right.bucket }
    return (left.rank, left.key, left.task) < (right.rank, right.key, right.task)
  }
}

/// The name of an account's label.
private struct LabelName: Comparable, Sendable {
  var owner: Account.ID
  var name: SearchText
  var label: Int32

  static func < (left: Self, right: Self) -> Bool {
    (left.owner, left.name, left.label) < (right.owner, right.name, right.label)
  }
}

extension TaskItem {
  /// The owner of a task. While the task exists, also its position and its labels.
  struct IndexKeys: Equatable {
    var owner: Account.ID
    var parent: TaskItem.ID?
    /// The former parent, if the task is deleted but not purged.
    var formerParent: TaskItem.ID?
    var sibling: Sibling?
    var labels: [TaskLabel.ID]
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    guard !isDeleted else {
      return IndexKeys(owner: owner, formerParent: isPurged ? nil : parent, labels: [])
    }
    return IndexKeys(
      owner: owner, parent: parent, sibling: Sibling(self, number), labels: currentLabels)
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.owned.move(number, from: former?.owner, to: keys?.owner)
    state.indexes.tasks.parts.move(number, from: former?.parent, to: keys?.parent)
    state.indexes.tasks.tombstones.move(
      number, from: former?.formerParent, to: keys?.formerParent)
    if former?.sibling != keys?.sibling {
      if let sibling = former?.sibling { state.indexes.tasks.siblings.remove(sibling) }
      if let sibling = keys?.sibling { state.indexes.tasks.siblings.insert(sibling) }
    }
    guard former?.labels != keys?.labels else { return }
    for label in former?.labels ?? [] { state.indexes.tasks.labelled.remove(number, of: label) }
    for label in keys?.labels ?? [] { state.indexes.tasks.labelled.insert(number, of: label) }
  }
}

extension TaskLabel {
  /// The owner of a label. While the label exists, also its name.
  struct IndexKeys: Equatable {
    var owner: Account.ID
    var name: SearchText?

    fileprivate func entry(_ number: ID) -> LabelName? {
      name.map { LabelName(owner: owner, name: $0, label: number.number) }
    }
  }

  func indexKeys(_ number: ID) -> IndexKeys {
    IndexKeys(owner: owner, name: isDeleted ? nil : SearchText(name))
  }

  static func reindex(
    _ number: ID, from former: IndexKeys?, to keys: IndexKeys?, in state: inout BookState
  ) {
    state.indexes.owned.move(number, from: former?.owner, to: keys?.owner)
    if let entry = former?.entry(number) { state.indexes.tasks.names.remove(entry) }
    if let entry = keys?.entry(number) { state.indexes.tasks.names.insert(entry) }
  }
}
