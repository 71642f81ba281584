import Avro

/// A journal on a disk: an append-only log of entries in segment files, read by anybody at any time.
///
///     DIRECTORY/journal/00000000000000000001.avro    segments, each named for its first position
///     DIRECTORY/LOCK                                 held by the one writer
///
/// The last segment is the active one, to which entries are appended. Those before it are closed
/// and are sealed one after another (``SegmentSealer``). A sealed file never changes.
///
/// Reading takes no lock. A reader sees a prefix of what was appended: whole commits, in order.
public struct Journal: Sendable {
  /// The book's directory.
  public let directory: String
  /// The storage that holds it.
  public let storage: any Storage
  /// Counts what is read, for showing the progress of long work.
  package let meter: WorkMeter?

  /// Opens nothing: names a journal.
  public init(directory: String, storage: any Storage = FileStorage()) {
    self.init(directory: directory, storage: storage, meter: nil)
  }

  /// Opens nothing: names a journal, and counts what is read of it.
  package init(directory: String, storage: any Storage = FileStorage(), meter: WorkMeter?) {
    self.directory = directory
    self.storage = storage
    self.meter = meter
  }

  package var segmentDirectory: String { directory + "/journal" }

  /// The path of a segment's file.
  package func path(of segment: SegmentName) -> String {
    "\(segmentDirectory)/\(segment.fileName)"
  }

  /// The names of the segments, ascending.
  ///
  /// - Throws: ``JournalError/noBook(path:)`` or ``JournalError/notABook(path:)`` when there is no
  ///   journal, ``JournalError/unfinished(path:)`` when there is an incomplete copy,
  ///   ``JournalError/locked(path:holder:)`` when somebody is bringing this backup up to date.
  package func segments() throws(JournalError) -> [SegmentName] {
    let names = try onDisk { () throws(StorageError) in try storage.names(in: segmentDirectory) }
    guard let names else {
      let found = try onDisk { () throws(StorageError) in try storage.names(in: directory) }
      throw found != nil ? .notABook(path: directory) : .noBook(path: directory)
    }
    if JournalStage.isUpdateDecided(names) {
      try finishUpdate()
      return try self.segments()
    }
    let segments = names.compactMap(SegmentName.init(fileName:)).sorted()
    guard let first = segments.first else { throw .notABook(path: directory) }
    // A copy gives its first segment its name last.
    guard first == .first || !names.contains(JournalStage.partName(of: .first)) else {
      throw .unfinished(path: directory)
    }
    return segments
  }

  /// The names of the segments, ascending, divided into sealed and unsealed ones.
  ///
  /// - Parameter active: Only segments before this one; nil for all.
  /// - Returns: The sealed segments, which come first, and the others.
  /// - Throws: as ``segments()``.
  package func segmentsBySeal(
    before active: SegmentName? = nil
  ) throws(JournalError) -> (sealed: [SegmentName], unsealed: [SegmentName]) {
    var sealed = try segments()
    if let active { sealed.removeAll { $0 >= active } }
    var unsealed: [SegmentName] = []
    // Only few segments are unsealed, however old the book is.
    while let last = sealed.last, try header(of: last).seal == nil {
      unsealed.append(sealed.removeLast())
    }
    return (sealed, unsealed.reversed())
  }

  /// Finishes an interrupted update of this backup, unless it is still under way.
  private func finishUpdate() throws(JournalError) {
    do throws(JournalError) { _ = try JournalWriter.takeLock(of: self) } catch {
      guard case .locked(let path, let holder) = error else { throw error }
      throw .locked(path: path, holder: holder + ", which is bringing it up to date")
    }
  }

