public import Journal

/// Follows a log from a position on: block after block to its present end, and later from there.
///
/// Every block that ends at the start position or after it is given once, in order, whatever is
/// appended meanwhile.
public protocol LogFollower: AnyObject {
  /// Moves to the next block; returns whether there is one yet.
  ///
  /// - Parameter end: Blocks that begin after this position are treated as not yet written.
  /// - Returns: Whether there is a next block.
  /// - Throws: ``JournalError`` when the log cannot be read, is damaged, or lost something already
  ///   read.
  func step(until end: Position?) throws(JournalError) -> Bool

  /// Looks at the block of the last step, which must have returned `true`, and the schema of its
  /// entries as JSON.
  ///
  /// - Throws: what `body` throws.
  func withBlock<Result>(
    _ body: (String, borrowing Block) throws(JournalError) -> Result
  ) throws(JournalError) -> Result
}

/// Follows any log by reading it block by block.
final class ReadingFollower: LogFollower {
  private let log: any EventLog
  /// Blocks that end before this position were given or are not wanted.
  private var next: Position
  private var current: Current?

  private struct Current {
    var schemaText: String
    var first: Position
    var count: Int
    var bytes: [UInt8]
    var source: String
  }

  init(_ log: any EventLog, from start: Position) {
    self.log = log
    next = max(start, Position.start.next)
  }

  func step(until end: Position?) throws(JournalError) -> Bool {
    var found: Current?
    try log.read(from: next) { schemaText, block throws(JournalError) in
      if let end, block.first > end { return false }
      found = Current(
        schemaText: schemaText, first: block.first, count: block.count,
        bytes: block.bytes.withUnsafeBytes { [UInt8]($0) }, source: block.place.file)
      return false
    }
    current = found
    if let found { next = found.first.advanced(by: found.count) }
    return found != nil
  }

  func withBlock<Result>(
    _ body: (String, borrowing Block) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    guard let current else { preconditionFailure("a block is looked at after a step to it") }
    let bytes = current.bytes
    return try body(
      current.schemaText,
      Block(
        first: current.first, count: current.count, bytes: bytes.span.bytes, of: current.source))
  }
}
