import Avro

/// What a survey of one segment's file came to.
struct SegmentFindings {
  /// How many entries stand before the first gap, between gaps, and after the last one.
  private(set) var runs = [0]
  private(set) var gaps: [SegmentSurvey.Gap] = []
  /// Where blocks begin that hold an entry earlier than the one before it.
  private(set) var disorders: [Int] = []
  /// `at` of the last entry.
  private(set) var latest: Int64
  /// Where the last whole block ends.
  private(set) var wholeByteCount: Int
  /// The digest of all entries that were found.
  private(set) var entries: Digest
  /// The first block that holds an entry later than the time that was asked for.
  private(set) var cut: Cut?
  /// How many entries stand before anything is wrong, and their digest.
  private(set) var sound: (count: Int, entries: Digest)
  /// The digest of the entries up to the position that was asked for, if nothing is wrong before it.
  private(set) var probed: Digest?

  /// A block, by its place, that a time falls into or before.
  struct Cut {
    /// The position of the block's first entry.
    var first: Position
    /// Whether the block's first entry is later than the time, too.
    var isWhole: Bool
  }

  var entryCount: Int { runs.reduce(0, +) }

  /// Surveys a segment.
  ///
  /// - Parameters:
  ///   - reader: At the segment's front.
  ///   - scanner: Passes over its entries.
  ///   - latest: `at` of the last entry before the segment.
  ///   - probe: The position up to which a digest is wanted.
  ///   - end: The time for which ``cut`` is wanted.
  ///   - progress: Is told how far in the file the survey is.
  /// - Throws: ``JournalError/storage(_:)``; never for damage.
  init(
    of reader: consuming SegmentReader, _ scanner: EntryScanner, after latest: Int64,
    probe: Position? = nil, until end: Int64 = .max, progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    let first = reader.name.first
    var digest = EntriesDigest(schemaText: reader.header.schemaText)
    wholeByteCount = reader.wholeByteCount
    entries = digest.value
    sound = (0, entries)
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
        if let probe, isSound {
          let wanted = Int(probe.number - first.number) + 1 - entryCount
          if (1...count).contains(wanted) {
            probed = try Self.digest(digest, over: wanted, of: block, scanner)
          }
        }
        if cut == nil, survey.latest > end {
          cut = Cut(first: block.first, isWhole: survey.earliest > end)
        }
        digest.update(block.bytes)
        runs[runs.count - 1] += count
        wholeByteCount = survey.reader.wholeByteCount
        progress(wholeByteCount)
      }
    }
    self.latest = survey.latest
    entries = digest.value
    if isSound { sound = (entryCount, entries) }
  }

  /// Takes away the gaps at the end that no whole block follows: what a crash left of a commit, if this is
  /// the segment that is written to.
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

  /// The digest after the first entries of a block that was found whole.
  private static func digest(
    _ before: EntriesDigest, over count: Int, of block: borrowing Block, _ scanner: EntryScanner
  ) throws(JournalError) -> Digest {
    var digest = before
    var reader = BinaryReader(block.bytes)
    try withCodec { () throws(AvroError) in
      for _ in 0..<count { _ = try scanner.pass(over: &reader) }
    }
    digest.update(block.bytes.extracting(first: reader.offset))
    return digest.value
  }
}
