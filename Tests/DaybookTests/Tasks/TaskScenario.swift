import Avro
import Daybook
import Testing

/// A scenario that names tasks by their titles.
extension Scenario {
  /// The key of the task of a small number.
  static func taskKey(_ number: Int) -> Key { Key(high: 8, low: UInt64(number)) }
  /// The key of the label of a small number.
  static func labelKey(_ number: Int) -> Key { Key(high: 9, low: UInt64(number)) }

  /// The task with this title; the first number of all when there is none.
  func task(_ title: String) -> TaskItem.ID {
    for (index, task) in state.tasks.elements.enumerated() where task.title == title {
      if let number = TaskItem.ID(index + 1) { return number }
    }
    Issue.record("there is no task \(title)")
    return BookState().tasks.nextNumber
  }

  subscript(title: String) -> TaskItem? { state.tasks[task(title)] }

  /// The scenario with one more task.
  func adding(
    _ title: String, in bucket: TaskBucket? = nil, under parent: String? = nil,
    due: Instant? = nil, repeating rule: String? = nil,
    from origin: TaskRepetition.Origin = .due, place: ListPlace<TaskItem> = .last,
    at: Instant = noon
  ) throws -> Scenario {
    try and(
      CreateTask(
        key: Self.taskKey(state.tasks.elements.count + 1), title: title, bucket: bucket,
        parent: parent.map { task($0) }, due: due, recurrence: rule, from: origin, place: place),
      at: at)
  }

  /// The effect of an upsert of a JSON row.
  func upserting(_ row: String, at: Instant = noon, by actor: Int = 1) throws -> Scenario {
    let request = try Request(
      try JSON(parsing: row), state, actor: Account.ID(actor))
    return try playing(request.body, by: actor, at: at)
  }

  private func playing(_ body: some RequestBody, by actor: Int, at: Instant) throws -> Scenario {
    try and(body, by: actor, at: at)
  }

  /// The open tasks of a bucket in order, indented, as Ada sees them.
  func list(
    _ bucket: TaskBucket = .thisWeek, _ filter: TaskFilter = TaskFilter(), at: Instant = noon
  ) throws -> [String] {
    var filter = filter
    filter.bucket = bucket
    let list = try state.taskList(
      of: First.account, filter, Query(asOf: at, zones: TableZones()))
    return list.sections.flatMap { section in
      section.lines.map { String(repeating: "- ", count: $0.depth) + $0.task.title }
    }
  }

  /// A table of the dump.
  func rows(_ name: String) -> [JSON] { state.tables.first { $0.name == name }?.rows ?? [] }

  /// Checks that no task is part of a missing task or of itself, or open below a completed one.
  func complaints() -> [String] {
    var complaints: [String] = []
    for (index, task) in state.tasks.elements.enumerated() {
      guard let number = TaskItem.ID(index + 1), !task.isDeleted else { continue }
      var (next, seen) = (task.parent, Set([number]))
      while let above = next {
        guard let parent = state.tasks[above], seen.insert(above).inserted else {
          complaints.append("\(task.title) is a part of itself, or of nothing")
          break
        }
        if parent.isDeleted { complaints.append("\(task.title) is an orphan of \(parent.title)") }
        if parent.isDone, !task.isDone {
          complaints.append("\(task.title) is open, \(parent.title) is done")
        }
        next = parent.parent
      }
    }
    return complaints
  }
}

func hours(_ count: Int64, after instant: Instant = Scenario.noon) -> Instant {
  instant.advanced(byMilliseconds: count * 3_600_000)
}

func seconds(_ count: Int64, after instant: Instant = Scenario.noon) -> Instant {
  instant.advanced(byMilliseconds: count * 1000)
}
