package import Journal
import Synchronization

/// A log in segment files: a ``Journal``, with the files kept beside it.
///
/// Anybody may read it. It is open for appending while the ``Book`` that opened it lives. That book
/// holds the lock of the files, so nobody else appends.
package final class FileLog: EventLog {
  /// The files.
  package let journal: Journal
  /// Notifies tails of an open log that there is more.
  package let signal: CommitSignal?
  /// Held on purpose while waiting for the disk, which fixes the order of writes. No reader takes
  /// it.
  private let open: Mutex<Open?>

  private struct Open {
    let writer: JournalWriter
    let maintenance: Maintenance
    /// The active segment when maintenance last began.
    var segment: SegmentName
  }

  /// Opens nothing: names the log at a path, for reading.
  package convenience init(at path: String, storage: any Storage = FileStorage()) {
    self.init(Journal(directory: path, storage: storage))
  }

  /// Opens nothing: names the log of a journal, for reading.
  init(_ journal: Journal) {
    self.journal = journal
    signal = nil
    open = Mutex(nil)
  }

  /// Opens the log of a journal for appending.
  init(_ journal: Journal, _ writer: sending JournalWriter, _ maintenance: Maintenance) {
    self.journal = journal
    signal = CommitSignal(head: writer.head.number)
    open = Mutex(Open(writer: writer, maintenance: maintenance, segment: writer.segment))
  }

  // MARK: The log

  /// The position of the last entry on disk. When the log is not open, the files are read to find
  /// it.
  ///
  /// - Throws: ``JournalError``.
  package func head() throws(JournalError) -> Position {
    if let head = open.withLock({ $0?.writer.head }) { return head }
    let last = try journal.segments().last?.first ?? .start.next
    return try journal.readBlocks(from: last) { _, _ in true }.head
  }

  /// Appends entries as one commit, and returns once they are on disk.
  ///
  /// - Throws: ``AppendError``; also when the log is not open.
  package func append(
    count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError) {
    let actual: Position?
    do throws(JournalError) {
      actual = try withWriter { writer throws(JournalError) in
        guard writer.head == last else { return writer.head }
        try writer.append(count: count, entries: entries)
        return nil
      }
    } catch { throw .failed(error) }
    if let actual {
      throw .conflict(PositionConflict(expected: last, actual: actual))
    }
    maintain()
  }

  /// Reads every block from the start, or from the segment that holds `start`.
  ///
  /// - Throws: as ``Journal/readBlocks(from:_:)`` does.
  @discardableResult
  package func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    let end = try journal.readBlocks(from: start) { header, block throws(JournalError) in
      try body(header.schemaText, block)
    }
    return LogEnd(head: end.head, torn: end.torn)
  }

  /// Follows the files, whoever writes to them.
  ///
  /// - Throws: ``JournalError``.
  package func follow(from start: Position) throws(JournalError) -> any LogFollower {
    FileFollower(try JournalTail(journal, from: start))
  }

  // MARK: Files

  /// The active segment of an open log.
  var segment: SegmentName? { open.withLock { $0?.writer.segment } }

  /// Runs a body while nothing is written: writes under way finish first, and none begin meanwhile.
  ///
  /// - Parameter body: Receives the position of the last entry on disk; nil when the log is not
  ///   open.
  func atRest(_ body: (Position?) -> Void) { open.withLock { body($0?.writer.head) } }

  /// The lock of the files.
  ///
  /// - Throws: ``JournalError`` when the log is not open.
  func lock() throws(JournalError) -> any StorageLock {
    try withWriter { writer throws(JournalError) in writer.lock }
  }

  /// Writes entries as a commit that stays invisible until ``publish()``, which many commits share.
  ///
  /// - Throws: ``JournalError``.
  func write(count: Int, entries: [UInt8]) throws(JournalError) {
    try withWriter { writer throws(JournalError) in
      try writer.write(count: count, entries: entries)
    }
  }

  /// Publishes all written commits: returns once they are on disk and visible to everybody.
  ///
  /// - Throws: ``JournalError``.
  func publish() throws(JournalError) {
    try withWriter { writer throws(JournalError) in try writer.publish() }
  }

  /// Closes the active segment by starting a new one; a segment without entries stays active.
  ///
  /// - Throws: ``JournalError``.
  func closeSegment() throws(JournalError) {
    try withWriter { writer throws(JournalError) in try writer.closeSegment() }
  }

  /// The error of the last round of maintenance, if it failed.
  var maintenanceFailure: JournalError? { open.withLock { $0?.maintenance }?.lastFailure }

  /// Starts a round of maintenance if a segment was closed since the last one.
  func maintain() {
    let begun = open.withLock { open -> (Maintenance, SegmentName)? in
      guard let segment = open?.writer.segment, open?.segment != segment else { return nil }
      open?.segment = segment
      return open.map { ($0.maintenance, segment) }
    }
    if let (maintenance, segment) = begun { maintenance.begin(before: segment) }
  }

  /// Seals and indexes all segments before the active one; returns those that were sealed.
  ///
  /// - Throws: ``JournalError``.
  func maintainAll() throws(JournalError) -> [SegmentName] {
    let begun = open.withLock { open -> (Maintenance, SegmentName)? in
      guard let segment = open?.writer.segment else { return nil }
      open?.segment = segment
      return open.map { ($0.maintenance, segment) }
    }
    guard let (maintenance, segment) = begun else { throw notOpen }
    return try maintenance.run(before: segment)
  }

  /// Ends appending: releases the lock once all work under way is done.
  func close() {
    signal?.close()
    open.withLock { $0?.maintenance }?.finish()
    open.withLock { $0 = nil }
  }

  private func withWriter<Result: Sendable>(
    _ body: (JournalWriter) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    let notOpen = notOpen
    return try open.withLock { open throws(JournalError) in
      guard let open else { throw notOpen }
      return try body(open.writer)
    }
  }

  private var notOpen: JournalError {
    .storage(
      StorageError(
        operation: "append to", path: journal.directory, reason: .notPermitted,
        message: "no book has it open for writing"))
  }
}

/// Follows segment files.
private final class FileFollower: LogFollower {
  private var tail: JournalTail

  init(_ tail: consuming JournalTail) { self.tail = tail }

  func step(until end: Position?) throws(JournalError) -> Bool { try tail.step(until: end) }

  func withBlock<Result>(
    _ body: (String, borrowing Block) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try tail.withBlock { header, block throws(JournalError) in
      try body(header.schemaText, block)
    }
  }
}
