public import Journal

/// The log behind a book: entries in order, appended and read. It is all that a book asks of what is below it.
///
/// ``FileLog`` keeps them in segment files, ``MemoryLog`` in memory; both pass the same tests. One of your own, in a
/// database, say, needs what has no default here.
///
/// What an append brings is there whole or not at all, and follows the entry that the appender knew as the last one.
/// So any number of books may share a log: who comes too late is told so, reads on, and decides again.
///
/// Entries are bytes in Avro's binary encoding of ``Entry``, one after another, in blocks: one commit is one block.
public protocol EventLog: Sendable {
  /// Tells those who follow that there is more; nothing when they must look for themselves.
  ///
  /// Whoever appends advances it, once what they show of the log has the entries, too.
  var signal: CommitSignal? { get }

  /// The position of the last entry that is durable; 0 when there is none.
  ///
  /// - Throws: ``JournalError``.
  func head() throws(JournalError) -> Position

  /// Appends entries as one commit, and returns once they are durable.
  ///
  /// - Parameters:
  ///   - count: How many entries; at least 1.
  ///   - entries: Their bytes, by the schema of this Daybook.
  ///   - last: The position that the log's last entry must have.
  /// - Throws: ``AppendError``; then nothing was appended.
  func append(count: Int, entries: [UInt8], expecting last: Position) throws(AppendError)

  /// Reads every block from the front, or from the one that holds `start`.
  ///
  /// - Parameters:
  ///   - start: Blocks that end before this position are passed over.
  ///   - body: Is given the schema that the block's entries were written with, as JSON, and the block; returns whether
  ///     to go on.
  /// - Returns: Where the reading ended.
  /// - Throws: ``JournalError`` when the log cannot be read or is damaged, or what `body` throws.
  @discardableResult
  func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd

  /// Follows the log from a position on; by ``read(from:_:)`` without more.
  ///
  /// - Throws: ``JournalError``.
  func follow(from start: Position) throws(JournalError) -> any LogFollower

  /// Puts blocks in the place of others, and appends, all at once or not at all. Only an erasure does that; a log that
  /// cannot do it refuses.
  ///
  /// - Parameters:
  ///   - blocks: The bytes of blocks as ``read(from:_:)`` gives them, by the position of the first entry; with as many
  ///     entries as before, by the schema of this Daybook.
  ///   - count: How many entries are appended; at least 1.
  ///   - entries: Their bytes.
  ///   - last: The position that the log's last entry must have.
  /// - Throws: ``AppendError``; then nothing changed.
  func replace(
    _ blocks: [Position: [UInt8]], appending count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError)
}

extension EventLog {
  /// Follows by reading on.
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
  /// Others appended meanwhile.
  case conflict(PositionConflict)
  /// The log refuses, or cannot say what it holds.
  case failed(JournalError)

  /// What went wrong: ``PositionConflict`` or ``JournalError``.
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

/// Where a reading of a log ended.
public struct LogEnd: Sendable {
  /// The last entry of what was read; 0 when there was none.
  public let head: Position
  /// The bytes after the last whole block of a file, if there are any.
  public let torn: TornTail?

  public init(head: Position, torn: TornTail? = nil) {
    self.head = head
    self.torn = torn
  }
}
