import Avro

/// The place where a block begins.
package struct BlockPlace: Hashable, Sendable {
  /// The segment that holds it.
  package let segment: SegmentName
  /// The offset in the segment's file.
  package let offset: Int
  /// The position of the block's first entry.
  package let position: Position
}

extension Journal {
  /// Finds places at which a segment can be divided: for each offset, the first block that begins
  /// at or after it.
  ///
  /// Blocks are skipped by their own counts, which no checksum covers. So the places may only be
  /// used if the blocks before them are read as well; that reveals a wrong count.
  ///
  /// - Parameters:
  ///   - segment: The segment.
  ///   - offsets: Offsets in its file, ascending.
  /// - Returns: The places, ascending, without repetition.
  /// - Throws: ``JournalError`` when the file cannot be read.
  package func places(
    in segment: SegmentName, after offsets: [Int]
  ) throws(JournalError) -> [BlockPlace] {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    let reader = try SegmentReader(name: segment, of: self, decompressor: decompressor)
    var walk = BlockWalk(reader.file, at: reader.wholeByteCount, reader.next)
    var places: [BlockPlace] = []
    for offset in offsets {
      while walk.offset < offset, try walk.step() {}
      let place = BlockPlace(segment: segment, offset: walk.offset, position: walk.position)
      var ahead = walk
      guard walk.offset >= offset, try ahead.step() else { break }
      if places.last != place { places.append(place) }
    }
    return places
  }
}

/// Goes from block to block of a file by their lengths, and reads little else.
private struct BlockWalk {
  private let file: any StorageFile
  private(set) var offset: Int
  private(set) var position: Position
  private var window: [UInt8] = []
  private var windowOffset = 0

  /// One read covers all short blocks of a page, or one longer block.
  private static let windowByteCount = 4096

  init(_ file: any StorageFile, at offset: Int, _ position: Position) {
    self.file = file
    self.offset = offset
    self.position = position
  }

  /// Skips the next block; returns whether one begins here.
  mutating func step() throws(JournalError) -> Bool {
    // A block begins with two numbers of at most ten bytes each.
    if offset + 20 > windowOffset + window.count {
      window.removeAll(keepingCapacity: true)
      windowOffset = offset
      try onDisk { () throws(StorageError) in
        try file.read(Self.windowByteCount, at: offset, appendingTo: &window)
      }
    }
    var reader = BinaryReader(window.span.bytes.extracting(droppingFirst: offset - windowOffset))
    guard let head = try? ContainerBlock.takeHead(from: &reader), head.count > 0 else {
      return false
    }
    offset += reader.offset + head.byteCount + 16
    position = position.advanced(by: head.count)
    return true
  }
}
