import Avro
import Crypto
import Daybook
import Journal

/// Reads one snapshot, block by block. Whatever is wrong with it, it is an error here and nothing else: the
/// journal has all that it says.
struct SnapshotReader: ~Copyable {
  /// What the file says of itself.
  let header: SnapshotHeader

  private let file: any StorageFile
  private let byteCount: Int
  private let decompressor: ZstandardDecompressor
  private var hash = SHA256()
  private var offset = 0
  private var block: [UInt8] = []
  private var records: [UInt8] = []

  /// What can be wrong with a snapshot.
  enum Failure: Error {
    /// It is no snapshot, or one of another meaning.
    case notUnderstood
    /// Bytes are missing, or are not what was written.
    case damaged
  }

  /// Opens a snapshot and reads its header.
  init(_ path: String, _ storage: any Storage) throws {
    let file = try storage.open(path, .read)
    let (header, bytes) = try Self.readHeader(of: file)
    let byteCount = try file.byteCount()
    let decompressor = try ZstandardDecompressor()
    self.file = file
    self.header = header
    self.byteCount = byteCount
    self.decompressor = decompressor
    offset = bytes.count
    hash.update(data: bytes)
  }

  private static func readHeader(
    of file: any StorageFile
  ) throws -> (SnapshotHeader, bytes: [UInt8]) {
    var count = 1 << 16
    while true {
      var bytes: [UInt8] = []
      try file.read(count, at: 0, appendingTo: &bytes)
      var reader = BinaryReader(bytes.span.bytes)
      let container: ContainerHeader
      do throws(AvroError) { container = try ContainerHeader(from: &reader) } catch {
        // A header longer than what was read looks cut short, or like one with a wrong length.
        guard bytes.count == count, count < 1 << 24 else { throw error }
        count *= 4
        continue
      }
      let offset = reader.offset
      bytes.removeLast(bytes.count - offset)
      guard let header = SnapshotHeader(container, bytes: bytes[...]) else {
        throw Failure.notUnderstood
      }
      return (header, bytes)
    }
  }

  /// Reads the state and the filter of its keys.
  mutating func read() throws -> (State, KeyFilter) {
    var builder = StateBuilder()
    var filter = KeyFilter()
    while true {
      // What the end says is of all before the block that it stands in.
      let digest = hash.finalize()
      let (count, byteCount) = try readBlock()
      let isEnd = try take(count, byteCount, &builder, &filter) { end in
        end.digest.bytes == Array(digest)
      }
      guard isEnd else { continue }
      guard offset == self.byteCount, let state = builder.finish(), filter.isWhole,
        state.position == header.position.number, state.at == header.at
      else { throw Failure.damaged }
      return (state, filter)
    }
  }

  /// Reads the next block and decompresses it; returns how many records and bytes it has.
  private mutating func readBlock() throws -> (count: Int, byteCount: Int) {
    let frame = try readFrame()
    block.removeAll(keepingCapacity: true)
    try file.read(frame, at: offset, appendingTo: &block)
    var reader = BinaryReader(block.span.bytes)
    let found = try ContainerBlock(from: &reader, syncMarker: header.container.syncMarker)
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

  /// Takes the records of a block; says whether they were the end.
  private func take(
    _ count: Int, _ byteCount: Int, _ builder: inout StateBuilder, _ filter: inout KeyFilter,
    _ isRight: (SnapshotEnd) -> Bool
  ) throws -> Bool {
    var reader = BinaryReader(records.span.bytes.extracting(first: byteCount))
    for _ in 0..<count {
      let branch = try reader.takeLong()
      if try builder.take(branch, from: &reader) { continue }
      switch branch {
      case SnapshotRecords.keys:
        guard filter.take(try KeyFilter.Piece(from: &reader)) else { throw Failure.damaged }
      case SnapshotRecords.end:
        let end = try SnapshotEnd(from: &reader)
        guard count == 1, reader.isAtEnd, isRight(end) else { throw Failure.damaged }
        return true
      default: throw Failure.damaged
      }
    }
    guard reader.isAtEnd else { throw Failure.damaged }
    return false
  }
}
