public import Daybook
public import Journal
import Synchronization

/// A book that is open for writing: commands in, entries into the log, state kept up to date.
///
/// Files have one writer at a time, in all processes; a second gets ``JournalError/locked(path:holder:)``. Tasks and
/// threads of this one may record at the same time: they take turns, in the order in which they asked, and
/// those who wait together share a sync. Readers need no book: see ``BookReader``.
///
/// Other logs may have several books at once. One that finds that others recorded meanwhile takes up what they did and
/// decides again: so what is recorded was decided in the state that all entries before it leave.
public final class Book: Sendable {
  /// Reads the same book, for past moments.
  public let reader: BookReader
  package let clock: BookClock
  /// What plain phone numbers and the like are hashed with, when commands bring them (HH-6).
  let pepper: Pepper?
  /// What is on disk, and nothing else: the lock is never held while the disk is waited for. Only the holder of the
  /// turn changes it (``CommitQueue``).
  let state: Mutex<BookState>
  let queue = CommitQueue()
  /// Where entries are appended.
  let log: any EventLog
  /// The log as files, if it is kept in files.
  let files: FileLog?
  /// Where idempotency keys were used.
  let keys: IdempotencyKeys
  /// What lines were answered, if the log is kept in files.
  let kept: ReceiptKeeper?
  /// Why nothing more is recorded: it is not known any more what the log says.
  let failure = Mutex<JournalError?>(nil)

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

  /// Opens the book that is kept in a log, which may have other books at the same time, unless it is kept in files.
  ///
  /// - Throws: ``JournalError``.
  public convenience init(
    on log: any EventLog, clock: BookClock = .system,
    zones: any TimeZones = SystemTimeZones.shared, pepper: Pepper? = nil
  ) throws(JournalError) {
    try self.init(opening: BookReader(on: log, zones: zones), clock: clock, pepper: pepper)
  }

  /// Makes an empty book in memory, which is gone with its last holder: for tests and previews.
  public static func inMemory(
    clock: BookClock = .system, zones: any TimeZones = SystemTimeZones.shared,
    pepper: Pepper? = nil
  ) -> Book {
    let log = MemoryLog()
    return Book(OpenedLog(unread: log), BookReader(on: log, zones: zones), clock, pepper)
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
  package convenience init(
    opening reader: BookReader, clock: BookClock, segmentByteCount: Int, sealing: SealingTime,
    snapshots spacing: SnapshotSpacing, pepper: Pepper? = nil,
    maintainedOn executor: any MaintenanceExecutor
  ) throws(JournalError) {
    guard reader.files != nil else {
      self.init(try OpenedLog(reading: reader), reader, clock, pepper)
      return
    }
    let opened = try OpenedLog(
      files: reader, salts: clock.salts, segmentByteCount: segmentByteCount, sealing: sealing,
      snapshots: spacing, maintainedOn: executor)
    self.init(opened, reader, clock, pepper)
  }

  private init(_ opened: OpenedLog, _ reader: BookReader, _ clock: BookClock, _ pepper: Pepper?) {
    self.clock = clock
    self.pepper = pepper
    log = opened.log
    files = opened.log as? FileLog
    recovered = opened.recovered
    state = Mutex(opened.state)
    keys = opened.keys
    kept = opened.receipts
    var reader = reader
    reader.log = opened.log
    self.reader = reader
  }

  deinit { files?.close() }

  /// Makes an empty book.
  ///
  /// - Throws: ``JournalError/alreadyABook(path:)`` when there is one, or ``JournalError/storage(_:)``.
  package static func create(
    at path: String, storage: any Storage = FileStorage(), clock: BookClock = .system
  ) throws(JournalError) {
    try Journal(directory: path, storage: storage).create(
      book: clock.freshKey().description, schemaText: BookReader.schemaText, salts: clock.salts)
  }

  /// How large a segment grows that holds so many bytes of commits behind its header, most of which is the schema.
  package static func segmentByteCount(holding commitByteCount: Int) -> Int {
    BookReader.schemaText.utf8.count + 350 + commitByteCount
  }

  /// Closes the active segment, and seals every segment that is closed. A book does that by itself when a
  /// segment is full; this is for before an archive, or a long rest.
  ///
  /// - Returns: What was sealed.
  /// - Throws: ``JournalError``; then nothing is lost, and sealing may be tried again. A book that is kept in no files
  ///   refuses.
  @discardableResult
  public func seal() throws -> [SegmentName] {
    guard let files else { throw JournalError.storage(NoFiles.refusal("seal", "the book")) }
    try closeSegment(of: files)
    return try files.maintainAll()
  }

  /// Runs a body while nothing is written: a commit that was begun is finished first, and none begins meanwhile. For
  /// who is about to end the process.
  ///
  /// - Parameter body: Is given the position of the last entry that is on disk; nothing of a book without files.
  package func atRest(_ body: (Position?) -> Void) {
    guard let files else { return body(nil) }
    files.atRest(body)
  }

  private func closeSegment(of files: FileLog) throws(JournalError) {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    try files.closeSegment()
  }

  /// Why nothing more is recorded; nothing while all is well.
  package var refusal: JournalError? { failure.withLock { $0 } }

  /// Why sealing or indexing failed the last time; nothing while all is well. Commands are recorded all the same.
  package var maintenanceFailure: JournalError? { files?.maintenanceFailure }

  /// The time now, by the book's clock.
  package var now: Instant { clock.now() }

  /// Reads the state as it is now: what was recorded and is on disk. It waits for no disk.
  ///
  /// What other books recorded into the same log is seen from this one's next record on, or ``catchUp()``.
  public func read<Result>(_ body: (BookState) throws -> Result) rethrows -> Result {
    try body(state.withLock { $0 })
  }
}
