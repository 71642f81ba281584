public import Journal
import Synchronization

/// A log in memory: for tests, previews, and books that live no longer than a process.
///
/// The log is gone with its last holder. Any number of books may share it, each as a writer of its
/// own.
///
/// ```swift
/// let log = MemoryLog()
/// let (here, there) = (try Book(on: log), try Book(on: log))
/// ```
public final class MemoryLog: EventLog {
  /// Notifies tails that there is more.
  public let signal: CommitSignal? = CommitSignal(head: 0)
  private let contents = Mutex(Contents())

  private struct Contents {
    var blocks: [StoredBlock] = []
    var head = Position.start

    /// - Throws: ``PositionConflict``.
    mutating func append(
      _ count: Int, _ entries: [UInt8], expecting last: Position
    ) throws(PositionConflict) {
      guard last == head else {
        throw PositionConflict(expected: last, actual: head)
      }
      blocks.append(StoredBlock(first: head.next, count: count, bytes: entries))
      head = head.advanced(by: count)
    }
  }

  /// A commit: its entries are in the schema of this Daybook, encoded as in a file.
  private struct StoredBlock {
    var first: Position
    var count: Int
    var bytes: [UInt8]

    var next: Position { first.advanced(by: count) }
  }

  public init() {}

  /// The position of the last entry.
  public func head() -> Position { contents.withLock { $0.head } }

  /// Appends entries as one commit.
  ///
  /// - Throws: ``AppendError/conflict(_:)``.
  public func append(
    count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError) {
    precondition(count > 0, "a commit has at least one entry")
    try change { contents throws(PositionConflict) in
      try contents.append(count, entries, expecting: last)
    }
  }

  /// Reads the blocks that the log holds now.
  ///
  /// - Throws: what `body` throws.
  @discardableResult
  public func read(
    from start: Position, _ body: (String, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> LogEnd {
    let blocks = contents.withLock { $0.blocks }
    let begin = Self.place(of: start, in: blocks)
    var head = begin > 0 ? Position(blocks[begin - 1].next.number - 1) : .start
    for stored in blocks[begin...] {
      let bytes = stored.bytes
      let block = Block(
        first: stored.first, count: stored.count, bytes: bytes.span.bytes, of: "a log in memory")
      head = Position(stored.next.number - 1)
      guard try body(BookReader.schemaText, block) else { break }
    }
    return LogEnd(head: head)
  }

  /// Replaces blocks and appends entries.
  ///
  /// - Throws: ``AppendError/conflict(_:)``.
  public func replace(
    _ blocks: [Position: [UInt8]], appending count: Int, entries: [UInt8], expecting last: Position
  ) throws(AppendError) {
    precondition(count > 0, "a commit has at least one entry")
    try change { contents throws(PositionConflict) in
      try contents.append(count, entries, expecting: last)
      for (first, bytes) in blocks {
        let place = Self.place(of: first, in: contents.blocks)
        guard place < contents.blocks.count, contents.blocks[place].first == first else { continue }
        contents.blocks[place].bytes = bytes
      }
    }
  }

  private func change(
    _ body: (inout Contents) throws(PositionConflict) -> Void
  ) throws(AppendError) {
    do throws(PositionConflict) {
      try contents.withLock { contents throws(PositionConflict) in try body(&contents) }
    } catch { throw .conflict(error) }
  }

  /// The index of the first block that does not end before a position.
  private static func place(of start: Position, in blocks: [StoredBlock]) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = low + (high - low) / 2
      if blocks[middle].next <= start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
