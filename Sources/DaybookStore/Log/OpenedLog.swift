import Avro
import Daybook
import Journal

/// A log that was opened for recording, with what a book needs to know of its past.
struct OpenedLog {
  let log: any EventLog
  let state: BookState
  /// The idempotency keys and where they were used.
  let keys: IdempotencyKeys
  /// The receipts of lines, when the log is kept in files.
  let receipts: ReceiptKeeper?
  /// The torn tail that was cut off a file.
  let recovered: TornTail?

  /// A log that was not read yet; the book reads its entries before it records.
  init(unread log: any EventLog) {
    self.init(log, BookState(), IdempotencyKeys(KeyFilter(), [RecentKeys(of: .first)]))
  }

  private init(
    _ log: any EventLog, _ state: BookState, _ keys: IdempotencyKeys,
    _ receipts: ReceiptKeeper? = nil, _ recovered: TornTail? = nil
  ) {
    self.log = log
    self.receipts = receipts
    self.state = state
    self.keys = keys
    self.recovered = recovered
  }

  /// Reads a log that keeps nothing beside its entries: no snapshot to start from, and no index of
  /// keys.
  init(reading reader: BookReader) throws(JournalError) {
    var opening = OpeningReplay()
    opening.recents = [RecentKeys(of: .first)]
    try reader.replay(into: &opening)
    let state = opening.finish()
    self.init(reader.log, state, IdempotencyKeys(opening.filter, opening.recents))
  }

  /// Opens files: takes their lock, finishes interrupted work, and reads what comes after the
  /// newest snapshot.
  init(
    files reader: BookReader, salts: SaltSource, segmentByteCount: Int, sealing: SealingTime,
    snapshots spacing: SnapshotSpacing, maintainedOn executor: any MaintenanceExecutor
  ) throws(JournalError) {
    let journal = reader.journal
    let lock = try JournalWriter.takeLock(of: journal)
    try Erasure.finishInterrupted(reader, lock: lock)
    let snapshots = Snapshots(journal: journal)
    var opening = snapshots.opening()
    opening.recents = try reader.journal.segmentsBySeal().unsealed.map { RecentKeys(of: $0) }
    let start = Position(opening.replay.state.position)
    let end = try Self.read(journal, into: &opening, after: start)
    let state = opening.finish()
    let writer = try JournalWriter(
      journal, after: end, lock: lock, schemaText: BookReader.schemaText,
      segmentByteCount: segmentByteCount, salts: salts)
    let recovered = writer.recovered
    let keys = IdempotencyKeys(opening.filter, opening.recents)
    let receipts = ReceiptKeeper(journal, on: executor.beside)
    let maintenance = Maintenance(
      reader, lock: lock, sealing, spacing, keys, receipts, on: executor)
    let isOneUnread = snapshots.positions.last.map { $0 > start } ?? false
    maintenance.begin(before: writer.segment, isThorough: isOneUnread)
    self.init(FileLog(journal, writer, maintenance), state, keys, receipts, recovered)
  }

  /// Reads from a position to the journal's end, where the writer will continue.
  private static func read(
    _ journal: Journal, into opening: inout OpeningReplay, after start: Position
  ) throws(JournalError) -> JournalEnd {
    var bridge = SchemaBridge()
    return try journal.readBlocks(from: start.next) { header, block throws(JournalError) in
      let (count, first) = (block.count, block.first.number)
      return try bridge.read(block, of: header.schemaText) { bytes throws(AvroError) in
        try opening.applyEntries(
          count, in: bytes, from: first, startingAt: start.next.number, until: .last)
      }
    }
  }
}
