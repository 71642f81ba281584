import Avro

/// Writes a sealed segment entry by entry, in large blocks.
struct SealedFile: ~Copyable {
  private var file: NewFile
  private let header: SegmentHeader
  private let compressor: ZstandardCompressor
  private let blockByteCount: Int
  /// The entries of the current block.
  private var entries: [UInt8] = []
  private var count = 0

  /// Starts the file with its header.
  init(
    _ path: String, _ header: SegmentHeader, storage: any Storage, blockByteCount: Int, level: Int
  ) throws(JournalError) {
    let compressor = try withCodec { () throws(AvroError) in try ZstandardCompressor(level: level) }
    var file = try NewFile(path, storage: storage)
    try file.write(header.container.encoded)
    self.file = file
    self.compressor = compressor
    self.header = header
    self.blockByteCount = blockByteCount
  }

  mutating func append(_ entry: ArraySlice<UInt8>) throws(JournalError) {
    entries += entry
    count += 1
    if entries.count >= blockByteCount { try endBlock() }
  }

  private mutating func endBlock() throws(JournalError) {
    guard count > 0 else { return }
    let payload = try withCodec { () throws(AvroError) in try compressor.compress(entries) }
    try file.write(
      ContainerBlock.encode(
        count: count, payload: payload, syncMarker: header.container.syncMarker))
    entries.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Waits until the file is on disk; returns its digest.
  mutating func finish() throws(JournalError) -> Digest {
    #if PLANTED_BUGS
      if PlantedBug.sealWithoutLastBlock.isPlanted { return try file.finish() }
    #endif
    try endBlock()
    return try file.finish()
  }
}
