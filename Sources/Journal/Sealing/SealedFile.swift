import Avro
import Crypto

/// A sealed segment that is being written: entry by entry, into large blocks, and digested meanwhile.
struct SealedFile: ~Copyable {
  private let file: any StorageFile
  private let header: SegmentHeader
  private let compressor: ZstandardCompressor
  private let blockByteCount: Int
  private var hash = SHA256()
  /// The entries of the block that is being filled.
  private var entries: [UInt8] = []
  private var count = 0
  /// Blocks that are not handed to the disk yet.
  private var waiting: [UInt8]
  private var offset = 0

  private static let writeByteCount = 1 << 20

  /// Begins the file with the header.
  init(
    _ path: String, _ header: SegmentHeader, storage: any Storage, blockByteCount: Int, level: Int
  ) throws(JournalError) {
    let file = try onDisk { () throws(StorageError) in try storage.open(path, .create) }
    let compressor = try withCodec { () throws(AvroError) in try ZstandardCompressor(level: level) }
    self.file = file
    self.compressor = compressor
    self.header = header
    self.blockByteCount = blockByteCount
    waiting = header.container.encoded
    hash.update(data: waiting)
  }

  mutating func append(_ entry: ArraySlice<UInt8>) throws(JournalError) {
    entries += entry
    count += 1
    if entries.count >= blockByteCount { try endBlock() }
  }

  private mutating func endBlock() throws(JournalError) {
    guard count > 0 else { return }
    let payload = try withCodec { () throws(AvroError) in try compressor.compress(entries) }
    let block = ContainerBlock.encode(
      count: count, payload: payload, syncMarker: header.container.syncMarker)
    hash.update(data: block)
    waiting += block
    entries.removeAll(keepingCapacity: true)
    count = 0
    if waiting.count >= Self.writeByteCount { try hand() }
  }

  private mutating func hand() throws(JournalError) {
    let bytes = waiting
    let place = offset
    try onDisk { () throws(StorageError) in try file.write(bytes, at: place) }
    offset += bytes.count
    waiting.removeAll(keepingCapacity: true)
  }

  /// Sees to it that all is on disk; returns the digest of the file.
  mutating func finish() throws(JournalError) -> Digest {
    try endBlock()
    try hand()
    try onDisk { () throws(StorageError) in try file.synchronize() }
    return Digest(hash.finalize())
  }
}
