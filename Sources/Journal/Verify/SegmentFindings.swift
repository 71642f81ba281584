import Avro

/// The findings of a survey of one segment's file.
struct SegmentFindings {
  /// How many entries are before the first gap, between gaps, and after the last one.
  private(set) var runs = [0]
  private(set) var gaps: [SegmentSurvey.Gap] = []
  /// The offsets of blocks with an entry earlier than the one before it.
  private(set) var disorders: [Int] = []
  /// `at` of the last entry.
  private(set) var latest: Int64
  /// The end of the last complete block.
  private(set) var wholeByteCount: Int
  /// The digest of all entries before any gap.
  private var digest: EntriesDigest
  /// The first block with an entry later than the requested time.
  private(set) var cut: Cut?
  /// How many entries come before any damage, and their digest.
  private(set) var sound: (count: Int, entries: Digest)
  /// The digests of the entries up to the requested positions, if there is no damage before these.
  private(set) var probed: [Position: Digest] = [:]

  /// A block that a time falls into or before.
  struct Cut {
    /// The position of the block's first entry.
    var first: Position
    /// Whether even the block's first entry is later than the time.
    var isWhole: Bool
    /// The position of the first entry that is later than the time.
    var end: Position
  }

  var entryCount: Int { runs.reduce(0, +) }

  /// The digest of all entries, if there is no gap.
  private(set) var entries = Digest.none
  /// How many entities of each kind were created up to the segment's end, if there is no gap.
  var created: EntityCounts { digest.created }

  /// The entries that were erased, according to the segment.
  var erased: [ErasedEntry] { digest.erased }

  /// Why the entries have no public forms; nil when they have.
  var flaw: String? {
    var digest = digest
    if gaps.isEmpty { digest.end() }
    return digest.flaw
  }

  /// Surveys a segment.
  ///
  /// - Parameters:
  ///   - reader: A reader at the segment's start.
  ///   - scanner: Scans its entries.
  ///   - latest: `at` of the last entry before the segment.
  ///   - created: How many entities were created before it, where that is known.
  ///   - probes: The positions up to which digests are wanted.
  ///   - end: The time for which ``cut`` is wanted.
  ///   - progress: Receives the survey's offset in the file.
  /// - Throws: ``JournalError/storage(_:)``; never for damage.
  init(
    of reader: consuming SegmentReader, _ scanner: EntryScanner, after latest: Int64,
    _ created: EntityCounts? = nil, probes: Set<Position> = [], until end: Int64 = .max,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    digest = EntriesDigest(of: reader.header, after: created)
    wholeByteCount = reader.wholeByteCount
    sound = (0, digest.value)
    self.latest = latest
    var survey = SegmentSurvey(reader, scanner, after: latest)
    var isSound = true
    while let piece = try survey.next() {
      switch piece {
      case .gap(let gap):
        if isSound { sound = (entryCount, digest.value) }
        isSound = false
        gaps.append(gap)
        runs.append(0)
      case .block(let count, let byteCount):
        if survey.isDisordered {
          if isSound { sound = (entryCount, digest.value) }
          isSound = false
          disorders.append(survey.reader.blockOffset)
        }
        let block = survey.reader.block(count: count, byteCount: byteCount)
        let positions = block.first...block.first.advanced(by: count - 1)
        for probe in probes where isSound && positions.contains(probe) {
          let wanted = Int(probe.number - block.first.number) + 1
          probed[probe] = try Self.digest(digest, over: wanted, of: block, survey.personal, scanner)
        }
        if cut == nil, survey.latest > end {
          let count = try Self.count(of: block, until: end, scanner)
          cut = Cut(
            first: block.first, isWhole: survey.earliest > end,
            end: block.first.advanced(by: count))
        }
        // The positions after a gap are unknown.
        if gaps.isEmpty {
          digest.update(count, in: block.bytes, from: block.first, survey.personal)
        }
        runs[runs.count - 1] += count
        wholeByteCount = survey.reader.wholeByteCount
        progress(wholeByteCount)
      }
    }
    self.latest = survey.latest
    entries = digest.value
    if isSound { sound = (entryCount, entries) }
  }

  /// Removes and returns the gaps at the end with no complete block after them: the torn tail, if
  /// this is the active segment.
  mutating func takeTornTail() -> (offset: Int, byteCount: Int)? {
    guard let begin = gaps.firstIndex(where: { !$0.isFollowed }), let last = gaps.last else {
      return nil
    }
    let offset = gaps[begin].offset
    gaps.removeSubrange(begin...)
    runs.removeSubrange((begin + 1)...)
    if gaps.isEmpty && disorders.isEmpty { sound = (entryCount, entries) }
    return (offset, last.offset + last.byteCount - offset)
  }

  /// How many entries of a complete block were recorded until a time.
  private static func count(
    of block: borrowing Block, until end: Int64, _ scanner: EntryScanner
  ) throws(JournalError) -> Int {
    var reader = BinaryReader(block.bytes)
    var count = 0
    try withCodec { () throws(AvroError) in
      while count < block.count, try scanner.scan(over: &reader) <= end { count += 1 }
    }
    return count
  }

  /// The digest after the first entries of a complete block.
  private static func digest(
    _ before: EntriesDigest, over count: Int, of block: borrowing Block,
    _ personal: PersonalEntries, _ scanner: EntryScanner
  ) throws(JournalError) -> Digest {
    var digest = before
    var reader = BinaryReader(block.bytes)
    try withCodec { () throws(AvroError) in
      for _ in 0..<count { _ = try scanner.scan(over: &reader) }
    }
    digest.update(
      count, in: block.bytes.extracting(first: reader.offset), from: block.first, personal)
    return digest.value
  }
}
