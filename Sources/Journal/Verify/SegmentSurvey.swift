import Avro

/// Goes over one segment's file from start to end, and past damage.
///
/// Every block is fully checked: its frame, its checksum, each entry by the segment's own schema,
/// and the times of the entries. Bytes that form no complete block are a gap; the survey continues
/// at the next complete block.
struct SegmentSurvey: ~Copyable {
  private(set) var reader: SegmentReader
  private let scanner: EntryScanner
  /// `at` of the last entry so far, or of the last one before the segment.
  private(set) var latest: Int64
  /// `at` of the first entry of the current block.
  private(set) var earliest: Int64 = .min
  /// Whether an entry of the current block is earlier than the one before it.
  private(set) var isDisordered = false
  /// The entries of the current block with personal data; only from format 2 on.
  private(set) var personal = PersonalEntries()
  private var isFinished = false
  /// Whether there was a gap, and whether one of them does not claim a number of entries.
  private var hasGap = false
  private var hasSilentGap = false

  /// The next piece of the file.
  enum Piece {
    /// A complete block; the reader has its entries.
    case block(count: Int, byteCount: Int)
    case gap(Gap)
  }

  /// Bytes that form no complete block.
  struct Gap {
    /// The offset in the file.
    var offset: Int
    var byteCount: Int
    /// How many entries they claim to hold, where that can be read.
    var claimed: Int?
    /// Whether there is a complete frame in them or anywhere after them. If not, they may be a torn
    /// tail.
    var isFollowed: Bool
    /// What is wrong with them.
    var reason: String
  }

  /// Surveys a segment.
  ///
  /// - Parameters:
  ///   - reader: A reader at the segment's start.
  ///   - scanner: Scans entries of the segment's schema.
  ///   - latest: `at` of the last entry before the segment.
  init(_ reader: consuming SegmentReader, _ scanner: EntryScanner, after latest: Int64) {
    self.reader = reader
    self.scanner = scanner
    self.latest = latest
  }

  /// The next piece; nil after the last one.
  ///
  /// - Throws: ``JournalError/storage(_:)``; never for damage.
  mutating func next() throws(JournalError) -> Piece? {
    if isFinished { return nil }
    switch try reader.step() {
    case .end: return nil
    case .block(let count, let byteCount): return examined(count, byteCount)
    case .damage(let reason):
      if try isExplained() { return nil }
      // As in `Journal.readBlocks`, it may be a commit that was being written and is complete by
      // now. The search for later blocks comes first: if any was complete then, everything before
      // it must be complete now.
      let framed = try reader.framedBlock()
      let following = try begin(among: try reader.nextWholeBlock())
      if reader.header.seal == nil {
        reader.refresh()
        switch try reader.step() {
        case .end: return nil
        case .block(let count, let byteCount): return examined(count, byteCount)
        case .damage: break
        }
      }
      return .gap(noted(try skip(framed, following, reason)))
    }
  }

  /// Whether the gaps before the file's end explain its missing entries.
  private func isExplained() throws(JournalError) -> Bool {
    guard hasGap, let seal = reader.header.seal,
      try reader.wholeByteCount >= reader.fileByteCount()
    else { return false }
    return hasSilentGap || reader.next > seal.last
  }

  private mutating func noted(_ gap: Gap) -> Gap {
    hasGap = true
    if gap.claimed == nil { hasSilentGap = true }
    return gap
  }

  /// The offset of the next complete block: among the possible ones, the one with the right count.
  private mutating func begin(among starts: [Int]) throws(JournalError) -> Int? {
    let (offset, position) = (reader.wholeByteCount, reader.next)
    defer { reader.seek(to: offset, position) }
    for start in starts {
      reader.seek(to: start, position)
      guard case .block(let count, let byteCount) = try reader.step() else { continue }
      var times = EntryTimes(after: latest)
      let bytes = reader.block(count: count, byteCount: byteCount).bytes
      if (try? times.scan(over: count, in: bytes, scanner)) != nil { return start }
    }
    return starts.last
  }

