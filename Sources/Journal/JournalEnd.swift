/// Where a reading ended.
public struct JournalEnd: Sendable {
  /// The position of the last entry read; 0 when there was none.
  public let head: Position
  /// The bytes after the last complete block, if there are any.
  public let torn: TornTail?
  let header: SegmentHeader
  let wholeByteCount: Int
  /// The range of the last complete block in its file; empty when the segment has none.
  let lastBlock: Range<Int>
  /// Whether the read reached the journal's end.
  let isWhole: Bool

  init(_ reader: borrowing SegmentReader, torn: TornTail?, isWhole: Bool = true) {
    head = Position(reader.next.number - 1)
    self.torn = torn
    header = reader.header
    wholeByteCount = reader.wholeByteCount
    lastBlock = reader.lastBlock
    self.isWhole = isWhole
  }

  /// The id of the book.
  public var book: String { header.book }
}

/// Bytes at the end of the last segment that form no complete block: the remains of a commit that a
/// crash interrupted and that was never acknowledged.
public struct TornTail: Sendable, Hashable, CustomStringConvertible {
  /// The segment's file.
  public let file: String
  /// The offset of the bytes in the file.
  public let offset: Int
  /// How many there are.
  public let byteCount: Int

  /// The finding as a sentence.
  public var description: String {
    "\(file) ends in \(byteCount) bytes of a commit that was never finished (from byte \(offset))."
  }
}
