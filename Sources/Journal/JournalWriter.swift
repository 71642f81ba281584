import Avro

/// The one writer of a journal. It holds the book's lock while it lives.
///
/// A commit is one block, appended at once: after a crash either all of its entries are there or none.
/// ``append(count:entries:)`` returns once they are on disk. The first failed write or sync poisons the
/// writer, for then nobody knows what is on disk; a full disk does not, for the bytes are taken back.
///
/// Many commits share their syncs: ``write(count:entries:)`` each, then ``publish()``. They go to a segment of
/// their own, which has no name until all of it is on disk. At the end of a named one only one block may wait
/// for its sync: of two, a crash may lose the first and keep the second, and that is corruption, not a torn tail.
///
/// Before anything is written the writer sees to it that the lock file at its path is the one that it holds, and
/// that the segment's file is the one that it has open, as long as it left it. If not, somebody else is at the
/// book: nothing is written, and the writer is poisoned.
public final class JournalWriter {
  /// How large the active segment grows: 8 MiB. A commit that would go past it begins a new one.
  ///
  /// What is opened after a crash is the active segment, and what is sealed and indexed is all before it:
  /// 8 MiB are some 95 000 entries when each is its own commit, which are read in 10 ms.
  public static let segmentByteCount = 8 << 20

  /// No segment is larger than 64 MiB (design, "The journal on disk"): a commit that is stands alone.
  private static let largestSegmentByteCount = 64 << 20

  /// The level of zstd: commits are small and read often, and at −1 a large one is read in two thirds of the
  /// time that level 3 takes, for a tenth more bytes. Sealing is the place for a higher level.
  private static let level = -1

  /// The last entry that is on disk.
  public private(set) var head: Position
  /// What was cut off the end of the journal when the writer began, if anything was.
  public let recovered: TornTail?

  /// The lock of the book, for what else its holder may do.
  public let lock: any StorageLock
  /// The active segment: the one that is appended to. Those before it are closed.
  public var segment: SegmentName { SegmentName(first: header.first) }

  private let journal: Journal
  private let compressor: ZstandardCompressor
  private let segmentByteCount: Int
  private let schemaText: String
  private let salts: SaltSource
  private var file: any StorageFile
  /// Where the active segment's file is.
  private var path: String
  private var header: SegmentHeader
  private var byteCount: Int
  private var poison: String?
  /// Whether no commit may go to the active segment any more: it takes none, or a new one was begun and perhaps named.
  private var mustStartSegment = false
  /// The segment that is being written and has no name yet.
  private var unnamed: UnnamedSegment?

  /// What any reader of the format takes as one block: 128 MiB (Java's and Python's stop at 200 MiB).
  private static let commitByteCount = 128 << 20

  /// Takes the lock of a book, for ``init(_:after:lock:schemaText:segmentByteCount:)``.
  ///
  /// The order matters: lock, then read to the end, then write. Otherwise another writer's last commits
  /// would be missed.
  ///
  /// An update of a backup that was decided and not finished is finished.
  ///
  /// - Throws: ``JournalError/locked(path:holder:)`` when another writer has it.
  package static func takeLock(of journal: Journal) throws(JournalError) -> any StorageLock {
    switch try onDisk({ () throws(StorageError) in try journal.storage.lock(journal.lockPath) }) {
    case .taken(let lock):
      try onDisk { () throws(StorageError) in
        let names = try journal.storage.names(in: journal.segmentDirectory) ?? []
        if JournalStage.isUpdateDecided(names) { try JournalStage.finishUpdate(of: journal) }
      }
      return lock
    case .held(let holder): throw .locked(path: journal.directory, holder: holder)
    }
  }

  /// Goes on where a reading of the whole journal ended; cuts off a torn tail, keeping its bytes in a
  /// file beside the segment. What was read is on disk when this returns, also when the writer before
  /// died before it could see to that.
  ///
  /// - Precondition: the reading went to the end.
  /// - Throws: ``JournalError/storage(_:)``.
  public init(
    _ journal: Journal, after end: JournalEnd, lock: any StorageLock, schemaText: String,
    segmentByteCount: Int = JournalWriter.segmentByteCount, salts: SaltSource = .system
  ) throws(JournalError) {
    precondition(end.isWhole, "a writer goes on where a reading of the whole journal ended")
    self.journal = journal
    self.lock = lock
    self.segmentByteCount = segmentByteCount
    self.schemaText = schemaText
    self.salts = salts
    head = end.head
    header = end.header
    byteCount = end.wholeByteCount
    recovered = end.torn
    compressor = try withCodec { () throws(AvroError) in try ZstandardCompressor(level: Self.level)
    }
    // A sealed segment is not written to any more, also when no other follows it.
    let isSealed = end.header.seal != nil
    // Nor is one that has no salts for further entries, be it of format 1 or cut off in a restored book, or one of another
    // schema. That is told once: to compare the texts takes as long as to encode a thousand entries.
    mustStartSegment = !end.header.takesEntries || end.header.schemaText != schemaText
    let path = journal.path(of: SegmentName(first: end.header.first))
    self.path = path
    file = try journal.holding { () throws(StorageError) in
      let file = try journal.storage.open(path, isSealed ? .read : .readWrite)
      try file.check(at: path, byteCount: end.wholeByteCount + (end.torn?.byteCount ?? 0))
      if let torn = end.torn { try Self.cut(torn, from: file, in: journal) }
      if !isSealed { try Self.rewrite(end.lastBlock, of: file) }
      try file.synchronize()
      if end.head == .start {
        try journal.synchronizeNames()
      } else {
        try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      }
      return file
    }
    removeUnnamed()
  }