  /// Skips a damaged block to its claimed end, if that is credible.
  private mutating func skip(
    _ framed: (count: Int, end: Int)?, _ following: Int?, _ reason: String
  ) throws(JournalError) -> Gap {
    let offset = reader.wholeByteCount
    let byteCount = try reader.fileByteCount()
    var end = max(offset, following ?? byteCount)
    var claimed: Int?
    if let framed, framed.end <= end { (claimed, end) = framed }
    if end >= byteCount { isFinished = true }
    reader.seek(to: end, reader.next.advanced(by: claimed ?? 0))
    return Gap(
      offset: offset, byteCount: end - offset, claimed: claimed, isFollowed: following != nil,
      reason: reason)
  }

  private mutating func examined(_ count: Int, _ byteCount: Int) -> Piece {
    do throws(AvroError) {
      try examine(count, byteCount)
      return .block(count: count, byteCount: byteCount)
    } catch {
      // The checksum is right, so the count may well be what is wrong.
      return .gap(
        noted(
          Gap(
            offset: reader.blockOffset, byteCount: reader.wholeByteCount - reader.blockOffset,
            claimed: nil, isFollowed: true, reason: "a block's entries cannot be read (\(error))")))
    }
  }

  private mutating func examine(_ count: Int, _ byteCount: Int) throws(AvroError) {
    var times = EntryTimes(after: latest)
    let bytes = reader.block(count: count, byteCount: byteCount).bytes
    if reader.header.format == 1 {
      try times.scan(over: count, in: bytes, scanner)
    } else {
      personal.removeAll()
      try times.scan(over: count, in: bytes, scanner, noting: &personal)
    }
    earliest = times.first ?? latest
    isDisordered = times.isDisordered
    latest = times.last
  }
}

/// Scans entries of one schema. Each begins with its time, `at`, which is a long.
struct EntryScanner: Sendable {
  private let scanner: ValueScanner

  /// - Throws: ``AvroError/invalidSchema(_:)`` when entries of the schema do not begin so.
  init(schemaText: String) throws(AvroError) {
    let known = try KnownSchemas.find(schemaText)
    guard case .record(let record) = known.schema,
      case .primitive(.long, _)? = record.fields.first?.schema
    else { throw .invalidSchema("an entry is a record that begins with a long, its time") }
    scanner = known.scanner
  }

  /// Scans one entry and notes its personal data; returns its `at`.
  @_lifetime(reader: copy reader)
  func scan(
    over reader: inout BinaryReader, noting personal: inout PersonalEntries
  ) throws(AvroError) -> Int64 {
    var head = reader
    try personal.scan(over: &reader, scanner)
    return try head.takeLong()
  }

  /// Scans one entry; returns its `at`.
  @_lifetime(reader: copy reader)
  func scan(over reader: inout BinaryReader) throws(AvroError) -> Int64 {
    var head = reader
    try scanner.scan(over: &reader)
    return try head.takeLong()
  }
}

/// The times of a block's entries, collected while scanning.
struct EntryTimes {
  private(set) var first: Int64?
  private(set) var last: Int64
  private(set) var isDisordered = false

  init(after last: Int64) { self.last = last }

  /// Scans exactly `count` entries.
  mutating func scan(
    over count: Int, in bytes: RawSpan, _ scanner: EntryScanner
  ) throws(AvroError) {
    var reader = BinaryReader(bytes)
    for _ in 0..<count { note(try scanner.scan(over: &reader)) }
    guard reader.isAtEnd else { throw .trailingBytes }
  }

  /// Scans exactly `count` entries and notes their personal data.
  mutating func scan(
    over count: Int, in bytes: RawSpan, _ scanner: EntryScanner,
    noting personal: inout PersonalEntries
  ) throws(AvroError) {
    var reader = BinaryReader(bytes)
    for _ in 0..<count { note(try scanner.scan(over: &reader, noting: &personal)) }
    guard reader.isAtEnd else { throw .trailingBytes }
  }

  mutating func note(_ at: Int64) {
    if at < last { isDisordered = true }
    first = first ?? at
    last = max(last, at)
  }
}
