import Avro
import Daybook
import Journal

extension BookReader {
  /// Makes a new book of everything intact in a damaged one. The damaged book stays as it is.
  ///
  /// Every intact entry is kept, and keeps its subject: the logs of one habit are never given to another. Entities are
  /// known by numbers, so where a loss may include creations, the numbers of later entities are uncertain
  /// (``LostCreations``). Entries that refer to such a number go to a placeholder that is named after the number. The
  /// entities that were created after the loss are kept as entities of their own. Entries get new positions, without a
  /// gap where entries were lost. The new book has an id of its own, and `salvage.json` beside its journal lists
  /// exactly what is lost.
  ///
  /// - Parameters:
  ///   - directory: The new book's directory, which must not exist yet.
  ///   - noMoreCreated: Whether it is known that the lost entries created nothing except what later
  ///     entries refer to.
  ///   - clock: Generates the new book's id.
  ///   - progress: Receives how many bytes were verified, and how many there are.
  /// - Returns: What was saved, and what was not.
  /// - Throws: ``Rejection``, or ``JournalError``; then there is no new book.
  @discardableResult
  package func salvage(
    to directory: String, noMoreCreated: Bool = false, clock: BookClock = .system,
    progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws -> Salvage {
    let salvage = try JournalSalvage(
      of: journal, schemaTexts: [Self.schemaText], progress: progress)
    guard !salvage.damages.isEmpty else {
      throw Rejection.notDamaged(path: journal.directory)
    }
    var creations = LostCreations()
    var times: [Int: (after: Instant?, before: Instant?)] = [:]
    var last: (loss: Int?, at: Instant?) = (nil, nil)
    try salvage.forEachEntry { entry, _ in
      if let loss = last.loss, times[loss]?.before == nil { times[loss]?.before = entry.head.at }
      last = (nil, entry.head.at)
      creations.note(entry)
    } loss: { index, damage in
      creations.lose(damage.maximumEntryCount.map { Int($0) })
      times[index] = (last.at, nil)
      last.loss = index
    }
    if noMoreCreated { creations = creations.withoutMore }
    let target = Journal(directory: directory, storage: journal.storage)
    var salvager = Salvager(self, salvage, creations, book: clock.freshKey().description)
    return try salvager.run(to: target, times)
  }
}

extension JournalSalvage {
  /// Calls `body` with all remaining entries and all losses; entries that this Daybook cannot read
  /// count as lost.
  func forEachEntry(
    _ body: (Entry, _ isPlaced: Bool) throws(JournalError) -> Void,
    loss: (Int, Damage) throws(JournalError) -> Void
  ) throws(JournalError) {
    var bridge = SchemaBridge()
    var more = losses.count
    try forEach { header, block, isPlaced throws(JournalError) in
      var collector = EntryCollector()
      let (count, first) = (block.count, block.first.number)
      do throws(JournalError) {
        _ = try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
          try collector.applyEntries(
            count, in: bytes, from: first, startingAt: 0, until: .last)
        }
      } catch {
        guard case .corrupt(let corruption) = error else { throw error }
        try loss(more, block.damage(corruption.reason))
        more += 1
        return
      }
      for entry in collector.entries { try body(entry, isPlaced) }
    } loss: { index throws(JournalError) in
      try loss(index, losses[index])
    }
  }
}

extension Block {
  fileprivate func damage(_ reason: String) -> Damage {
    guard case .corrupt(let corruption) = corruption(reason) else {
      return Damage(file: "", offset: 0, reason: reason)
    }
    return Damage(
      file: corruption.file, offset: corruption.offset, first: first,
      last: first.advanced(by: count - 1), reason: reason)
  }
}

private struct EntryCollector: Projection {
  var entries: [Entry] = []
  mutating func apply(_ entry: Entry) { entries.append(entry) }
}
