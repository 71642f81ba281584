import Avro

/// Follows a journal from a position on: block after block, as far as it goes now, and on from there later.
///
/// Invariant: every block that ends at the start or after it is given once, in order, whatever the writer does
/// meanwhile, in this process or another:
///
/// - It rolls over. A segment is complete before the next one gets its name. So when there is a next one, this
///   one is read to its end once more, and then the next must begin right there.
/// - It seals. The file is replaced by another with the same entries; an open one is read to its end as it was.
///   Segments are found by their names, which stay.
/// - It is writing a block. What is no whole block at the end of the last segment is no entry yet, and is looked
///   at anew each time.
/// - It begins a segment anew to which nothing was appended yet, with another schema. Such a segment is not kept
///   open.
/// - It takes back a block whose sync failed. Nobody was told that its entries are there, but who reads the file
///   may have seen them: the tail ends with ``JournalError/rolledBack(after:)``.
package struct JournalTail: ~Copyable {
  private let journal: Journal
  private let decompressor: ZstandardDecompressor
  /// Blocks that end before this are passed over: they are not asked for, or were given.
  private var start: Position
  private var scanners = ScannerCache()
  private var open: OpenSegment?
  private var book: String?
  /// What the last step went to.
  private var current: (count: Int, byteCount: Int)?
  /// Whether the last step found nothing: what was read ahead then may have been replaced since.
  private var isWaiting = false
  /// How long the file was when nothing whole followed its torn tail.
  private var tornByteCount: Int?

  /// The segment that is being read.
  private final class OpenSegment {
    var reader: SegmentReader
    init(_ reader: consuming SegmentReader) { self.reader = reader }
  }

  /// Begins at a position; nothing is read yet.
  ///
  /// - Throws: ``JournalError/poisoned(reason:)`` when memory is short.
  package init(_ journal: Journal, from start: Position) throws(JournalError) {
    self.journal = journal
    self.start = start
    decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
  }

  /// Looks at the block that the last step went to.
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

  /// Goes to the next block; says whether there is one yet.
  ///
  /// - Parameter end: Blocks that begin after this position are not there yet, whatever the file says.
  /// - Returns: Whether there is one.
  /// - Throws: ``JournalError`` when the journal cannot be read, is damaged, or lost what was read of it.
  package mutating func step(until end: Position? = nil) throws(JournalError) -> Bool {
    current = nil
    if isWaiting { try lookAgain() }
    isWaiting = false
    while true {
      let segment = if let open { open } else { try openFirst() }
      if try step(in: segment, isLast: true, until: end) { return true }
      if let end, segment.reader.next > end { break }
      guard let following = try followingSegment(of: segment) else { break }
      // What was appended before the next segment got its name is there now, if it was not before.
      segment.reader.refresh()
      if try step(in: segment, isLast: false, until: end) { return true }
      try openNext(following, after: segment)
    }
    isWaiting = true
    // A segment without entries may be begun anew: it is opened again when something may be in it, and what is
    // before it by then was given.
    if let open, open.reader.next == open.reader.name.first {
      start = max(start, open.reader.next)
      self.open = nil
    }
    return false
  }

  /// Goes to the next block of a segment.
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
          // The positions after it go by its count.
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
        // As in ``Journal/readBlocks(from:_:)``: perhaps it is being written, and complete by now. If anything
        // whole follows it, then it must be.
        isDamaged = true
        let mayBeTorn = isLast && segment.reader.header.seal == nil
        isFollowed = mayBeTorn ? try wholeBlockFollows(in: segment) : true
        segment.reader.refresh()
      }
    }
    return false
  }

  /// Whether anything whole follows the damage; it is not sought again in bytes that did not become more.
  private mutating func wholeBlockFollows(in segment: OpenSegment) throws(JournalError) -> Bool {
    let byteCount = try segment.reader.fileByteCount()
    if tornByteCount == byteCount { return false }
    if try segment.reader.wholeBlockFollows() { return true }
    tornByteCount = byteCount
    return false
  }

  /// Forgets what was read ahead, and sees to it that what was given is still there.
  private func lookAgain() throws(JournalError) {
    guard let open else { return }
    open.reader.refresh()
    guard try open.reader.fileByteCount() >= open.reader.wholeByteCount else {
      throw .rolledBack(after: Position(open.reader.next.number - 1))
    }
  }

  // MARK: Segments

  // A name that is being replaced while names are listed may be missing from the list, on some file systems. So
  // a list that cannot be is not believed at once.
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

  /// The segment after one, if there is one yet.
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
