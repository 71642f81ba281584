import Avro
import Crypto
import Daybook
import Journal
import Synchronization

/// Reads one snapshot, block by block. Whatever is wrong with it, it is an error here and nothing else: the
/// journal has all that it says.
final class SnapshotReader: Sendable {
  /// What the file says of itself.
  let header: SnapshotHeader

  private let byteCount: Int
  private let blocks: Mutex<SnapshotBlocks>

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
    self.header = header
    byteCount = try file.byteCount()
    blocks = Mutex(try SnapshotBlocks(of: file, byteCount: byteCount, after: bytes, header))
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

  /// Reads the state and the filter of its keys, once.
  func read() throws -> (BookState, KeyFilter) {
    var builder = StateBuilder()
    var filter = KeyFilter()
    let take = { (piece: SnapshotPiece) in
      try builder.take(piece.state)
      for keys in piece.keys {
        guard filter.take(keys) else { throw Failure.damaged }
      }
    }
    // What is read in a millisecond is not worth a thread.
    if byteCount < 1 << 17 {
      try forEachPiece(take)
    } else {
      try workAhead({ [self] in try forEachPiece($0) }, take)
    }
    guard let state = builder.finish(), filter.isWhole, state.position == header.position.number,
      state.at == header.at
    else { throw Failure.damaged }
    return (state, filter)
  }

  private func forEachPiece(_ body: (SnapshotPiece) throws -> Void) throws {
    while true {
      let piece = try blocks.withLock { try $0.next() }
      guard let piece else { return }
      try body(piece)
    }
  }
}
