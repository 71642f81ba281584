import Avro

extension Journal {
  /// Reads the blocks of one closed segment.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - body: Receives the segment's header and a block; returns whether to continue.
  /// - Throws: ``JournalError`` when the segment cannot be read or is damaged, or what `body` throws.
  package func readBlocks(
    of segment: SegmentName,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    try Self.readBlocks(
      of: SegmentReader(name: segment, of: self, decompressor: decompressor), body)
  }

  /// Reads the blocks of one closed segment from one of them on.
  ///
  /// - Parameters:
  ///   - header: The segment's header, read before.
  ///   - start: The block to start at: its offset in the file, and the position of its first entry.
  ///   - body: Receives the segment's header and a block; returns whether to continue.
  /// - Throws: as ``readBlocks(of:_:)`` does.
  package func readBlocks(
    under header: SegmentHeader, from start: (offset: Int, position: Position),
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    try Self.readBlocks(
      of: SegmentReader(under: header, of: self, from: start, decompressor: decompressor), body)
  }

  private static func readBlocks(
    of reader: consuming SegmentReader,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) {
    while true {
      switch try reader.step() {
      case .end: return
      case .block(let count, let byteCount):
        guard try body(reader.header, reader.block(count: count, byteCount: byteCount)) else {
          return
        }
      case .damage(let reason):
        throw .corrupt(
          .init(
            file: reader.path, offset: reader.wholeByteCount,
            after: Position(reader.next.number - 1), reason: reason))
      }
    }
  }
}
