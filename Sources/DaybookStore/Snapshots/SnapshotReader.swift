import Avro
import Crypto
import Daybook
import Journal

/// Reads one snapshot, block by block. Damage to it is an error here only: the journal holds
/// everything that the snapshot says.
struct SnapshotReader: Sendable {
  /// The file's own metadata.
  let header: SnapshotHeader

  private let file: any StorageFile
  /// The bytes of the header.
  private let headerBytes: [UInt8]

  /// What can be wrong with a snapshot.
  enum Failure: Error {
    /// It is not a snapshot, or its contents have another meaning.
    case notUnderstood
    /// Bytes are missing, or differ from what was written.
    case damaged
  }

  /// Opens a snapshot and reads its header.
  init(_ path: String, _ storage: any Storage) throws {
    file = try storage.open(path, .read)
    (header, headerBytes) = try Self.readHeader(of: file)
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
        // A header longer than what was read looks truncated, or like one with a wrong length.
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

  /// Reads the state and the filter of its keys. Blocks are decoded in parallel and put together in
  /// order.
  func read() throws -> (BookState, KeyFilter) {
    let blocks = try SnapshotBlocks(of: file, after: headerBytes.count, header)
    // A file that is read in a millisecond is not worth a thread.
    let threads = try file.byteCount() < 1 << 17 ? 1 : nil
    var builder = StateBuilder()
    var filter = KeyFilter()
    var hash = SHA256()
    hash.update(data: headerBytes)
    var end: SnapshotEnd?
    try mapInOrder(blocks.count, threads: threads, { try blocks.piece($0) }) { piece in
      // Nothing follows the end record; its digest covers everything before its own block.
      guard end == nil else { throw Failure.damaged }
      end = piece.end
      guard end == nil || end?.digest.bytes == Array(hash.finalize()) else {
        throw Failure.damaged
      }
      hash.update(data: piece.bytes)
      try builder.append(piece.state)
      for keys in piece.keys {
        guard filter.add(keys) else { throw Failure.damaged }
      }
    }
    guard end != nil, let state = builder.finish(), filter.isWhole,
      state.position == header.position.number, state.at == header.at
    else { throw Failure.damaged }
    return (state, filter)
  }
}
