public import Daybook
public import Journal
import Synchronization

/// A book that is open for writing: commands in, entries into the journal, state kept up to date.
///
/// One writer at a time, in all processes; a second gets ``JournalError/locked(path:holder:)``. Tasks and
/// threads of this one may record at the same time: they take turns, in the order in which they asked, and
/// those who wait together share a sync. Readers need no book: see ``BookReader``.
public final class Book: Sendable {
  /// Reads the same book, for past moments.
  public let reader: BookReader
  let clock: BookClock
  /// What plain phone numbers and the like are hashed with, when commands bring them (HH-6).
  let pepper: Pepper?
  /// What is on disk, and nothing else: the lock is never held while the disk is waited for.
  let state: Mutex<State>
  let queue = CommitQueue()
  let writing: Writing
  let maintenance: Maintenance
  /// Where idempotency keys were used.
  let keys: IdempotencyKeys
  /// Tells the tails of this process.
  let signal: CommitSignal

  /// What only the holder of the turn touches (``CommitQueue``).
  final class Writing: @unchecked Sendable {
    // Safe to send: nobody touches it but the holder of the turn, of whom there is one at a time, and the turn
    // goes from one to the next through the queue's lock, which orders what they do.
    let journal: JournalWriter
    /// Why nothing more is recorded: it is not known any more what the journal says.
    var failure: JournalError?

    init(_ journal: JournalWriter) { self.journal = journal }
  }

  /// What was cut off the end of the journal when the book was opened: what a crash left of a commit that
  /// was never acknowledged.
  public let recovered: TornTail?

  /// Opens the book at a path for writing, and makes it when nothing is there.
  ///
  /// - Throws: ``JournalError``.
  public convenience init(
    at path: String, storage: any Storage = FileStorage(), clock: BookClock = .system,
    zones: any TimeZones = SystemTimeZones.shared, pepper: Pepper? = nil
  ) throws(JournalError) {
    let reader = BookReader(at: path, storage: storage, zones: zones)
    if try !reader.journal.exists() {
      try Book.create(at: path, storage: storage, clock: clock)
    }
    try self.init(opening: reader, clock: clock, pepper: pepper)
  }

  /// Opens an existing book for writing.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - clock: The time, and fresh keys.
  ///   - segmentByteCount: How large the active segment grows.
  ///   - sealing: When a full segment is sealed.
  ///   - spacing: How far apart snapshots are kept.
  ///   - pepper: What plain phone numbers and the like are hashed with.
  /// - Throws: ``JournalError``.
  public convenience init(
    opening reader: BookReader, clock: BookClock = .system,
    segmentByteCount: Int = JournalWriter.segmentByteCount, sealing: SealingTime = .inBackground,
    snapshots spacing: SnapshotSpacing = .standard, pepper: Pepper? = nil
  ) throws(JournalError) {
    try self.init(
      opening: reader, clock: clock, segmentByteCount: segmentByteCount, sealing: sealing,
      snapshots: spacing, pepper: pepper, maintainedOn: MaintenanceThread())
  }

  /// Opens a book whose maintenance runs where it is told to.
  package init(
    opening reader: BookReader, clock: BookClock, segmentByteCount: Int, sealing: SealingTime,
    snapshots spacing: SnapshotSpacing, pepper: Pepper? = nil,
    maintainedOn executor: any MaintenanceExecutor
  ) throws(JournalError) {
    self.clock = clock
    self.pepper = pepper
    let lock = try JournalWriter.takeLock(of: reader.journal)
    try Erasure.finishInterrupted(reader, lock: lock)
    let snapshots = Snapshots(journal: reader.journal)
    var opening = snapshots.opening()
    opening.recents = try reader.unsealedSegments().map { RecentKeys(of: $0) }
    let start = Position(opening.replay.state.position)
    let end = try reader.replay(into: &opening, from: start.next.number)
    let state = opening.finish()
    let writer = try JournalWriter(
      reader.journal, after: end, lock: lock, schemaText: BookReader.schemaText,
      segmentByteCount: segmentByteCount, salts: clock.salts)
    recovered = writer.recovered
    self.state = Mutex(state)
    keys = IdempotencyKeys(opening.filter, opening.recents)
    maintenance = Maintenance(reader, lock: lock, sealing, spacing, keys, on: executor)
    let isOneUnread = snapshots.positions.last.map { $0 > start } ?? false
    maintenance.begin(before: writer.segment, isThorough: isOneUnread)
    writing = Writing(writer)
    signal = CommitSignal(head: writer.head.number)
    var reader = reader
    reader.signal = signal
    self.reader = reader
  }

  deinit {
    signal.close()
    maintenance.finish()
  }

  /// Makes an empty book.
  ///
  /// - Throws: ``JournalError/alreadyABook(path:)`` when there is one, or ``JournalError/storage(_:)``.
  public static func create(
    at path: String, storage: any Storage = FileStorage(), clock: BookClock = .system
  ) throws(JournalError) {
    try Journal(directory: path, storage: storage).create(
      book: clock.freshKey().description, schemaText: BookReader.schemaText, salts: clock.salts)
  }

  /// Closes the active segment, and seals every segment that is closed. A book does that by itself when a
  /// segment is full; this is for before an archive, or a long rest.
  ///
  /// - Returns: What was sealed.
  /// - Throws: ``JournalError``; then nothing is lost, and sealing may be tried again.
  @discardableResult
  public func seal() throws -> [SegmentName] {
    let active = try closeSegment()
    return try maintenance.run(before: active)
  }

  private func closeSegment() throws(JournalError) -> SegmentName {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    try writing.journal.closeSegment()
    return writing.journal.segment
  }

  /// The time now, by the book's clock.
  var now: Instant { clock.now() }

  /// Reads the state as it is now: what was recorded and is on disk. It waits for no disk.
  public func read<Result>(_ body: (State) throws -> Result) rethrows -> Result {
    try body(state.withLock { $0 })
  }
}
