import Daybook
import DaybookStore
import Journal

extension Bench {
  /// Measures 5 000 tasks of one account: every list of them, and commands on them (DM-12).
  func tasks(_ path: String) throws -> [Figure] {
    let book = try Book(at: path)
    let start = max(BookClock.system.now(), book.read { $0.at })
    let owner = try book.record(CreateAccount(timeZone: "Europe/Berlin"), at: start)
    let count = min(entries, 5000)
    var labels: [TaskLabel.ID] = []
    try book.transaction { batch in
      for number in 0..<10 {
        labels.append(try batch.record(CreateLabel(name: "label \(number)"), by: owner, at: start))
      }
      for number in 0..<count {
        // Every tenth task has a parent, every third is due, every fifth has labels, every seventh is
        // completed.
        let parent = number % 10 == 9 ? TaskItem.ID(number) : nil
        let task = try batch.record(
          CreateTask(
            title: "Task \(number): wash the \(number % 17 == 0 ? "Café" : "car")",
            bucket: parent == nil ? TaskBucket.allCases[number % 5] : nil, parent: parent,
            due: number % 3 == 0 ? start.advanced(byMilliseconds: Int64(number) * 60_000) : nil,
            labels: number % 5 == 0 ? [labels[number % 10], labels[(number + 3) % 10]] : []),
          by: owner, at: start)
        if number % 7 == 0 { try batch.record(CompleteTask(task), by: owner, at: start) }
      }
    }
    let state = book.read { $0 }
    let query = Query(asOf: start.advanced(byMilliseconds: 86_400_000), zones: book.reader.zones)
    var figures: [Figure] = [("tasks", Double(count)), ("entries", Double(state.position))]
    let filters: [(String, TaskFilter)] = [
      ("all", TaskFilter(status: .any)), ("open", TaskFilter()),
      ("bucket", TaskFilter(bucket: .weekend)), ("search", TaskFilter(text: "cafe")),
      ("labels", TaskFilter(labels: Array(labels.prefix(3)), needed: .any)),
      ("today", TaskFilter(due: .today)), ("overdue", TaskFilter(due: .overdue)),
      ("completed", TaskFilter(status: .completed)),
    ]
    for (name, filter) in filters {
      let times = try (0..<21).map { _ in
        try Self.seconds { _ = try state.taskList(of: owner, filter, query) }
      }
      figures.append(("list_\(name)_milliseconds", Self.median(times) * 1000))
    }
    let adding = try (0..<21).map { number in
      try Self.seconds {
        _ = try book.record(CreateTask(title: "One more \(number)"), by: owner)
      }
    }
    figures.append(("add_milliseconds", Self.median(adding) * 1000))
    let moving = try (1...21).map { number in
      try Self.seconds {
        guard let task = TaskItem.ID(number) else { return }
        _ = try book.record(MoveTask(task, to: .routines, place: .first), by: owner)
      }
    }
    figures.append(("move_milliseconds", Self.median(moving) * 1000))
    guard let second = TaskItem.ID(2) else { return figures }
    let position = try book.recordWithReceipt(CompleteTask(second), by: owner).position
    let undoing = try Self.seconds {
      let past = try book.reader.commandHistory(at: position, knowing: book.read { $0 })
      _ = try book.record(UndoTask(position, past), by: owner)
    }
    figures.append(("undo_milliseconds", undoing * 1000))
    return figures
  }
}
