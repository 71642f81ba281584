import Avro

/// A segment that is written before it gets its name: nobody sees it, and no crash leaves part of
/// it.
struct UnnamedSegment {
  let header: SegmentHeader
  let file: any StorageFile
  /// How many entries it holds.
  private(set) var count = 0
  private(set) var byteCount: Int
  private let path: String

  init(_ header: SegmentHeader, in journal: Journal) throws(StorageError) {
    self.header = header
    path = journal.path(of: SegmentName(first: header.first))
    file = try journal.storage.open(path.unfinished, .create)
    let bytes = header.container.encoded
    try file.write(bytes, at: 0)
    byteCount = bytes.count
  }

  mutating func append(count: Int, payload: [UInt8]) throws(StorageError) {
    let block = ContainerBlock.encode(
      count: count, payload: payload, syncMarker: header.container.syncMarker)
    try file.write(block, at: byteCount)
    byteCount += block.count
    self.count += count
  }

  /// Checks that nobody else wrote to it.
  func check() throws(StorageError) { try file.check(at: path.unfinished, byteCount: byteCount) }

  /// Waits until all of it is on disk.
  func synchronize() throws(StorageError) {
    #if PLANTED_BUGS
      if PlantedBug.nameBeforeSync.isPlanted { return }
    #endif
    try file.synchronize()
  }

  /// Gives the segment its name, once it is on disk.
  func name(in storage: any Storage) throws(StorageError) {
    try storage.rename(path.unfinished, to: path)
  }

  /// Removes the segment if it has no name yet.
  func discard(in storage: any Storage) { try? storage.remove(path.unfinished) }
}
