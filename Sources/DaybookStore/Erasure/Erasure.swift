import Avro
import Daybook
import Journal

/// Finds the personal data of an account in the journal, and rewrites the segments that hold it.
struct Erasure {
  private let journal: Journal
  private let account: Account.ID
  private let state: BookState
  private let eraser: PersonalEraser
  private var rewriter: SegmentRewriter

  /// Prepares to search for an account's personal data. The state must be of the whole book: it
  /// tells who owns habits and goals.
  init(
    of account: Account.ID, in state: BookState, _ journal: Journal, lock: any StorageLock
  ) throws(JournalError) {
    self.account = account
    self.state = state
    self.journal = journal
    do throws(AvroError) { eraser = try PersonalEraser(Entry.schema) } catch {
      throw .poisoned(reason: error.description)
    }
    rewriter = SegmentRewriter(journal, lock: lock)
  }

  /// Writes the blanked segments next to the old ones.
  ///
  /// - Precondition: everything before the active segment is sealed.
  mutating func prepare() throws(JournalError) -> [SegmentRewriter.Rewriting] {
    var aggregates = AggregateReader()
    var rewritings: [SegmentRewriter.Rewriting] = []
    for name in try journal.segments().dropLast() {
      let isOld = try journal.header(of: name).format == 1
      let positions = try ownPositions(in: name, &aggregates) { bytes throws(AvroError) in
        // In later formats the segment's own schema says which fields are personal.
        guard isOld else { return true }
        return try !eraser.erased(bytes).elementsEqual(bytes)
      }
      guard !positions.isEmpty else { continue }
      let rewriting =
        isOld
        ? try rewrite(name, positions) : try rewriter.prepare(name, erasing: positions)
      if let rewriting { rewritings.append(rewriting) }
    }
    return rewritings
  }

  /// The positions of the account's own entries in a segment, where a condition holds for their
  /// bytes.
  private func ownPositions(
    in name: SegmentName, _ aggregates: inout AggregateReader,
    where condition: (ArraySlice<UInt8>) throws(AvroError) -> Bool
  ) throws(JournalError) -> Set<Position> {
    var bridge = SchemaBridge()
    var positions: Set<Position> = []
    var reader = aggregates
    try journal.readBlocks(of: name) { header, block throws(JournalError) in
      let (first, count) = (block.first, block.count)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        var own: [(position: Position, range: Range<Int>)] = []
        var position = first
        try reader.read(count, in: bytes) { aggregate, _, range in
          if isOwn(aggregate) { own.append((position, range)) }
          position = position.next
        }
        guard !own.isEmpty else { return true }
        let bytes = bytes.withUnsafeBytes { [UInt8]($0) }
        for (position, range) in own where try condition(bytes[range]) {
          positions.insert(position)
        }
        return true
      }
    }
    aggregates = reader
    return positions
  }

  private func isOwn(_ aggregate: Aggregate) -> Bool {
    state.isErased(aggregate, with: account)
  }

  /// Rewrites a segment of format 1.
  private mutating func rewrite(
    _ name: SegmentName, _ positions: Set<Position>
  ) throws(JournalError) -> SegmentRewriter.Rewriting? {
    // An older schema does not say which fields are personal, so the whole segment is converted to
    // today's.
    let text = try journal.header(of: name).schemaText
    let resolution: SchemaResolution?
    do throws(AvroError) {
      resolution =
        text == BookReader.schemaText
        ? nil : try SchemaResolution(from: Schema(parsing: text), to: Entry.schema)
    } catch { throw .unknownSchema(file: name.fileName) }
    let (eraser, path) = (eraser, journal.path(of: name))
    var resolved: [UInt8] = []
    return try rewriter.prepare(name, schemaText: BookReader.schemaText) {
      position, entry throws(JournalError) in
      do throws(AvroError) {
        var bytes = Array(entry)
        if let resolution {
          try resolution.resolve(1, in: bytes.span.bytes, into: &resolved)
          bytes = resolved
        }
        return positions.contains(position) ? try eraser.erased(bytes[...]) : bytes
      } catch {
        throw .corrupt(
          .init(
            file: path, offset: 0, after: Position(position.number - 1),
            reason: "its entries cannot be read (\(error))"))
      }
    }
  }

  /// Puts the prepared segments in place, and removes other files that may hold the blanked data.
  func finish(_ rewritings: [SegmentRewriter.Rewriting]) throws(JournalError) {
    try Self.clean(journal)
    for rewriting in rewritings { try rewriter.finish(rewriting.segment) }
  }

  /// Removes files derived from the segments, and torn commits that were kept. This is on disk
  /// before any segment is replaced: as long as prepared segments wait, an interrupted erasure is
  /// noticed.
  private static func clean(_ journal: Journal) throws(JournalError) {
    do throws(StorageError) {
      try Snapshots(journal: journal).removeAll()
      for name in try journal.storage.names(in: journal.segmentDirectory) ?? []
      where name.contains(".torn-")
        || [".index", ".keys", ".receipts"].contains(where: {
          name.hasSuffix($0) || name.hasSuffix($0.unfinished)
        })
      {
        try journal.storage.remove("\(journal.segmentDirectory)/\(name)")
      }
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
    } catch { throw .storage(error) }
  }

  /// Finishes erasures that a crash interrupted: recorded ones are put in place, others are
  /// discarded.
  static func finishInterrupted(_ reader: BookReader, lock: any StorageLock) throws(JournalError) {
    let rewriter = SegmentRewriter(reader.journal, lock: lock)
    let pending = try rewriter.pending()
    guard !pending.isEmpty else { return }
    var records = ErasureRecords()
    try reader.replay(into: &records)
    try clean(reader.journal)
    for (segment, file) in pending {
      if records.segments.contains(where: { $0.fileAfter == file.description }) {
        try rewriter.finish(segment)
      } else {
        try rewriter.discard(segment)
      }
    }
  }
}
