public import Daybook
public import Journal
import Synchronization

/// A book that is open for writing: it decides commands, appends entries to the log, and keeps the
/// state up to date.
///
/// A log in files has one writer at a time, across all processes; a second gets
/// ``JournalError/locked(path:holder:)``. Tasks and threads of the writing process may record at
/// the same time: they take turns in the order in which they asked, and those that wait together
/// share a sync. Readers need no book: see ``BookReader``.
///
/// Other logs may have several books at once. A book that finds that others recorded meanwhile
/// applies their entries and decides again. So every command is decided in the state that all
/// entries before it leave.
public final class Book: Sendable {
  /// Reads the same book, as of now or any past moment.
  public let reader: BookReader
  package let clock: BookClock
  /// The secret with which plain phone numbers and the like in commands are hashed (HH-6).
  let pepper: Pepper?
  /// The state of what is on disk, and nothing else. The lock is never held while waiting for the
  /// disk. Only the holder of the turn changes the state (``CommitQueue``).
  let state: Mutex<BookState>
  let queue = CommitQueue()
  /// The log to which entries are appended.
  let log: any EventLog
  /// The log as files, if it is kept in files.
  let files: FileLog?
  /// The idempotency keys and where they were used.
  let keys: IdempotencyKeys
  /// The receipts of lines, if the log is kept in files.
  let kept: ReceiptKeeper?
  /// The error after which nothing more is recorded, because the log's contents are no longer
  /// known.
  let failure = Mutex<JournalError?>(nil)

  /// The torn tail that was cut off the journal when the book was opened: what a crash left of a
  /// commit that was never acknowledged.
  public let recovered: TornTail?

  /// Opens the book at a path for writing; creates it when there is none.
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

  /// Opens the book kept in a log. Unless the log is kept in files, other books may use it at the
  /// same time.
  ///
  /// - Throws: ``JournalError``.
  public convenience init(
    on log: any EventLog, clock: BookClock = .system,
    zones: any TimeZones = SystemTimeZones.shared, pepper: Pepper? = nil
  ) throws(JournalError) {
    try self.init(opening: BookReader(on: log, zones: zones), clock: clock, pepper: pepper)
  }

  /// Makes an empty book in memory, for tests and previews; it is gone with its last holder.
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
  ///   - clock: The source of time and fresh keys.
  ///   - segmentByteCount: The size at which the active segment is full.
  ///   - sealing: When full segments are sealed.
  ///   - spacing: The distance between snapshots.
  ///   - pepper: The secret with which plain phone numbers and the like are hashed.
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

  /// Opens a book whose maintenance runs on a given executor.
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

  /// The size of a segment with this many bytes of commits after its header, most of which is the schema.
  package static func segmentByteCount(holding commitByteCount: Int) -> Int {
    BookReader.schemaText.utf8.count + 350 + commitByteCount
  }

  /// Closes the active segment and seals every closed segment. A book does that by itself when a
  /// segment is full. Call this before making an archive, or before the book rests for long.
  ///
  /// - Returns: The segments that were sealed.
  /// - Throws: ``JournalError``; then nothing is lost, and sealing may be tried again. A book
  ///   without files refuses.
  @discardableResult
  public func seal() throws -> [SegmentName] {
    guard let files else { throw JournalError.storage(NoFilesStorage.refusal("seal", "the book")) }
    try closeSegment(of: files)
    return try files.maintainAll()
  }

  /// Runs a body while nothing is written: a commit under way finishes first, and none begins
  /// meanwhile. Use it before ending the process.
  ///
  /// - Parameter body: Receives the position of the last entry on disk; nil for a book without
  ///   files.
  package func atRest(_ body: (Position?) -> Void) {
    guard let files else { return body(nil) }
    files.atRest(body)
  }

  private func closeSegment(of files: FileLog) throws(JournalError) {
    queue.takeTurn()
    defer { queue.passTurn(of: self) }
    try files.closeSegment()
  }

  /// Why nothing more is recorded; nil while all is well.
  package var refusal: JournalError? { failure.withLock { $0 } }

  /// Why sealing or indexing last failed; nil while all is well. Commands are recorded all the
  /// same.
  package var maintenanceFailure: JournalError? { files?.maintenanceFailure }

  /// The time now, by the book's clock.
  package var now: Instant { clock.now() }

  /// Reads the current state: what was recorded and is on disk. It never waits for the disk.
  ///
  /// Entries of other books on the same log appear with this book's next record, or with
  /// ``catchUp()``.
  public func read<Result>(_ body: (BookState) throws -> Result) rethrows -> Result {
    try body(state.withLock { $0 })
  }
}
