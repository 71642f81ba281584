import Crypto

#if PLANTED_BUGS
  import Avro
#endif

/// A file that is written from start to end, and digested meanwhile.
struct NewFile: ~Copyable {
  private let file: any StorageFile
  private var hash = SHA256()
  private var waiting: [UInt8] = []
  private var offset = 0

  init(_ path: String, storage: any Storage) throws(JournalError) {
    file = try onDisk { () throws(StorageError) in try storage.open(path, .create) }
  }

  mutating func write(_ bytes: [UInt8]) throws(JournalError) {
    hash.update(data: bytes)
    waiting += bytes
    if waiting.count >= 1 << 20 { try hand() }
  }

  private mutating func hand() throws(JournalError) {
    let bytes = waiting
    let place = offset
    try onDisk { () throws(StorageError) in try file.write(bytes, at: place) }
    offset += bytes.count
    waiting.removeAll(keepingCapacity: true)
  }

  /// Waits until the file is on disk; returns the digest.
  mutating func finish() throws(JournalError) -> Digest {
    try hand()
    #if PLANTED_BUGS
      if PlantedBug.sealBeforeSync.isPlanted { return Digest(hash.finalize()) }
    #endif
    try onDisk { () throws(StorageError) in try file.synchronize() }
    return Digest(hash.finalize())
  }
}
