public import Daybook
import Journal

extension BookReader {
  /// The command about tasks or labels of which an entry is a part, with all that was recorded of what it
  /// touched: what ``UndoTask`` is decided from.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - state: The book as it is: later entries are not looked at.
  /// - Returns: The command; of an entry about anything else that entry alone; nothing when there is none.
  /// - Throws: ``JournalError``.
  public func taskPast(at position: Int64, knowing state: BookState) throws -> TaskPast? {
    guard position > 0, position <= state.position else { return nil }
    let entries = try command(around: position, through: state.position)
    guard entries.allSatisfy({ $0.event.isOfTasks }) else {
      return TaskPast(entries: entries, histories: [:])
    }
    let touched = Set(
      entries.compactMap { entry -> Aggregate? in
        switch entry.event.subject {
        case .aggregate(let aggregate): aggregate
        case .new(.task, let key, _): state.tasks.number(of: key).map { .task($0) }
        case .new(.label, let key, _): state.labels.number(of: key).map { .label($0) }
        case .new: nil
        }
      })
    let found = try AggregateEntries(of: touched, through: state.position, in: self)
    return TaskPast(entries: entries, histories: found.lists)
  }

  /// The entries of a command: from the one that begins it to the one before the next command.
  private func command(around position: Int64, through last: Int64) throws -> [Entry] {
    var reach: Int64 = 32
    while true {
      var window = Window(first: max(1, position - reach), last: min(last, position + reach))
      try replay(into: &window, from: window.first, through: window.last)
      guard let place = window.entries.firstIndex(where: { $0.head.position == position }) else {
        return []
      }
      let begin = window.entries[...place].lastIndex { !$0.event.continues }
      let end = window.entries[(place + 1)...].firstIndex { !$0.event.continues }
      if begin != nil || window.first == 1, end != nil || window.last == last {
        return Array(window.entries[(begin ?? 0)..<(end ?? window.entries.count)])
      }
      reach *= 8
    }
  }
}

/// The entries from one position to another.
struct Window: Projection {
  let first: Int64
  let last: Int64
  var entries: [Entry] = []

  init(first: Int64, last: Int64) { (self.first, self.last) = (first, last) }

  mutating func apply(_ entry: Entry) {
    if entry.head.position <= last { entries.append(entry) }
  }
}

extension Event {
  /// Whether it is part of what the entry before is part of.
  var continues: Bool { taskRecord?.continues ?? false }
}

extension BookReader {
  /// The entries about a task, oldest first, as far as a state knows them.
  ///
  /// - Throws: ``JournalError``.
  public func entries(of task: TaskItem.ID, knowing state: BookState) throws -> [Entry] {
    let aggregate = Aggregate.task(task)
    return try AggregateEntries(of: [aggregate], through: state.position, in: self)
      .lists[aggregate] ?? []
  }
}
