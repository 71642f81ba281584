import Streaks

/// An account's tasks, bucket by bucket, each followed by its subtasks (DM-1).
public struct TaskList: Sendable {
  /// The section of one bucket.
  public struct Section: Sendable {
    /// The bucket.
    public let bucket: TaskBucket
    /// Its tasks in their order, each followed by its subtasks.
    public let lines: [Line]
  }

  /// One task of the list.
  public struct Line: Sendable {
    /// Its number.
    public let number: TaskItem.ID
    /// The task.
    public let task: TaskItem
    /// The number of its ancestors.
    public let depth: Int
    /// Whether it matches the filter; otherwise it is listed because one of its subtasks does.
    public let isMatch: Bool
    /// Whether it is open and overdue.
    public let isOverdue: Bool
    /// The labels that it has, by name.
    public let labels: [TaskLabel]
  }

  /// The five buckets, or the requested one.
  public let sections: [Section]

  /// The number of tasks that match the filter.
  public var matchCount: Int {
    sections.reduce(0) { $0 + $1.lines.reduce(0) { $0 + ($1.isMatch ? 1 : 0) } }
  }
}

extension BookState {
  /// The tasks of an account that match a filter, in this state. The ancestors of a matching subtask are listed, too.
  ///
  /// - Complexity: that of sorting all tasks of the account.
  /// - Throws: ``Rejection``.
  public func taskList(
    of account: Account.ID, _ filter: TaskFilter = TaskFilter(), _ query: Query
  ) throws(Rejection) -> TaskList {
    guard let owner = accounts[account] else { throw .accountNotFound }
    let matcher = try TaskMatcher(filter, owner.dayClock, query)
    let forest = TaskForest(tasks(of: account))
    let shown = forest.marked(where: matcher.keeps)
    let buckets = filter.bucket.map { [$0] } ?? TaskBucket.allCases
    let sections = buckets.map { bucket in
      let places = forest.walk(of: bucket) { shown[$0] != .hidden }
      return TaskList.Section(
        bucket: bucket,
        lines: places.map { place, depth in
          let (number, task) = forest.tasks[place]
          return TaskList.Line(
            number: number, task: task, depth: depth, isMatch: shown[place] == .match,
            isOverdue: matcher.isOverdue(task), labels: labels(of: task))
        })
    }
    return TaskList(sections: sections)
  }

  /// The labels that a task has, by name.
  public func labels(of task: TaskItem) -> [TaskLabel] {
    guard !task.labels.isEmpty else { return [] }
    return task.currentLabels.compactMap { labels[$0] }.filter { !$0.isDeleted }
      .sorted { ($0.name, $0.key) < ($1.name, $1.key) }
  }
}

/// Tasks with their parents and subtasks, by their indices in a list.
private struct TaskForest {
  let tasks: [(number: TaskItem.ID, task: TaskItem)]
  private var parents: [Int?]
  private var parts: [[Int]]
  private var roots: [TaskBucket: [Int]] = [:]

  enum Visibility { case hidden, above, match }

  init(_ tasks: [(number: TaskItem.ID, task: TaskItem)]) {
    self.tasks = tasks
    parents = Array(repeating: nil, count: tasks.count)
    parts = Array(repeating: [], count: tasks.count)
    var places: [TaskItem.ID: Int] = [:]
    if tasks.contains(where: { $0.task.parent != nil }) {
      for (place, (number, _)) in tasks.enumerated() { places[number] = place }
    }
    for (place, (_, task)) in tasks.enumerated() {
      if let parent = task.parent.flatMap({ places[$0] }) {
        parents[place] = parent
        parts[parent].append(place)
      } else {
        roots[task.bucket, default: []].append(place)
      }
    }
  }

  /// Marks the tasks that match, and their ancestors.
  func marked(where keeps: (TaskItem) -> Bool) -> [Visibility] {
    var marks = tasks.map { keeps($0.task) ? Visibility.match : .hidden }
    for place in tasks.indices where marks[place] == .match {
      var next = parents[place]
      while let above = next, marks[above] == .hidden {
        marks[above] = .above
        next = parents[above]
      }
    }
    return marks
  }

  /// The shown tasks of a bucket, each followed by its subtasks, with their depths.
  func walk(of bucket: TaskBucket, where isShown: (Int) -> Bool) -> [(place: Int, depth: Int)] {
    var found: [(Int, Int)] = []
    // The next index is the last element.
    var waiting = ordered(roots[bucket] ?? [], where: isShown).map { ($0, 0) }
    while let (place, depth) = waiting.popLast() {
      found.append((place, depth))
      if parts[place].isEmpty { continue }
      waiting += ordered(parts[place], where: isShown).map { ($0, depth + 1) }
    }
    return found
  }

  /// The indices that are shown, the last in order first.
  private func ordered(_ places: [Int], where isShown: (Int) -> Bool) -> [Int] {
    places.filter(isShown).sorted { left, right in
      let (left, right) = (tasks[left].task, tasks[right].task)
      return left.rank == right.rank ? left.key > right.key : left.rank > right.rank
    }
  }
}
