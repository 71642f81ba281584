import Avro
import Daybook
import Journal

extension BookReader {
  /// Makes a new book of all that is whole of a damaged one. The damaged book stays as it is.
  ///
  /// Every entry that is whole is kept, and keeps its subject: what was logged of a habit is never given to
  /// another. Entities are known by numbers, so where a loss may have held creations the numbers of later
  /// ones are open (``LostCreations``); what is named by such a number goes to a placeholder of its own, which is
  /// named for the number, and what was created after the loss stands beside it. Positions move up. The new
  /// book has an id of its own, and `salvage.json` beside its journal tells exactly what is lost.
  ///
  /// - Parameters:
  ///   - directory: The new book's directory, not there yet.
  ///   - noMoreCreated: Whether it is known that nothing was created in what is lost but
  ///     things that later entries name.
  ///   - clock: Gives the new book's id.
  ///   - progress: Is told how many bytes were verified, and how many there are.
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
  /// Goes through all entries that are left, and all that is lost; what this Daybook cannot read is lost, too.
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
