import Avro

extension Journal {
  /// The head of the book, and when its last entry was recorded.
  ///
  /// Sealed segments are trusted: a header gives the head before the first unsealed segment, and
  /// only the rest is read. A verification checks whether all of that is true.
  ///
  /// - Parameter rewrites: Returns the intended rewrites, for books that end with segments of
  ///   format 1.
  /// - Returns: The head, and the `at` of its entry; nil when there are no entries.
  /// - Throws: ``JournalError``.
  public func head(
    rewrites: () throws(JournalError) -> Rewrites
  ) throws(JournalError) -> (head: Head, at: Int64?) {
    let segments = try segments()
    var head: Head?
    var sealed: SegmentName?
    var created = EntityCounts.none
    for name in segments.reversed() where head == nil {
      let header = try header(of: name)
      head = header.sealedHead
      created = header.seal?.created ?? EntityCounts.none
      sealed = head == nil ? nil : name
    }
    if head == nil { (head, sealed) = try oldHead(segments, rewrites) }
    let book = try header(of: segments[0]).book
    var tally = HeadTally(head ?? Head(book: book), created)
    _ = try readBlocks(from: tally.head.position.next) { header, block throws(JournalError) in
      try tally.add(block, header)
      return true
    }
    if tally.at == nil, let sealed {
      try readBlocks(of: sealed) { header, block throws(JournalError) in
        try tally.note(block, header)
        return true
      }
    }
    return (tally.finished, tally.at)
  }

  /// The head at the end of the sealed segments, all of which have format 1.
  private func oldHead(
    _ segments: [SegmentName], _ rewrites: () throws(JournalError) -> Rewrites
  ) throws(JournalError) -> (head: Head?, last: SegmentName?) {
    var found: (head: Head?, last: SegmentName?) = (nil, nil)
    var known: Rewrites?
    for name in segments {
      let header = try header(of: name)
      guard let seal = header.seal else { break }
      if known == nil { known = try rewrites() }
      let entries = known?.origin(of: seal.entries) ?? seal.entries
      let before = found.head ?? Head(book: header.book)
      found = (before.advanced(to: seal.last, entries, format: 1), name)
    }
    return found
  }
}

/// Advances a head over blocks.
private struct HeadTally {
  /// The head before the current segment.
  private(set) var head: Head
  /// When the last entry was recorded.
  private(set) var at: Int64?
  private var segment: (header: SegmentHeader, digest: EntriesDigest, last: Position)?
  private var scanner: (schemaText: String, scanner: EntryScanner)?

  /// How many entities were created before the current segment.
  private var created: EntityCounts

  init(_ head: Head, _ created: EntityCounts) {
    self.head = head
    self.created = created
  }

  /// Adds the next block.
  mutating func add(_ block: borrowing Block, _ header: SegmentHeader) throws(JournalError) {
    if segment?.header.first != header.first {
      head = finished
      created = segment?.digest.created ?? created
      segment = (header, EntriesDigest(of: header, after: created), head.position)
    }
    let personal = try note(block, header)
    segment?.digest.update(block.count, in: block.bytes, from: block.first, personal)
    segment?.last = block.first.advanced(by: block.count - 1)
  }

  /// Notes the times of a block.
  @discardableResult
  mutating func note(
    _ block: borrowing Block, _ header: SegmentHeader
  ) throws(JournalError) -> PersonalEntries {
    var times = EntryTimes(after: at ?? .min)
    var personal = PersonalEntries()
    do throws(AvroError) {
      let scanner = try scanner(for: header)
      try times.scan(over: block.count, in: block.bytes, scanner, noting: &personal)
    } catch {
      throw block.corruption("its entries cannot be read (\(error))")
    }
    at = times.last
    return personal
  }

  private mutating func scanner(for header: SegmentHeader) throws(AvroError) -> EntryScanner {
    if let scanner, scanner.schemaText == header.schemaText { return scanner.scanner }
    let new = try EntryScanner(schemaText: header.schemaText)
    scanner = (header.schemaText, new)
    return new
  }

  /// The head after all blocks so far.
  var finished: Head {
    guard let segment, segment.last > head.position else { return head }
    return head.advanced(to: segment.last, segment.digest.value, format: segment.header.format)
  }
}
