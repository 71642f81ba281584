import Avro
import Crypto
import Daybook
import Journal

/// Writes one snapshot, block by block, in memory bounded by a block.
///
/// The file gets its name when all of it is on disk, so a crash leaves a complete snapshot or none.
struct SnapshotWriter: ~Copyable {
  /// About how many bytes of records a block holds.
  private static let blockByteCount = 256 << 10
  private static let level = 1

  private let path: String
  private let storage: any Storage
  private let header: SnapshotHeader
  private let file: any StorageFile
  private let compressor: ZstandardCompressor
  private var hash = SHA256()
  private var offset = 0
  private var pending = BinaryWriter()
  private var count = 0

  /// Writes the snapshot of a state and the filter of its keys.
  ///
  /// - Throws: ``StorageError`` or ``AvroError``; then no file is left.
  static func write(
    _ state: BookState, _ filter: KeyFilter, _ header: SnapshotHeader, to path: String,
    storage: any Storage
  ) throws {
    do {
      var writer = try SnapshotWriter(header, path, storage)
      try writer.put(header.container.encoded)
      var records = StateRecords(state)
      while records.writeNext(to: &writer.pending) { try writer.didPut() }
      try filter.forEachPiece { piece in
        writer.pending.put(SnapshotRecords.keys)
        piece.write(to: &writer.pending)
        try writer.didPut()
      }
      try writer.finish()
    } catch {
      try? storage.remove(path.unfinished)
      throw error
    }
  }

  private init(_ header: SnapshotHeader, _ path: String, _ storage: any Storage) throws {
    let compressor = try ZstandardCompressor(level: Self.level)
    let file = try storage.open(path.unfinished, .create)
    self.header = header
    self.path = path
    self.storage = storage
    self.compressor = compressor
    self.file = file
  }

  private mutating func put(_ bytes: [UInt8]) throws {
    try file.write(bytes, at: offset)
    hash.update(data: bytes)
    offset += bytes.count
  }

  private mutating func didPut() throws {
    count += 1
    if pending.bytes.count >= Self.blockByteCount { try flush() }
  }

  private mutating func flush() throws {
    guard count > 0 else { return }
    let payload = try compressor.compress(pending.bytes)
    let marker = header.container.syncMarker
    try put(ContainerBlock.encode(count: count, payload: payload, syncMarker: marker))
    pending.removeAll()
    count = 0
  }

  private mutating func finish() throws {
    try flush()
    pending.put(SnapshotRecords.end)
    SnapshotEnd(digest: AvroBytes(Array(hash.finalize()))).write(to: &pending)
    count = 1
    try flush()
    try file.synchronize()
    try storage.rename(path.unfinished, to: path)
  }
}
