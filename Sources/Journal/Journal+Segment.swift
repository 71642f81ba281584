import Avro

extension Journal {
  /// Reads the blocks of one closed segment, all or from one of them.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - start: Where to begin: a block's offset in the file, and the position of its first entry.
  ///   - body: Is given the segment's header and a block; returns whether to go on.
  /// - Throws: ``JournalError`` when the segment cannot be read or is damaged, or what `body` throws.
  package func readBlocks(
    of segment: SegmentName, from start: (offset: Int, position: Position)? = nil,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    var reader = try SegmentReader(name: segment, of: self, decompressor: decompressor)
    if let start { reader.seek(to: start.offset, start.position) }
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
