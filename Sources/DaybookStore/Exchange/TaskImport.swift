package import Avro
package import Calendar
package import Daybook
import Values

/// The result of an import of tasks.
package struct TaskImportSummary: Sendable, Hashable {
  /// How many tasks were created.
  package internal(set) var tasksMade = 0
  /// How many had been created by an earlier import, whatever happened to them since.
  package internal(set) var tasksFound = 0
  /// How many of the created tasks are done.
  package internal(set) var tasksDone = 0
  /// How many labels were created.
  package internal(set) var labelsMade = 0
  /// Content for which a book has no place.
  package internal(set) var leftOut: [Omission] = []

  /// The summary as JSON.
  package func json(trying isTrial: Bool) -> JSON {
    [
      "tasks_made": .number(tasksMade), "tasks_found": .number(tasksFound),
      "tasks_done": .number(tasksDone), "labels_made": .number(labelsMade),
      "left_out": leftOut.json, "dry_run": .bool(isTrial),
    ]
  }
}

extension Book {
  /// Records the tasks of another program in one commit. A task that an earlier import created is
  /// recognised by its id or its place, and is left alone.
  ///
  /// A repeating task goes to the routines. A task that is due this week or overdue, or has no due
  /// day, goes to this week; any other to next week or next month.
  ///
  /// - Parameters:
  ///   - export: The export.
  ///   - account: The account that gets the tasks.
  ///   - at: The book's clock. By default the machine's clock, but never before the last entry.
  ///   - isTrial: Whether to record nothing and only report what would be done.
  /// - Returns: What was done, or would be.
  /// - Throws: ``ExchangeError`` with the line, or ``JournalError``; then nothing changed.
  @discardableResult
  package func importTasks(
    _ export: TaskExport, for account: Account.ID, at: Instant? = nil, trying isTrial: Bool = false
  ) throws -> TaskImportSummary {
    try transaction(trying: isTrial) { (batch: inout Batch) throws -> TaskImportSummary in
      let now = try batch.record(ReadClock(), at: at)
      var plan = try TaskImportPlan(export, for: account, at: now, in: batch.state, self.reader)
      try plan.record(in: &batch)
      return plan.summary
    }
  }
}

/// The plan of an import of tasks.
private struct TaskImportPlan {
  private let export: TaskExport
  private let account: Account.ID
  private let key: Key
  private let now: Instant
  private let today: Day
  private let wall: WallClock
  private var labels: [SearchText: TaskLabel.ID] = [:]
  private(set) var summary = TaskImportSummary()

  init(
    _ export: TaskExport, for account: Account.ID, at now: Instant, in state: BookState,
    _ reader: BookReader
  ) throws {
    guard let found = state.accounts[account] else { throw Rejection.accountNotFound }
    self.export = export
    self.account = account
    self.now = now
    key = found.key
    guard let today = found.dayClock.day(of: now, in: reader.zones) else {
      throw Rejection.unknownTimeZone(found.dayClock.timeZone)
    }
    self.today = today
    wall = WallClock(timeZone: found.dayClock.timeZone, zones: reader.zones)
    summary.leftOut = export.leftOut
  }

  mutating func record(in batch: inout Batch) throws {
    var numbers: [TaskItem.ID?] = []
    for task in export.tasks {
      do { numbers.append(try record(task, numbers, in: &batch)) } catch let error as Rejection {
        throw ExchangeError.refused(file: task.line.file, line: task.line.number, error)
      }
    }
  }

  private mutating func record(
    _ task: TaskExport.Task, _ numbers: [TaskItem.ID?], in batch: inout Batch
  ) throws -> TaskItem.ID? {
    let key = Key(
      derivedFrom: [export.program.rawValue, key.description] + task.identity)
    if let known = batch.state.tasks.number(of: key) {
      summary.tasksFound += 1
      return batch.state.tasks[known]?.isDeleted == false ? known : nil
    }
    let due = due(of: task)
    let recurrence = task.recurrence.map {
      // A task that repeats from its completion continues from that day.
      task.repeatsFromCompletion
        ? $0 : RecurrenceRule.reachingLastDays($0, from: due.flatMap { wall.local(of: $0)?.day })
    }
    let parent = task.parent.flatMap { numbers[$0] }
    var command = CreateTask(
      key: key, title: task.title, description: task.notes.joined(separator: "\n"),
      bucket: parent == nil ? moments.bucket(repeats: task.recurrence != nil, due) : nil,
      parent: parent, due: due, recurrence: recurrence,
      from: task.recurrence == nil ? nil : task.repeatsFromCompletion ? .completion : .due)
    if task.notes.isEmpty { command.content.description = nil }
    for name in task.labels {
      let label = try label(name, in: &batch)
      // The project may have the name of one of the labels.
      if !command.labels.contains(label) { command.labels.append(label) }
    }
    let number = try batch.record(command, by: account, at: now)
    summary.tasksMade += 1
    if task.isDone {
      try batch.record(
        CompleteTask(number, at: task.completed.map { min($0, now) }), by: account, at: now)
      summary.tasksDone += 1
    }
    return number
  }

  /// The label with a name: an existing one whose name differs at most in capitals and accents, or
  /// a new one.
  private mutating func label(_ name: String, in batch: inout Batch) throws -> TaskLabel.ID {
    // A second label whose name folds to the same text would be refused.
    let folded = SearchText(name.asOneLine)
    if let known = labels[folded] { return known }
    let there = batch.state.labels(of: account).first { SearchText($0.label.name) == folded }
    let number: TaskLabel.ID
    if let there {
      number = there.number
    } else {
      number = try batch.record(CreateLabel(name: name), by: account, at: now)
      summary.labelsMade += 1
    }
    labels[folded] = number
    return number
  }

  // MARK: Days

  private var moments: TaskMoments { TaskMoments(today: today, wall: wall) }

  private func due(of task: TaskExport.Task) -> Instant? {
    switch task.due {
    case .day(let day): return moments.end(of: day)
    case .local(let day, let time):
      return LocalDateTime(day: day, second: Int(time.minutes) * 60).flatMap {
        wall.instant(of: $0)
      }
    case .instant(let instant):
      // Taskwarrior gives a day as its midnight.
      guard export.program == .taskwarrior, let local = wall.local(of: instant), local.second == 0
      else { return instant }
      return moments.end(of: local.day)
    case nil:
      guard let rule = task.recurrence else { return nil }
      return moments.first(of: rule, at: task.time)
    }
  }
}
