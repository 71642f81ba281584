import Avro

/// Goes through the entries of a segment one by one, using the segment's own schema.
struct EntryCursor: ~Copyable {
  private(set) var reader: SegmentReader
  private let scanner: ValueScanner
  /// The bytes of the current block.
  private(set) var bytes: [UInt8] = []
  /// How many entries of the block remain.
  private var left = 0
  private var offset = 0
  /// The block's offset in the file.
  private var blockOffset = 0

  init(_ reader: consuming SegmentReader, _ scanner: ValueScanner) {
    self.reader = reader
    self.scanner = scanner
  }

  /// The position of the entry that ``next()`` last returned.
  var position: Position { Position(reader.next.number - 1 - Int64(left)) }

  /// The range of the next entry in ``bytes``; nil after the last one.
  ///
  /// - Throws: ``JournalError/corrupt(_:)``, also for a torn tail: a cursor is for closed segments.
  mutating func next() throws(JournalError) -> Range<Int>? {
    if left == 0 {
      guard try readBlock() else { return nil }
    }
    var entry = BinaryReader(bytes.span.bytes.extracting(droppingFirst: offset))
    do throws(AvroError) {
      try scanner.scan(over: &entry)
      if left == 1, !entry.isAtEnd { throw .trailingBytes }
    } catch {
      throw corruption("its entries cannot be read (\(error))")
    }
    let range = offset..<offset + entry.offset
    offset = range.upperBound
    left -= 1
    return range
  }

  private mutating func readBlock() throws(JournalError) -> Bool {
    blockOffset = reader.wholeByteCount
    switch try reader.step() {
    case .end: return false
    case .damage(let reason): throw corruption(reason)
    case .block(let count, let byteCount):
      let block = reader.block(count: count, byteCount: byteCount)
      bytes = block.bytes.withUnsafeBytes { [UInt8]($0) }
      left = count
      offset = 0
      return true
    }
  }

  /// Damage in the current block.
  func corruption(_ reason: String) -> JournalError {
    .corrupt(
      .init(
        file: reader.path, offset: blockOffset,
        after: Position(reader.next.number - 1 - Int64(left)),
        reason: reason))
  }
}

/// The scanners of the schemas in a journal's segments, of which there are few.
struct ScannerCache: Sendable {
  private var scanners: [String: ValueScanner] = [:]
  /// The scanner asked for last, which is nearly always the next one, too. A segment's own text
  /// compares equal to itself without being read, whereas a lookup by text would read all of it.
  private var last: (text: String, scanner: ValueScanner)?

  /// A cursor over a segment's entries.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` when the segment's schema cannot be read.
  mutating func cursor(
    over name: SegmentName, in journal: Journal, at path: String? = nil
  ) throws(JournalError) -> EntryCursor {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    let reader = try SegmentReader(name: name, of: journal, at: path, decompressor: decompressor)
    let scanner = try scanner(of: reader)
    return EntryCursor(reader, scanner)
  }

  /// The digest of all entries of a closed segment.
  ///
  /// - Parameters:
  ///   - name: The segment.
  ///   - before: How many entities were created before it; nil to use its seal.
  ///   - journal: Its journal.
  ///   - path: The file's path; nil for the segment's usual one.
  /// - Returns: Its header, its last entry, and the digest.
  /// - Throws: ``JournalError``; ``JournalError/corrupt(_:)`` also when the entries have no public
  ///   forms.
  mutating func digest(
    ofClosed name: SegmentName, after before: EntityCounts? = nil, in journal: Journal,
    at path: String? = nil
  ) throws(JournalError) -> (header: SegmentHeader, last: Position, entries: EntriesDigest) {
    let decompressor = try withCodec { () throws(AvroError) in try ZstandardDecompressor() }
    var reader = try SegmentReader(name: name, of: journal, at: path, decompressor: decompressor)
    let scanner = try scanner(of: reader)
    var digest = EntriesDigest(of: reader.header, after: before)
    while case .block(let count, let byteCount) = try reader.stepOfClosed() {
      try digest.update(with: reader.block(count: count, byteCount: byteCount), scanner)
    }
    digest.end()
    if let flaw = digest.flaw {
      throw .corrupt(
        .init(
          file: reader.path, offset: 0, after: Position(name.first.number - 1), reason: flaw))
    }
    return (reader.header, Position(reader.next.number - 1), digest)
  }

  /// The scanner of a segment's entries.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` when the segment's schema cannot be read.
  mutating func scanner(of reader: borrowing SegmentReader) throws(JournalError) -> ValueScanner {
    try scanner(of: reader.header.schemaText, reader.path, reader.name.first)
  }

  /// The scanner of a block's entries.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` when the segment's schema cannot be read.
  mutating func scanner(
    of header: SegmentHeader, _ block: borrowing Block
  ) throws(JournalError) -> ValueScanner {
    try scanner(of: header.schemaText, block.place.file, header.first)
  }

  private mutating func scanner(
    of text: String, _ file: String, _ first: Position
  ) throws(JournalError) -> ValueScanner {
    if let last, last.text == text { return last.scanner }
    do throws(AvroError) {
      let known = scanners[text]
      let scanner = if let known { known } else { try KnownSchemas.find(text).scanner }
      scanners[text] = scanner
      last = (text, scanner)
      return scanner
    } catch {
      throw .corrupt(
        .init(
          file: file, offset: 0, after: Position(first.number - 1),
          reason: "its schema cannot be read (\(error))"))
    }
  }
}

extension SegmentReader {
  /// Steps over the next block of a closed segment, where a torn tail is damage.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` for bytes that form no complete block.
  mutating func stepOfClosed() throws(JournalError) -> Step {
    let step = try step()
    guard case .damage(let reason) = step else { return step }
    throw .corrupt(
      .init(
        file: path, offset: wholeByteCount, after: Position(next.number - 1), reason: reason))
  }
}

extension EntriesDigest {
  /// Hashes the entries of a block.
  ///
  /// - Throws: ``JournalError/corrupt(_:)`` when their number differs from the block's count.
  mutating func update(
    with block: borrowing Block, _ scanner: ValueScanner
  ) throws(JournalError) {
    update(
      block.count, in: block.bytes, from: block.first, try PersonalEntries(of: block, scanner))
  }
}