  /// Whether the directory holds segments, of a complete book or not.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  package func holdsFiles() throws(JournalError) -> Bool {
    let names = try onDisk { () throws(StorageError) in try storage.names(in: segmentDirectory) }
    return names?.contains { SegmentName(fileName: $0) != nil } ?? false
  }

  /// Whether the directory holds a book.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  package func exists() throws(JournalError) -> Bool {
    do throws(JournalError) {
      return try !segments().isEmpty
    } catch {
      switch error {
      case .noBook, .notABook: return false
      default: throw error
      }
    }
  }

  /// Creates a new, empty journal: its directories and a first segment without entries.
  ///
  /// - Parameters:
  ///   - book: The book's id, a UUID.
  ///   - schemaText: The schema of an entry, as JSON.
  ///   - salts: The source of the first segment's salts.
  /// - Throws: ``JournalError/alreadyABook(path:)``, ``JournalError/notABook(path:)`` when the directory
  ///   holds something else, or ``JournalError/storage(_:)``.
  package func create(
    book: String, schemaText: String, salts: SaltSource = .system
  ) throws(JournalError) {
    guard try !exists() else { throw .alreadyABook(path: directory) }
    let names = try onDisk { () throws(StorageError) in try storage.names(in: directory) ?? [] }
    // An interrupted creation may be completed; any other contents belong to somebody.
    guard names.allSatisfy({ $0 == "journal" || $0 == "LOCK" }) else {
      throw .notABook(path: directory)
    }
    try onDisk { () throws(StorageError) in try storage.createDirectory(segmentDirectory) }
    let lock = try JournalWriter.takeLock(of: self)
    defer { withExtendedLifetime(lock) {} }
    // Checked again, because another process may have created the book while this one waited for
    // the lock.
    guard try !exists() else { throw .alreadyABook(path: directory) }
    let first = Position.start.next
    let header = SegmentHeader(
      book: book, first: first, schemaText: schemaText, salts: salts.tree(for: first))
    try onDisk { () throws(StorageError) in
      _ = try startSegment(header)
      try synchronizeNames()
    }
  }

  /// Waits until the book's names are on disk: those in its directory, and the directory's own.
  func synchronizeNames() throws(StorageError) {
    try storage.synchronizeDirectory(segmentDirectory)
    try storage.synchronizeDirectory(directory)
    let parent =
      (directory.hasPrefix("/") ? "/" : "")
      + directory.split(separator: "/").dropLast().joined(separator: "/")
    try storage.synchronizeDirectory(parent.isEmpty ? "." : parent)
  }

  var lockPath: String { directory + "/LOCK" }

  /// Creates a segment with only its header. It gets its name once the header is on disk, so that
  /// no crash leaves a segment without a header.
  func startSegment(_ header: SegmentHeader) throws(StorageError) -> (any StorageFile, Int) {
    let segment = try UnnamedSegment(header, in: self)
    try segment.synchronize()
    try segment.name(in: storage)
    #if PLANTED_BUGS
      if PlantedBug.noDirectorySync.isPlanted { return (segment.file, segment.byteCount) }
    #endif
    try storage.synchronizeDirectory(segmentDirectory)
    return (segment.file, segment.byteCount)
  }

  /// Reads every complete block from the start, or from the segment that holds `start`.
  ///
  /// Bytes after the last complete block of the last segment are a torn tail, or a commit that is
  /// being written: they are left alone and reported.
  ///
  /// - Parameters:
  ///   - start: Blocks that end before this position are skipped.
  ///   - body: Receives the header of the block's segment and the block; returns whether to
  ///     continue.
  /// - Returns: Where the reading ended.
  /// - Throws: ``JournalError`` when the journal cannot be read or is damaged, or what `body` throws.
  @discardableResult
  package func readBlocks(
    from start: Position = .start,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> JournalEnd {
    try readBlocks(from: start, at: nil, body)
  }

  /// Reads blocks as ``readBlocks(from:_:)`` does, from a block whose place is known; nothing
  /// before it is read.
  @discardableResult
  package func readBlocks(
    at place: BlockPlace, _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> JournalEnd {
    try readBlocks(from: place.position, at: place, body)
  }

  private func readBlocks(
    from start: Position, at place: BlockPlace?,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Bool
  ) throws(JournalError) -> JournalEnd {
    let segments = try segments()
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    // The segments that end before `start` are those whose successor begins at or before it.
    let begin = max(0, (segments.firstIndex { $0.first > start } ?? segments.count) - 1)
    var expected = begin == 0 ? Position.start.next : nil
    var book: String?
    var scanners = ScannerCache()
    var metered = MeteredReading(meter, byteCount: try meteredByteCount(of: segments[begin...]))
    defer { metered.end() }
    for index in begin..<segments.count {
      var reader = try SegmentReader(
        name: segments[index], of: self, decompressor: decompressor)
      if let expected, expected != segments[index].first {
        throw .corrupt(.gap(before: segments[index], reader.path, expected: expected))
      }
      if let place, place.segment == reader.name { reader.seek(to: place.offset, place.position) }
      if let book, book != reader.header.book { throw reader.foreign(to: book) }
      book = reader.header.book
      let isLast = index == segments.count - 1
      var flaw: IncompleteBlock?
      steps: while true {
        switch try reader.step() {
        case .block(let count, let byteCount):
          flaw = nil
          metered.reach(reader.wholeByteCount)
          guard reader.next > start else {
            // The count determines all later positions.
            try reader.block(count: count, byteCount: byteCount).checkCount(
              scanners.scanner(of: reader))
            continue
          }
          guard try body(reader.header, reader.block(count: count, byteCount: byteCount)) else {
            return JournalEnd(reader, torn: nil, isWhole: false)
          }
        case .end:
          if isLast { return JournalEnd(reader, torn: nil) }
          break steps
        case .damage(let reason):
          if let flaw {
            return JournalEnd(reader, torn: try tornTail(of: reader, flaw, reason: reason))
          }
          // It may be a commit that was being written and is complete by now. The search for later
          // blocks comes first: if any complete block followed, then the commit before it must be
          // complete, too. A sealed segment is immutable: nobody writes to it, and it has no torn
          // tail.
          let mayBeTorn = isLast && reader.header.seal == nil
          flaw = IncompleteBlock(isFollowed: mayBeTorn ? try reader.wholeBlockFollows() : true)
          reader.refresh()
        }
      }
      metered.endFile(reader.wholeByteCount)
      expected = reader.next
    }
    throw .notABook(path: directory)
  }

  /// The total size of some segments; only computed when there is a meter.
  private func meteredByteCount(
    of segments: ArraySlice<SegmentName>
  ) throws(JournalError) -> Int {
    guard meter != nil else { return 0 }
    var sum = 0
    for name in segments {
      sum += try onDisk { () throws(StorageError) in
        try storage.open(path(of: name), .read).byteCount()
      }
    }
    return sum
  }

  /// Reads the header of a segment.
  ///
  /// - Throws: ``JournalError``.
  package func header(of segment: SegmentName) throws(JournalError) -> SegmentHeader {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    return try SegmentReader(
      name: segment, of: self, decompressor: decompressor
    ).header
  }

  /// Judges damage: a torn tail is in the last segment with nothing complete after it. Anything
  /// else is corruption, where nothing may be cut off.
  private func tornTail(
    of reader: borrowing SegmentReader, _ flaw: IncompleteBlock, reason: String
  ) throws(JournalError) -> TornTail {
    #if PLANTED_BUGS
      let isFollowed = flaw.isFollowed && !PlantedBug.cutPastCorruption.isPlanted
    #else
      let isFollowed = flaw.isFollowed
    #endif
    guard !isFollowed else {
      throw .corrupt(
        .init(
          file: reader.path, offset: reader.wholeByteCount,
          after: Position(reader.next.number - 1), reason: reason))
    }
    return TornTail(
      file: reader.path, offset: reader.wholeByteCount,
      byteCount: max(0, try reader.fileByteCount() - reader.wholeByteCount))
  }
}

/// Bytes that form no complete block, kept to be examined again.
private struct IncompleteBlock {
  let isFollowed: Bool
}

extension SegmentReader {
  fileprivate func foreign(to book: String) -> JournalError {
    .corrupt(
      .init(
        file: path, offset: 0, after: Position(name.first.number - 1),
        reason: "the segment is of book \(header.book), not of \(book)"))
  }
}
