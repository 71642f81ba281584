import Avro

/// The only writer of a journal. It holds the book's lock while it lives.
///
/// A commit is one block, appended atomically: after a crash either all of its entries are there or
/// none. ``append(count:entries:)`` returns once they are on disk. The first failed write or sync
/// poisons the writer, because nobody knows then what is on disk. A full disk does not, because the
/// bytes are taken back.
///
/// Many commits can share their syncs: ``write(count:entries:)`` each, then ``publish()``. They go
/// to a segment of their own, which gets its name only when all of it is on disk. At the end of a
/// named segment only one block at a time may wait for its sync. If there were two, a crash could
/// lose the first and keep the second, and that is corruption, not a torn tail.
///
/// Before anything is written, the writer checks that the lock file at its path is the one that it
/// holds, and that the segment's file is the one that it has open, at the length that it left. If
/// not, somebody else is using the book: nothing is written, and the writer is poisoned.
public final class JournalWriter {
  /// The size at which the active segment is full: 8 MiB. A commit that would exceed it starts a
  /// new segment.
  ///
  /// After a crash only the active segment must be read, because everything before it is sealed and
  /// indexed. With one entry per commit, 8 MiB are some 95 000 entries, which are read in 10 ms.
  public static let segmentByteCount = 8 << 20

  /// No segment is larger than 64 MiB (design, "The journal on disk"), unless a single commit is.
  private static let largestSegmentByteCount = 64 << 20

  /// The level of zstd. Commits are small and read often; at −1 a large one is read in two thirds
  /// of the time of level 3, and is a tenth larger. Sealing uses a higher level.
  private static let level = -1

  /// The position of the last entry on disk.
  public private(set) var head: Position
  /// The torn tail that was cut off the journal when the writer began, if there was one.
  public let recovered: TornTail?

  /// The lock of the book, for other work of its holder.
  public let lock: any StorageLock
  /// The active segment, to which entries are appended. Those before it are closed.
  public var segment: SegmentName { SegmentName(first: header.first) }

  private let journal: Journal
  private let compressor: ZstandardCompressor
  private let segmentByteCount: Int
  private let schemaText: String
  private let salts: SaltSource
  private var file: any StorageFile
  /// The path of the active segment's file.
  private var path: String
  private var header: SegmentHeader
  private var byteCount: Int
  private var poison: String?
  /// Whether the next commit must start a new segment: the active one takes no entries, or a new
  /// one was started and may already have its name.
  private var mustStartSegment = false
  /// The segment being written that has no name yet.
  private var unnamed: UnnamedSegment?

  /// The largest block that every reader of the format accepts: 128 MiB (Java's and Python's limit
  /// is 200 MiB).
  private static let commitByteCount = 128 << 20

  /// Takes the lock of a book, for ``init(_:after:lock:schemaText:segmentByteCount:)``.
  ///
  /// The order matters: lock, then read to the end, then write. Otherwise another writer's last
  /// commits would be missed.
  ///
  /// It also finishes an update of a backup that was committed and not finished.
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

  /// Continues where a read of the whole journal ended. It cuts off a torn tail and keeps its bytes
  /// in a file beside the segment. Everything that was read is on disk when this returns, even if
  /// the previous writer died before its sync.
  ///
  /// - Precondition: the read reached the journal's end.
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
    // A sealed segment takes no entries, even if it is the last one.
    let isSealed = end.header.seal != nil
    // Nor does a segment without salts for more entries (one of format 1, or one cut off in a
    // restored book), or a segment of another schema. This is decided once, because comparing the
    // texts takes as long as encoding a thousand entries.
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

  /// Removes segments that a crash left without a name.
  private func removeUnnamed() {
    let names = (try? journal.storage.names(in: journal.segmentDirectory)) ?? []
    for name in names where name.hasSuffix(".avro".unfinished) {
      try? journal.storage.remove("\(journal.segmentDirectory)/\(name)")
    }
  }

  /// Writes the last block again, byte for byte. The previous writer may have died before its sync,
  /// and a later sync by another process may have failed. Then the block is only in memory but
  /// counts as clean, and no sync would bring it to the disk.
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
      // The kernel may have dropped the pages and marked them clean, so trying again would prove
      // nothing.
      poison = error.description
      // The commit was not acknowledged. It is cut off, so that no later commit can follow bytes
      // that exist only in memory.
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

  /// Checks that nobody else has used the book.
  private func checkPlace() throws(JournalError) {
    #if PLANTED_BUGS
      if PlantedBug.appendWithoutLooking.isPlanted { return }
    #endif
    do throws(StorageError) {
      try lock.check()
      // A sealed segment takes no entries, and an erasure may have replaced its file.
      if header.seal == nil { try file.check(at: path, byteCount: byteCount) }
      try unnamed?.check()
    } catch {
      giveUp(error, isPoison: true)
      throw .storage(error)
    }
  }

  /// Closes the active segment by starting a new one; a segment without entries stays active.
  ///
  /// - Throws: as ``append(count:entries:)`` does.
  package func closeSegment() throws(JournalError) {
    precondition(unnamed == nil, "what was written is published before a segment is closed")
    if let poison { throw .poisoned(reason: poison) }
    if head.next > header.first { try startSegment() }
  }

  /// Writes entries as one atomic commit that is invisible and not on disk until ``publish()``.
  ///
  /// A segment of twice the usual size is published before the next one is started: each costs two
  /// syncs.
  ///
  /// - Throws: as ``append(count:entries:)`` does. When the disk refuses, everything unpublished is
  ///   given up; when the commit is too large, nothing changed.
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

  /// Publishes all written commits: returns once they are on disk and visible to everybody.
  ///
  /// - Throws: as ``append(count:entries:)`` does; then everything unpublished is given up.
  package func publish() throws(JournalError) {
    if let poison { throw .poisoned(reason: poison) }
    guard let segment = unnamed else { return }
    try checkPlace()
    // Naming may succeed and still report an error, so no commit may go to the old segment any
    // more.
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

  /// The header of a segment that starts after the last entry.
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

  /// Cuts off what is not on disk, which may include part of a block after a failed write. The
  /// writer stays usable only if the disk was merely full and the cut succeeds. The cut is synced,
  /// because the next commit may start a segment, and after a crash only the last segment may end
  /// in part of a block.
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
  /// Runs file operations; a file that another writer has open means that the book is locked.
  fileprivate func holding<Result>(
    _ operations: () throws(StorageError) -> Result
  ) throws(JournalError) -> Result {
    do throws(StorageError) { return try operations() } catch {
      guard error.reason == .held else { throw .storage(error) }
      throw .locked(path: directory, holder: "another process")
    }
  }
}
