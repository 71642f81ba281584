import Avro
import Crypto
import Daybook
import Journal

/// What stands in a block of a snapshot.
struct SnapshotPiece: Sendable {
  var state = StatePiece()
  var keys: [KeyFilter.Piece] = []
}

/// The blocks of one snapshot, one after another.
struct SnapshotBlocks: ~Copyable {
  private typealias Failure = SnapshotReader.Failure

  private let file: any StorageFile
  private let byteCount: Int
  private let syncMarker: [UInt8]
  private let decompressor: ZstandardDecompressor
  private var hash = SHA256()
  private var offset: Int
  private var block: [UInt8] = []
  private var records: [UInt8] = []
  private var isAtEnd = false

  /// Begins after the header.
  init(
    of file: any StorageFile, byteCount: Int, after bytes: [UInt8], _ header: SnapshotHeader
  ) throws {
    self.file = file
    self.byteCount = byteCount
    syncMarker = header.container.syncMarker
    decompressor = try ZstandardDecompressor()
    offset = bytes.count
    hash.update(data: bytes)
  }

  /// What stands in the next block; nothing after the last, which says that the snapshot is whole.
  mutating func next() throws -> SnapshotPiece? {
    guard !isAtEnd else { return nil }
    // What the end says is of all before the block that it stands in.
    let digest = hash.finalize()
    let (count, byteCount) = try readBlock()
    var piece = SnapshotPiece()
    var reader = BinaryReader(records.span.bytes.extracting(first: byteCount))
    var left = count
    while left > 0 {
      let branch = try reader.takeLong()
      let taken = try piece.state.take(branch, atMost: left, from: &reader)
      left -= max(1, taken)
      guard taken == 0 else { continue }
      switch branch {
      case SnapshotRecords.keys:
        piece.keys.append(try KeyFilter.Piece(from: &reader))
      case SnapshotRecords.end:
        let end = try SnapshotEnd(from: &reader)
        guard count == 1, reader.isAtEnd, end.digest.bytes == Array(digest),
          offset == self.byteCount
        else { throw Failure.damaged }
        isAtEnd = true
        return nil
      default: throw Failure.damaged
      }
    }
    guard reader.isAtEnd else { throw Failure.damaged }
    return piece
  }

  /// Reads the next block and decompresses it; returns how many records and bytes it has.
  private mutating func readBlock() throws -> (count: Int, byteCount: Int) {
    let frame = try readFrame()
    block.removeAll(keepingCapacity: true)
    try file.read(frame, at: offset, appendingTo: &block)
    var reader = BinaryReader(block.span.bytes)
    let found = try ContainerBlock(from: &reader, syncMarker: syncMarker)
    let block = block
    let written = try decompressor.decompress(
      block.span.bytes.extracting(found.payload), into: &records)
    hash.update(data: block)
    offset += frame
    return (found.count, written)
  }

  /// How many bytes the next block has, by its first ones.
  private mutating func readFrame() throws -> Int {
    block.removeAll(keepingCapacity: true)
    try file.read(20, at: offset, appendingTo: &block)
    var reader = BinaryReader(block.span.bytes)
    _ = try reader.takeLong()
    let payload = try reader.takeLong()
    guard payload >= 0, payload <= Int64(byteCount - offset) else { throw Failure.damaged }
    return reader.offset + Int(payload) + 16
  }
}
