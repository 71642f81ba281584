public import Daybook
import Journal

extension BookReader {
  /// The command that an entry is part of, with all entries about what it touched; an undo is
  /// decided from these.
  ///
  /// - Parameters:
  ///   - position: The entry's position.
  ///   - state: The current state: entries after it are ignored.
  /// - Returns: The command; nil when there is none.
  /// - Throws: ``JournalError``.
  package func commandHistory(at position: Int64, knowing state: BookState) throws
    -> CommandHistory?
  {
    guard position > 0, position <= state.position else { return nil }
    let entries = try command(around: position, knowing: state)
    let touched = Set(
      entries.filter { !$0.event.isBesideCommand }.compactMap { state.aggregate(of: $0.event) })
    let found = try AggregateEntries(of: touched, through: state.position, in: self)
    return CommandHistory(entries: entries, histories: found.lists)
  }

  /// The entries of a command: from its first to the last before the next command.
  private func command(around position: Int64, knowing state: BookState) throws -> [Entry] {
    var reach: Int64 = 32
    while true {
      let (first, last) = (max(1, position - reach), min(state.position, position + reach))
      var window = EntryRangeCollector(first: first, last: last)
      try replay(into: &window, from: first, through: last)
      let entries = window.entries
      guard let place = entries.firstIndex(where: { $0.head.position == position }) else {
        return []
      }
      // The search ends at an entry that certainly belongs to another command; everything after it
      // can be divided into commands.
      let start = (0..<place).reversed().map { $0 + 1 }.first { index in
        !CommandBounds.mayBeTogether(entries[index - 1], entries[index])
      }
      if start != nil || first == 1 {
        let found = Self.command(of: entries[(start ?? 0)...], holding: place, state)
        if found.endIndex < entries.endIndex || last == state.position { return Array(found) }
      }
      reach *= 8
    }
  }

  private static func command(
    of entries: ArraySlice<Entry>, holding place: Int, _ state: BookState
  ) -> ArraySlice<Entry> {
    var bounds = CommandBounds(state)
    var begin = entries.startIndex
    for index in entries.indices where bounds.begins(entries[index]) {
      if index > place { return entries[begin..<index] }
      begin = index
    }
    return entries[begin...]
  }

  /// The entries from one position through another.
  ///
  /// - Throws: ``JournalError``.
  func entries(from first: Int64, through last: Int64) throws -> [Entry] {
    guard first >= 1, first <= last else { return [] }
    var window = EntryRangeCollector(first: first, last: last)
    try replay(into: &window, from: first, through: last)
    return window.entries
  }
}

/// Collects the entries from one position through another.
private struct EntryRangeCollector: Projection {
  let first: Int64
  let last: Int64
  var entries: [Entry] = []

  init(first: Int64, last: Int64) { (self.first, self.last) = (first, last) }

  mutating func apply(_ entry: Entry) {
    if entry.head.position <= last { entries.append(entry) }
  }
}

extension BookReader {
  /// The entries about a task, oldest first, up to a state's position.
  ///
  /// - Throws: ``JournalError``.
  public func entries(of task: TaskItem.ID, knowing state: BookState) throws -> [Entry] {
    let aggregate = Aggregate.task(task)
    return try AggregateEntries(of: [aggregate], through: state.position, in: self)
      .lists[aggregate] ?? []
  }
}
