public import Journal

/// The log behind a book: entries in order, to be appended and read. A book asks nothing else of
/// the layer below.
///
/// ``FileLog`` keeps entries in segment files, ``MemoryLog`` in memory; both pass the same tests. A
/// log of your own, for example in a database, must implement what has no default here.
///
/// An append adds all of its entries or none, right after the entry that the caller believed to be
/// the last. So any number of books may share a log: a book that comes too late gets a conflict,
/// reads on, and decides again.
///
/// Entries are bytes in Avro's binary encoding of ``Entry``, one after another, in blocks: one commit is one block.
public protocol EventLog: Sendable {
  /// Notifies tails that there are more entries; nil when they must poll.
  ///
  /// The appender advances the signal once its own view of the log has the entries, too.
  var signal: CommitSignal? { get }

  /// The position of the last entry that is durable; 0 when there is none.
  ///
  /// - Throws: ``JournalError``.
  func head() throws(JournalError) -> Position

  /// Appends entries as one commit, and returns once they are durable.
  ///
  /// - Parameters:
  ///   - count: How many entries; at least 1.
  ///   - entries: Their bytes, in the schema of this Daybook.
  ///   - last: The position that the log's last entry must have.
  /// - Throws: ``AppendError``; then nothing was appended.
  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError)

  /// Reads every block from the start of the log, or from the block that holds `start`.
  ///
  /// - Parameters:
  ///   - start: Blocks that end before this position are skipped.
  ///   - body: Receives the schema that the block's entries were written with, as JSON, and the
  ///     block; returns whether to continue.
  /// - Returns: Where the reading ended.
  /// - Throws: ``JournalError`` when the log cannot be read or is damaged, or what `body` throws.
  @discardableResult
  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd

  /// Follows the log from a position on. The default uses ``read(from:_:)`` alone.
  ///
  /// - Throws: ``JournalError``.
  func follow(from start: Position) throws(JournalError) -> any LogFollower

  /// Replaces blocks and appends entries, all at once or not at all. Only an erasure does that; a
  /// log that cannot do it refuses.
  ///
  /// - Parameters:
  ///   - blocks: The new bytes of blocks, in the form that ``read(from:_:)`` gives, by the position
  ///     of the first entry. Each has as many entries as before, in the schema of this Daybook.
  ///   - count: How many entries are appended; at least 1.
  ///   - entries: Their bytes.
  ///   - last: The position that the log's last entry must have.
  /// - Throws: ``AppendError``; then nothing changed.
  func replace(
    _ blocks: [Position: [UInt8]], appending count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError)
}

extension EventLog {
  /// Follows the log by reading on.
  ///
  /// - Throws: ``JournalError``.
  public func follow(from start: Position) throws(JournalError) -> any LogFollower {
    ReadingFollower(self, from: start)
  }

  /// Refuses.
  ///
  /// - Throws: ``AppendError/failed(_:)``.
  public func replace(
    _ blocks: [Position: [UInt8]], appending count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError) {
    throw .failed(
      .storage(
        StorageError(
          operation: "erase entries of", path: "the log", reason: .notPermitted,
          message: "it never changes what was appended")))
  }
}

/// Why nothing was appended to a log.
public enum AppendError: Error, Sendable, CustomStringConvertible {
  /// Others appended to the log meanwhile.
  case conflict(PositionConflict)
  /// The log refuses, or cannot be read.
  case failed(JournalError)

  /// The underlying error: ``PositionConflict`` or ``JournalError``.
  var cause: any Error {
    switch self {
    case .conflict(let conflict): conflict
    case .failed(let error): error
    }
  }

  /// One sentence: what happened, and what to do next.
  public var description: String {
    switch self {
    case .conflict(let conflict): conflict.description
    case .failed(let error): error.description
    }
  }
}

/// Where a read of a log ended.
public struct LogEnd: Sendable {
  /// The position of the last entry read; 0 when there was none.
  public let head: Position
  /// The bytes after a file's last complete block, if there are any.
  public let torn: TornTail?

  public init(head: Position, torn: TornTail? = nil) {
    self.head = head
    self.torn = torn
  }
}
