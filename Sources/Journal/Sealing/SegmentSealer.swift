import Avro
import Crypto

/// Seals closed segments, oldest first: each is rewritten into large blocks at a higher level,
/// compared with the original entry by entry, made read-only, and put in place atomically.
///
/// The entries stay the same bytes at the same positions, so readers notice nothing; a reader that
/// has the old file open continues in it. A crash at any point leaves the old file or the new one.
/// Only the holder of the book's lock seals.
package struct SegmentSealer: Sendable {
  /// About how many bytes of entries a sealed block holds: 192 KiB.
  package static let blockByteCount = 192 << 10
  /// The level of zstd for sealed blocks.
  package static let level = 9

  private let journal: Journal
  private let lock: any StorageLock
  private let blockByteCount: Int
  private let level: Int
  private let rewrites: @Sendable () throws(JournalError) -> Rewrites
  /// The segment of format 1 sealed last, and its file's digest, so that the file is not read
  /// again.
  private var previous: (name: SegmentName, digest: Digest)?
  /// The outline of the map of the segment sealed last, for indexing it.
  package private(set) var outline: MapOutline?
  private var scanners = ScannerCache()

  /// Makes a sealer of a journal's segments.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - lock: Its lock, which is held as long as the sealer.
  ///   - rewrites: Returns the intended rewrites. It is called once in a book's life, when the
  ///     first segment after one of format 1 is sealed.
  package init(
    _ journal: Journal, lock: any StorageLock,
    rewrites: @escaping @Sendable () throws(JournalError) -> Rewrites = { Rewrites() }
  ) {
    self.init(
      journal, lock: lock, blockByteCount: Self.blockByteCount, level: Self.level,
      rewrites: rewrites)
  }

  /// Makes a sealer with another block size, for tests and measurements.
  package init(
    _ journal: Journal, lock: any StorageLock, blockByteCount: Int, level: Int,
    rewrites: @escaping @Sendable () throws(JournalError) -> Rewrites = { Rewrites() }
  ) {
    self.journal = journal
    self.rewrites = rewrites
    self.lock = lock
    self.blockByteCount = max(1, blockByteCount)
    self.level = level
  }

  /// Seals the oldest closed segment that is not sealed yet.
  ///
  /// - Parameter active: The active segment; nil for the last one.
  /// - Returns: The segment that was sealed; nil when all are.
  /// - Throws: ``JournalError``; then the segment is as it was, and sealing may be tried again.
  @discardableResult
  package mutating func sealNext(
    before active: SegmentName? = nil
  ) throws(JournalError) -> SegmentName? {
    var end = active
    if end == nil { end = try journal.segments().last }
    let (sealed, unsealed) = try journal.segmentsBySeal(before: end)
    guard let next = unsealed.first else { return nil }
    let last = try sealed.last.map { name throws(JournalError) in try journal.header(of: name) }
    let file = try seal(
      next, after: try digest(before: next, after: sealed), last?.seal?.created ?? EntityCounts.none
    )
    previous = (next, file)
    return next
  }

  /// The digest of what precedes a segment: the head before it; in format 1, the sealed file.
  private func digest(
    before segment: SegmentName, after sealed: [SegmentName]
  ) throws(JournalError) -> Digest {
    let header = try journal.header(of: segment)
    if header.format == 1 {
      guard let last = sealed.last else { return .none }
      if let previous, previous.name == last { return previous.digest }
      return try journal.fileDigest(of: last)
    }
    guard let last = sealed.last else { return Head(book: header.book).digest }
    if let head = try journal.header(of: last).sealedHead { return head.digest }
    return try head(of: sealed, header.book).digest
  }

  /// The head at the end of sealed segments of format 1.
  private func head(
    of segments: [SegmentName], _ book: String
  ) throws(JournalError) -> Head {
    let rewrites = try rewrites()
    var head = Head(book: book)
    for name in segments {
      guard let seal = try journal.header(of: name).seal else { continue }
      head = head.advanced(to: seal.last, rewrites.origin(of: seal.entries), format: 1)
    }
    return head
  }

  private mutating func seal(
    _ name: SegmentName, after digest: Digest, _ created: EntityCounts
  ) throws(JournalError) -> Digest {
    let path = journal.path(of: name) + ".sealing"
    // A file that a crash left may be read-only.
    try? journal.storage.remove(path)
    do throws(JournalError) {
      let fileDigest = try write(name, to: path, after: digest, created)
      #if PLANTED_BUGS
        if !PlantedBug.sealWithoutLastBlock.isPlanted { try compare(name, with: path) }
      #else
        try compare(name, with: path)
      #endif
      try onDisk { () throws(StorageError) in
        try journal.storage.makeReadOnly(path)
        try lock.check()
        try journal.storage.rename(path, to: journal.path(of: name))
        try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      }
      return fileDigest
    } catch {
      try? journal.storage.remove(path)
      throw error
    }
  }

  /// Writes the sealed file next to the original; returns its digest.
  private mutating func write(
    _ name: SegmentName, to path: String, after digest: Digest, _ created: EntityCounts
  ) throws(JournalError) -> Digest {
    let header = try sealedHeader(of: name, after: digest, created)
    var output = try SealedFile(
      path, header, storage: journal.storage, blockByteCount: blockByteCount, level: level)
    var entries = try scanners.cursor(over: name, in: journal)
    while let entry = try entries.next() { try output.append(entries.bytes[entry]) }
    return try output.finish()
  }

  /// The header describes the file's contents, so the entries are read once before they are
  /// written.
  private mutating func sealedHeader(
    of name: SegmentName, after digest: Digest, _ created: EntityCounts
  ) throws(JournalError) -> SegmentHeader {
    let (header, last, entries) = try scanners.digest(ofClosed: name, after: created, in: journal)
    let value: Digest
    (value, outline) = entries.outlined()
    return header.sealed(
      .init(last: last, entries: value, previous: digest, created: entries.created))
  }

  /// Reads the new file back, and compares each of its entries with the original's.
  private mutating func compare(_ name: SegmentName, with path: String) throws(JournalError) {
    var originals = try scanners.cursor(over: name, in: journal)
    var copies = try scanners.cursor(over: name, in: journal, at: path)
    while let original = try originals.next() {
      guard let copy = try copies.next(),
        originals.bytes[original].elementsEqual(copies.bytes[copy])
      else { throw copies.corruption("the written segment differs from the original") }
    }
    guard try copies.next() == nil else { throw copies.corruption("it holds too many entries") }
  }
}

extension Journal {
  /// The SHA-256 of a segment's file.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  package func fileDigest(of segment: SegmentName) throws(JournalError) -> Digest {
    try fileDigest(at: path(of: segment))
  }

  /// The SHA-256 of a file.
  func fileDigest(at path: String) throws(JournalError) -> Digest {
    try onDisk { () throws(StorageError) in
      let file = try storage.open(path, .read)
      var hash = SHA256()
      var offset = 0
      var bytes: [UInt8] = []
      repeat {
        bytes.removeAll(keepingCapacity: true)
        try file.read(1 << 18, at: offset, appendingTo: &bytes)
        hash.update(data: bytes)
        offset += bytes.count
      } while !bytes.isEmpty
      return Digest(hash.finalize())
    }
  }
}
