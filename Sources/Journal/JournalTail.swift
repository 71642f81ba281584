import Avro

/// Follows a journal from a position on: block after block to its present end, and later from
/// there.
///
/// Invariant: every block that ends at the start position or after it is given once, in order,
/// whatever the writer does meanwhile, in this process or another:
///
/// - It starts a new segment. A segment is complete before the next one gets its name. So once
///   there is a next one, this one is read to its end again, and the next must begin right there.
/// - It seals a segment. The file is replaced by another with the same entries; an open file is
///   read to its end as it was. Segments are found by name, which stays the same.
/// - It is writing a block. Bytes at the end of the last segment that form no complete block do not
///   count yet, and are read again each time.
/// - It replaces a segment without entries, because the schema changed. Such a segment is not kept
///   open.
/// - It takes back a block whose sync failed. Its entries were never acknowledged, but a reader of
///   the file may have seen them: the tail then ends with ``JournalError/rolledBack(after:)``.
package struct JournalTail: ~Copyable {
  private let journal: Journal
  private let decompressor: ZstandardDecompressor
  /// Blocks that end before this are skipped: they were given or are not wanted.
  private var start: Position
  private var scanners = ScannerCache()
  private var open: OpenSegment?
  private var book: String?
  /// The block of the last step.
  private var current: (count: Int, byteCount: Int)?
  /// Whether the last step found nothing; bytes read ahead may have been replaced since.
  private var isWaiting = false
  /// The file's length when nothing complete followed its torn tail.
  private var tornByteCount: Int?

  /// The segment that is being read.
  private final class OpenSegment {
    var reader: SegmentReader
    init(_ reader: consuming SegmentReader) { self.reader = reader }
  }

  /// Starts at a position; nothing is read yet.
  ///
  /// - Throws: ``JournalError/poisoned(reason:)`` when memory is short.
  package init(_ journal: Journal, from start: Position) throws(JournalError) {
    self.journal = journal
    self.start = start
    decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
  }

  /// Looks at the block of the last step.
  ///
  /// - Precondition: the last step returned `true`.
  /// - Throws: what `body` throws.
  package func withBlock<Result>(
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    guard let open, let current else {
      preconditionFailure("a block is looked at after a step to it")
    }
    return try open.reader.withBlock(count: current.count, byteCount: current.byteCount, body)
  }

  /// Moves to the next block; returns whether there is one yet.
  ///
  /// - Parameter end: Blocks that begin after this position are treated as not yet written, whatever the file holds.
  /// - Returns: Whether there is a next block.
  /// - Throws: ``JournalError`` when the journal cannot be read, is damaged, or lost something
  ///   already read.
  package mutating func step(until end: Position? = nil) throws(JournalError) -> Bool {
    current = nil
    if isWaiting { try revalidate() }
    isWaiting = false
    while true {
      let segment = if let open { open } else { try openFirst() }
      if try step(in: segment, isLast: true, until: end) { return true }
      if let end, segment.reader.next > end { break }
      guard let following = try followingSegment(of: segment) else { break }
      // Whatever was appended before the next segment got its name can be read now.
      segment.reader.refresh()
      if try step(in: segment, isLast: false, until: end) { return true }
      try openNext(following, after: segment)
    }
    isWaiting = true
    // A segment without entries may be replaced. It is opened again when it may have entries;
    // everything before it was given by then.
    if let open, open.reader.next == open.reader.name.first {
      start = max(start, open.reader.next)
      self.open = nil
    }
    return false
  }

  /// Moves to the next block of a segment.
  private mutating func step(
    in segment: OpenSegment, isLast: Bool, until end: Position?
  ) throws(JournalError) -> Bool {
    var isDamaged = false
    var isFollowed = false
    while end.map({ segment.reader.next <= $0 }) ?? true {
      switch try segment.reader.step() {
      case .block(let count, let byteCount):
        isDamaged = false
        tornByteCount = nil
        guard segment.reader.next > start else {
          // The count determines all later positions.
          let scanner = try scanners.scanner(of: segment.reader)
          try segment.reader.withBlock(count: count, byteCount: byteCount) {
            _, block throws(JournalError) in try block.checkCount(scanner)
          }
          continue
        }
        current = (count, byteCount)
        return true
      case .end: return false
      case .damage(let reason):
        if isDamaged, isFollowed { throw segment.reader.corruption(reason) }
        if isDamaged { return false }
        // As in ``Journal/readBlocks(from:_:)``: the block may have been in writing and be complete
        // by now. If anything complete follows it, it must be.
        isDamaged = true
        let mayBeTorn = isLast && segment.reader.header.seal == nil
        isFollowed = mayBeTorn ? try wholeBlockFollows(in: segment) : true
        segment.reader.refresh()
      }
    }
    return false
  }

  /// Whether anything complete follows the damage; bytes that were already searched are not
  /// searched again.
  private mutating func wholeBlockFollows(in segment: OpenSegment) throws(JournalError) -> Bool {
    let byteCount = try segment.reader.fileByteCount()
    if tornByteCount == byteCount { return false }
    if try segment.reader.wholeBlockFollows() { return true }
    tornByteCount = byteCount
    return false
  }

  /// Forgets bytes read ahead, and checks that what was given is still there.
  private func revalidate() throws(JournalError) {
    guard let open else { return }
    open.reader.refresh()
    guard try open.reader.fileByteCount() >= open.reader.wholeByteCount else {
      throw .rolledBack(after: Position(open.reader.next.number - 1))
    }
  }

  // MARK: Segments

  // On some file systems, a name that is replaced during the listing may be missing from the list.
  // So an impossible list is read again before it is believed.
  private static let listings = 3

  private mutating func openFirst() throws(JournalError) -> OpenSegment {
    let position = max(start, Position.start.next)
    for _ in 0..<Self.listings {
      if let name = try journal.segments().last(where: { $0.first <= position }) {
        return try open(name)
      }
    }
    throw .corrupt(
      .init(
        file: journal.path(of: SegmentName(first: .start.next)), offset: 0, after: .start,
        reason: "the first segment is missing"))
  }

  private mutating func openNext(
    _ following: SegmentName, after segment: OpenSegment
  ) throws(JournalError) {
    let next = segment.reader.next
    var name = following
    for _ in 1..<Self.listings where name.first != next {
      name = try followingSegment(of: segment) ?? name
    }
    guard name.first == next else {
      throw .corrupt(.gap(before: name, journal.path(of: name), expected: next))
    }
    _ = try open(name)
  }

  private mutating func open(_ name: SegmentName) throws(JournalError) -> OpenSegment {
    let next = OpenSegment(
      try SegmentReader(name: name, of: journal, decompressor: decompressor))
    let header = next.reader.header
    if let book, book != header.book {
      throw next.reader.corruption("the segment is of book \(header.book), not of \(book)")
    }
    book = header.book
    tornByteCount = nil
    open = next
    return next
  }

  /// The segment after another, if there is one yet.
  private func followingSegment(of segment: OpenSegment) throws(JournalError) -> SegmentName? {
    let name = segment.reader.name
    return try journal.segments().first { $0 > name }
  }
}

extension SegmentReader {
  fileprivate func withBlock<Result>(
    count: Int, byteCount: Int,
    _ body: (SegmentHeader, borrowing Block) throws(JournalError) -> Result
  ) throws(JournalError) -> Result {
    try body(header, block(count: count, byteCount: byteCount))
  }

  fileprivate func corruption(_ reason: String) -> JournalError {
    .corrupt(
      .init(
        file: path, offset: wholeByteCount, after: Position(next.number - 1), reason: reason))
  }
}