  /// Removes segments that a crash left before they had their names.
  private func removeUnnamed() {
    let names = (try? journal.storage.names(in: journal.segmentDirectory)) ?? []
    for name in names where name.hasSuffix(".avro".unfinished) {
      try? journal.storage.remove("\(journal.segmentDirectory)/\(name)")
    }
  }

  /// Writes the last block once more, byte for byte. The writer before may have died before its sync, and a
  /// sync of somebody since may have failed: then the block is in memory alone and taken for clean, and no
  /// sync would put it on disk.
  private static func rewrite(
    _ block: Range<Int>, of file: any StorageFile
  ) throws(StorageError) {
    #if PLANTED_BUGS
      if PlantedBug.trustLaterSync.isPlanted { return }
    #endif
    guard !block.isEmpty else { return }
    var bytes: [UInt8] = []
    try file.read(block.count, at: block.lowerBound, appendingTo: &bytes)
    try file.write(bytes, at: block.lowerBound)
  }

  private static func cut(
    _ torn: TornTail, from file: any StorageFile, in journal: Journal
  ) throws(StorageError) {
    var bytes: [UInt8] = []
    try file.read(torn.byteCount, at: torn.offset, appendingTo: &bytes)
    let copy = try journal.storage.open("\(torn.file).torn-\(torn.offset)", .create)
    try copy.write(bytes, at: 0)
    try copy.synchronize()
    try journal.storage.synchronizeDirectory(journal.segmentDirectory)
    try file.truncate(to: torn.offset)
  }

  /// Appends entries as one atomic commit.
  ///
  /// - Parameters:
  ///   - count: How many entries; at least 1.
  ///   - entries: Their bytes in Avro's binary encoding, one after another.
  /// - Returns: The position of the first entry.
  /// - Throws: ``JournalError/storage(_:)`` when the disk refuses (when it is full, nothing changed and a
  ///   later append may succeed), ``JournalError/poisoned(reason:)`` after an earlier failure,
  ///   ``JournalError/commitTooLarge(byteCount:)``.
  @discardableResult
  public func append(count: Int, entries: [UInt8]) throws(JournalError) -> Position {
    precondition(count > 0, "a commit has at least one entry")
    precondition(unnamed == nil, "what was written is published before anything is appended")
    if let poison { throw .poisoned(reason: poison) }
    guard entries.count <= Self.commitByteCount, count <= Int(Int32.max) else {
      throw .commitTooLarge(byteCount: entries.count)
    }
    let payload = try withCodec { () throws(AvroError) in try compressor.compress(entries) }
    var block = encode(count, payload)
    let isFull =
      byteCount + block.count > segmentByteCount && head.next > header.first
      || head.number - header.first.number + 1 > Int64(SaltTree.capacity - count)
    if isFull || mustStartSegment {
      try startSegment()
      block = encode(count, payload)
    }
    guard byteCount + block.count <= Self.largestSegmentByteCount else {
      throw .commitTooLarge(byteCount: block.count)
    }
    try checkPlace()
    do throws(StorageError) {
      try file.write(block, at: byteCount)
    } catch {
      rollBack(after: error)
      throw .storage(error)
    }
    do throws(StorageError) {
      try synchronize()
    } catch {
      #if PLANTED_BUGS
        if PlantedBug.goOnAfterFailedSync.isPlanted { throw .storage(error) }
      #endif
      // The kernel may have dropped the pages and call them clean: trying again would prove nothing.
      poison = error.description
      // Nobody was told that the commit is there. Without it in the file, no later one can come to stand
      // after bytes that only memory holds.
      try? file.truncate(to: byteCount)
      throw .storage(error)
    }
    byteCount += block.count
    let first = head.next
    head = head.advanced(by: count)
    return first
  }

  private func synchronize() throws(StorageError) {
    #if PLANTED_BUGS
      if PlantedBug.acknowledgeBeforeSync.isPlanted { return }
    #endif
    try file.synchronize()
  }

  /// Sees to it that nobody else was at the book.
  private func checkPlace() throws(JournalError) {
    #if PLANTED_BUGS
      if PlantedBug.appendWithoutLooking.isPlanted { return }
    #endif
    do throws(StorageError) {
      try lock.check()
      // A sealed segment is not appended to, and an erasure may have put another in its place.
      if header.seal == nil { try file.check(at: path, byteCount: byteCount) }
      try unnamed?.check()
    } catch {
      giveUp(error, isPoison: true)
      throw .storage(error)
    }
  }

