import Avro
import Daybook
import Journal

/// Writes key indexes that are missing, stale or damaged.
struct KeyIndexKeeper: Sendable {
  let journal: Journal

  /// Builds what is missing.
  ///
  /// - Parameters:
  ///   - sealed: The sealed segments.
  ///   - isThorough: Whether every page is checked; otherwise only that there is an index that
  ///     fits.
  /// - Throws: ``JournalError``.
  func update(_ sealed: [SegmentName], isThorough: Bool) throws(JournalError) {
    for name in sealed {
      let header = try journal.header(of: name)
      if let index = KeyIndex(of: header, in: journal), !isThorough || index.isWhole() { continue }
      try build(name, header)
    }
  }

  private func build(_ name: SegmentName, _ header: SegmentHeader) throws(JournalError) {
    var bridge = SchemaBridge()
    var collector = KeyCollector()
    var blocks: [KeyIndex.Place] = []
    try journal.readBlocks(of: name) { header, block throws(JournalError) in
      collector.block = UInt16(truncatingIfNeeded: blocks.count)
      blocks.append((block.place.offset, block.first))
      let (count, first) = (block.count, block.first.number)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try collector.applyEntries(count, in: bytes, from: first, startingAt: 0, until: .last)
      }
    }
    guard let file = KeyIndex.encoded(collector.items, blocks, of: header) else { return }
    let path = KeyIndex.path(of: name, in: journal)
    try onDisk { () throws(StorageError) in try journal.storage.replace(path, with: file) }
  }
}

/// Collects the hashes of the keys that entries carry.
private struct KeyCollector: Projection {
  var items: [KeyIndex.Item] = []
  var block: UInt16 = 0

  mutating func apply(_ entry: Entry) {
    if let key = entry.head.key { items.append(.init(hash: key.searchHash, block: block)) }
  }

  mutating func apply(_ logged: HabitLogged, _ head: EntryHead) {
    if let key = head.key { items.append(.init(hash: key.searchHash, block: block)) }
  }

  mutating func applyEntries(
    _ count: Int, in bytes: RawSpan, from first: Int64, startingAt start: Int64,
    until last: Instant
  ) throws(AvroError) -> Bool {
    try readEntries(count, in: bytes, from: first, startingAt: start, until: last)
  }
}
