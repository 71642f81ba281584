import Avro

/// Replaces entries of sealed segments by others at the same positions. Only an erasure does that.
///
/// In format 2 and later it blanks personal fields of entries and destroys their salts; no digest
/// changes. In format 1 it produces a record, the digests before and after, with which the chain is
/// verified from then on.
///
/// It has two steps, because a replacement must be on record before it happens:
/// ``prepare(_:erasing:)`` or ``prepare(_:schemaText:_:)`` writes the new file next to the old one,
/// and ``finish(_:)`` puts it in place. A crash between the two leaves a file that ``pending()``
/// finds.
package struct SegmentRewriter: Sendable {
  private let journal: Journal
  private let lock: any StorageLock
  private var scanners = ScannerCache()

  /// A segment with changed entries.
  package struct Rewriting: Hashable, Sendable {
    package let segment: SegmentName
    /// The digest of the old file.
    package let fileBefore: Digest
    /// The digest of the new file.
    package let fileAfter: Digest
    /// The digest of the old entries.
    package let entriesBefore: Digest
    /// The digest of the new entries.
    package let entriesAfter: Digest
  }

  /// Makes a rewriter of a journal's segments.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - lock: Its lock, which is held as long as the rewriter.
  package init(_ journal: Journal, lock: any StorageLock) {
    self.journal = journal
    self.lock = lock
  }

  /// Erases entries of a segment of format 2 or later, in a new file next to the segment: their
  /// personal fields become blank, and commitments without salts stand for them.
  ///
  /// The segment's own schema says which fields are personal.
  ///
  /// - Parameters:
  ///   - segment: A sealed segment.
  ///   - positions: The entries to erase; those that are already blank are left alone.
  /// - Returns: The rewriting; nil when no entry changes.
  /// - Throws: ``JournalError``; then nothing was changed.
  package mutating func prepare(
    _ segment: SegmentName, erasing positions: Set<Position>
  ) throws(JournalError) -> Rewriting? {
    let plan = try SegmentErasure(of: segment, positions, in: journal, &scanners)
    guard let plan else { return nil }
    return try write(segment, plan.header, plan.seal) { position, bytes throws(JournalError) in
      guard plan.positions.contains(position) else { return Array(bytes) }
      return try withCodec { () throws(AvroError) in try plan.eraser.erased(bytes) }
    }
  }

  /// Writes a segment of format 1 with changed entries next to the segment.
  ///
  /// - Parameters:
  ///   - segment: A sealed segment.
  ///   - schemaText: The schema of the changed entries; nil for the segment's own.
  ///   - change: Receives the position and the bytes of each entry, and returns the new bytes. It
  ///     is called twice for each, and must return the same.
  /// - Returns: The rewriting; nil when no entry changes.
  /// - Throws: ``JournalError``, or what `change` throws; then nothing was changed.
  package mutating func prepare(
    _ segment: SegmentName, schemaText: String? = nil,
    _ change: (Position, ArraySlice<UInt8>) throws(JournalError) -> [UInt8]
  ) throws(JournalError) -> Rewriting? {
    var entries = try scanners.cursor(over: segment, in: journal)
    let header = entries.reader.header
    guard let seal = header.seal, header.format == 1 else { return nil }
    let text = schemaText ?? header.schemaText
    var digest = EntriesDigest(schemaText: text)
    var isChanged = false
    while let entry = try entries.next() {
      let bytes = try change(entries.position, entries.bytes[entry])
      if !isChanged, !bytes.elementsEqual(entries.bytes[entry]) { isChanged = true }
      digest.update(bytes.span.bytes)
    }
    guard isChanged else { return nil }
    let newHeader = SegmentHeader(
      book: header.book, first: header.first, schemaText: text,
      seal: .init(last: seal.last, entries: digest.value, previous: seal.previous))
    return try write(segment, newHeader, seal, change)
  }

  /// Writes the new file and reads it back.
  private mutating func write(
    _ segment: SegmentName, _ header: SegmentHeader, _ old: SegmentHeader.Seal,
    _ change: (Position, ArraySlice<UInt8>) throws(JournalError) -> [UInt8]
  ) throws(JournalError) -> Rewriting? {
    guard let seal = header.seal else { return nil }
    let path = path(of: segment)
    // A file that a crash left may be read-only.
    try? journal.storage.remove(path)
    do throws(JournalError) {
      var output = try SealedFile(
        path, header, storage: journal.storage, blockByteCount: SegmentSealer.blockByteCount,
        level: SegmentSealer.level)
      var entries = try scanners.cursor(over: segment, in: journal)
      while let entry = try entries.next() {
        try output.append(try change(entries.position, entries.bytes[entry])[...])
      }
      let fileAfter = try output.finish()
      // It must hold as many entries as the old file, and the intended ones.
      let found = try scanners.digest(ofClosed: segment, in: journal, at: path)
      guard found.entries.value == seal.entries, found.last == old.last else {
        throw .corrupt(
          .init(
            file: path, offset: 0, after: Position(segment.first.number - 1),
            reason: "the written segment is not the intended one"))
      }
      try onDisk { () throws(StorageError) in
        try journal.storage.makeReadOnly(path)
        try journal.storage.synchronizeDirectory(journal.segmentDirectory)
      }
      return Rewriting(
        segment: segment, fileBefore: try journal.fileDigest(of: segment), fileAfter: fileAfter,
        entriesBefore: old.entries, entriesAfter: seal.entries)
    } catch {
      try? journal.storage.remove(path)
      throw error
    }
  }

  /// The rewritten files that wait to be put in place, with their digests.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  package func pending() throws(JournalError) -> [(segment: SegmentName, file: Digest)] {
    let names = try onDisk { () throws(StorageError) in
      try journal.storage.names(in: journal.segmentDirectory) ?? []
    }
    var found: [(segment: SegmentName, file: Digest)] = []
    for name in names where name.hasSuffix(Self.suffix) {
      guard let segment = SegmentName(fileName: String(name.dropLast(Self.suffix.count))) else {
        continue
      }
      found.append((segment, try journal.fileDigest(at: path(of: segment))))
    }
    return found
  }

  /// Puts a rewritten file in place; nothing of the old file is left.
  ///
  /// - Throws: ``JournalError/storage(_:)``; then it is still pending.
  package func finish(_ segment: SegmentName) throws(JournalError) {
    try onDisk { () throws(StorageError) in
      try lock.check()
      try journal.storage.rename(path(of: segment), to: journal.path(of: segment))
      try journal.storage.synchronizeDirectory(journal.segmentDirectory)
    }
  }

  /// Removes a rewritten file that has no record.
  ///
  /// - Throws: ``JournalError/storage(_:)``.
  package func discard(_ segment: SegmentName) throws(JournalError) {
    try onDisk { () throws(StorageError) in try journal.storage.remove(path(of: segment)) }
  }

  private static let suffix = ".rewritten"

  private func path(of segment: SegmentName) -> String { journal.path(of: segment) + Self.suffix }
}