  /// Closes the active segment by beginning a new one; one without entries stays as it is.
  ///
  /// - Throws: as ``append(count:entries:)`` does.
  package func closeSegment() throws(JournalError) {
    precondition(unnamed == nil, "what was written is published before a segment is closed")
    if let poison { throw .poisoned(reason: poison) }
    if head.next > header.first { try startSegment() }
  }

  /// Writes entries as one atomic commit, which nobody sees, and which is not on disk, before ``publish()``.
  ///
  /// A segment of twice the usual size is published before the next one is begun: each costs two syncs.
  ///
  /// - Throws: as ``append(count:entries:)`` does. When the disk refuses, all that was not published is given up;
  ///   when the commit is too large, nothing changed.
  public func write(count: Int, entries: [UInt8]) throws(JournalError) {
    precondition(count > 0, "a commit has at least one entry")
    if let poison { throw .poisoned(reason: poison) }
    guard entries.count <= Self.commitByteCount, count <= Int(Int32.max) else {
      throw .commitTooLarge(byteCount: entries.count)
    }
    let payload = try withCodec { () throws(AvroError) in try compressor.compress(entries) }
    guard payload.count + 1 << 16 <= Self.largestSegmentByteCount else {
      throw .commitTooLarge(byteCount: payload.count)
    }
    if let unnamed,
      unnamed.byteCount + payload.count > 2 * segmentByteCount
        || unnamed.count > SaltTree.capacity - count
    {
      try publish()
    }
    do throws(StorageError) {
      if unnamed == nil { unnamed = try newSegment() }
      try unnamed?.append(count: count, payload: payload)
    } catch {
      giveUp(error, isPoison: error.reason != .full)
      throw .storage(error)
    }
  }

  /// Returns once every commit that was written is on disk, and there for everybody.
  ///
  /// - Throws: as ``append(count:entries:)`` does; then all that was not published is given up.
  package func publish() throws(JournalError) {
    if let poison { throw .poisoned(reason: poison) }
    guard let segment = unnamed else { return }
    try checkPlace()
    // It may get its name and still not be known to have it: then no commit may go to the old one any more.
    mustStartSegment = true
    var isPoison = true
    do throws(StorageError) {
      try segment.synchronize()
      isPoison = false
      try segment.name(in: journal.storage)
      isPoison = true
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
    } catch {
      giveUp(error, isPoison: isPoison || error.reason != .full)
      throw .storage(error)
    }
    unnamed = nil
    (file, header, byteCount) = (segment.file, segment.header, segment.byteCount)
    path = journal.path(of: self.segment)
    head = head.advanced(by: segment.count)
    mustStartSegment = false
  }

  /// The header of a segment that begins after the last entry.
  private var nextHeader: SegmentHeader {
    SegmentHeader(
      book: header.book, first: head.next, schemaText: schemaText,
      salts: salts.tree(for: head.next))
  }

  private func newSegment() throws(StorageError) -> UnnamedSegment {
    try UnnamedSegment(nextHeader, in: journal)
  }

  private func giveUp(_ error: StorageError, isPoison: Bool) {
    if isPoison { poison = error.description }
    unnamed?.discard(in: journal.storage)
    unnamed = nil
  }

  private func encode(_ count: Int, _ payload: [UInt8]) -> [UInt8] {
    ContainerBlock.encode(count: count, payload: payload, syncMarker: header.container.syncMarker)
  }

  /// Cuts off what is not on disk; after a failed write that may end in part of a block. Only when the disk
  /// was merely full and it could be cut off is the writer as good as before. The cut is synced: the next
  /// commit may begin a segment, and after a crash only the last one may end in part of a block.
  private func rollBack(after error: StorageError) {
    do throws(StorageError) {
      try file.truncate(to: byteCount)
      guard error.reason == .full else { return poison = error.description }
      #if PLANTED_BUGS
        if PlantedBug.cutNotSynced.isPlanted { return }
      #endif
      try file.synchronize()
    } catch {
      poison = error.description
    }
  }

  private func startSegment() throws(JournalError) {
    try checkPlace()
    let next = nextHeader
    mustStartSegment = true
    do throws(StorageError) {
      (file, byteCount) = try journal.startSegment(next)
      header = next
      path = journal.path(of: segment)
      mustStartSegment = false
    } catch {
      if error.reason != .full { poison = error.description }
      throw .storage(error)
    }
  }
}

extension Journal {
  /// Runs file operations; a file that another writer has open says that the book is held.
  fileprivate func holding<Result>(
    _ operations: () throws(StorageError) -> Result
  ) throws(JournalError) -> Result {
    do throws(StorageError) { return try operations() } catch {
      guard error.reason == .held else { throw .storage(error) }
      throw .locked(path: directory, holder: "another process")
    }
  }
}
