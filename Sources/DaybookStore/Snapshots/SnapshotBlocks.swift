import Avro
import Daybook
import Journal
import Synchronization

/// The contents of a block of a snapshot.
struct SnapshotPiece: Sendable {
  var state = StatePiece()
  var keys: [KeyFilter.Piece] = []
  /// The record that completes the snapshot; it is alone in the last block.
  var end: SnapshotEnd?
  /// The block's bytes as in the file.
  var bytes: [UInt8] = []
}

/// The blocks of one snapshot. Each can be read and decoded without the others, on any thread.
struct SnapshotBlocks: Sendable {
  private typealias Failure = SnapshotReader.Failure

  private let file: any StorageFile
  private let syncMarker: [UInt8]
  /// The range of each block in the file.
  private let ranges: [Range<Int>]
  private let decoders = SnapshotDecoders()

  /// Finds the blocks after the header, up to the end of the file.
  init(of file: any StorageFile, after headerByteCount: Int, _ header: SnapshotHeader) throws {
    self.file = file
    syncMarker = header.container.syncMarker
    let byteCount = try file.byteCount()
    var ranges: [Range<Int>] = []
    var offset = headerByteCount
    while offset < byteCount {
      let block = try Self.blockByteCount(of: file, at: offset)
      guard block <= byteCount - offset else { throw Failure.damaged }
      ranges.append(offset..<offset + block)
      offset += block
    }
    self.ranges = ranges
  }

  /// The number of blocks.
  var count: Int { ranges.count }

  /// Reads and decodes a block.
  func piece(_ number: Int) throws -> SnapshotPiece {
    let decoder = try decoders.take()
    defer { decoders.giveBack(decoder) }
    var piece = SnapshotPiece()
    try file.read(ranges[number].count, at: ranges[number].lowerBound, appendingTo: &piece.bytes)
    try decoder.decode(into: &piece, syncMarker)
    return piece
  }

  /// The size of a block, read from its first bytes.
  private static func blockByteCount(of file: any StorageFile, at offset: Int) throws -> Int {
    var bytes: [UInt8] = []
    try file.read(20, at: offset, appendingTo: &bytes)
    var reader = BinaryReader(bytes.span.bytes)
    _ = try reader.takeLong()
    let payload = try reader.takeLong()
    // No file is even half as large. Every block has at least one byte, so the search always moves
    // forward.
    guard payload >= 0, payload < 1 << 62 else { throw Failure.damaged }
    return reader.offset + Int(payload) + 16
  }
}

/// Decodes one block at a time and reuses its memory.
///
/// Safe to send: from `take` to `giveBack`, a single thread has the decoder.
private final class SnapshotDecoder: @unchecked Sendable {
  private typealias Failure = SnapshotReader.Failure

  private let decompressor: ZstandardDecompressor
  private var records: [UInt8] = []

  init() throws { decompressor = try ZstandardDecompressor() }

  /// Decodes a piece's bytes.
  func decode(into piece: inout SnapshotPiece, _ syncMarker: [UInt8]) throws {
    let bytes = piece.bytes
    var block = BinaryReader(bytes.span.bytes)
    let found = try ContainerBlock(from: &block, syncMarker: syncMarker)
    let byteCount = try decompressor.decompress(
      bytes.span.bytes.extracting(found.payload), into: &records)
    try Self.decode(found.count, records, byteCount, into: &piece)
    // The digest in the last block does not cover that block itself. The checksum of its frame covers its content, but two
    // bits of the frame's head change nothing for a decoder: the unused one, and the one for a single segment (RFC 8878,
    // section 3.1.1.1.1). A small frame with a checksum and without a dictionary is always written with this head.
    let head = bytes[found.payload].dropFirst(4).first ?? 0
    guard piece.end == nil || head & 0x3F == 0x24 else { throw Failure.damaged }
  }

  /// Decodes a number of records from the start of the bytes.
  private static func decode(
    _ count: Int, _ records: [UInt8], _ byteCount: Int, into piece: inout SnapshotPiece
  ) throws {
    var reader = BinaryReader(records.span.bytes.extracting(first: byteCount))
    var left = count
    while left > 0 {
      let branch = try reader.takeLong()
      let taken = try piece.state.read(branch, atMost: left, from: &reader)
      left -= max(1, taken)
      guard taken == 0 else { continue }
      switch branch {
      case SnapshotRecords.keys:
        piece.keys.append(try KeyFilter.Piece(from: &reader))
      case SnapshotRecords.end:
        guard count == 1 else { throw Failure.damaged }
        piece.end = try SnapshotEnd(from: &reader)
      default: throw Failure.damaged
      }
    }
    guard reader.isAtEnd else { throw Failure.damaged }
  }
}

/// The decoders that are not in use; there are never more than threads that decoded at once.
private final class SnapshotDecoders: Sendable {
  private let idle = Mutex<[SnapshotDecoder]>([])

  func take() throws -> SnapshotDecoder {
    try idle.withLock { $0.popLast() } ?? SnapshotDecoder()
  }

  func giveBack(_ decoder: SnapshotDecoder) { idle.withLock { $0.append(decoder) } }
}
