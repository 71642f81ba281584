import Avro
import Journal
import Testing

/// Every flipped bit and every length of a golden active segment: what becomes of it is counted, and the
/// counts are those that follow from what each byte is.
///
/// | what is damaged | what comes of it |
/// |---|---|
/// | the header | corrupt |
/// | a block that others follow | corrupt |
/// | the last block's size, frame or marker | a torn tail: cut off by the next writer, and kept beside |
/// | a block's count, to another one | corrupt, for whoever reads the entries counts them |
/// | a block's count, to none | as its size |
/// | a bit of a frame that zstd does not need | nothing: the frame holds the same bytes |
/// | the end is missing, from within a block on | a torn tail |
/// | the end is missing, from the end of a block on | nothing to see: it is the book as it was then |
@Suite struct ExhaustiveDamageTests {
  @Test func `the golden active segment says what was recorded`() throws {
    let patient = try Patient()
    #expect(try patient.journal.open().commits == Patient.commits)
    #expect(patient.layout.blockCount == 4)
    let counts = (0..<4).map { patient.layout[.count($0)].count }
    let sizes = (0..<4).map { patient.layout[.size($0)].count }
    #expect(counts == [1, 2, 1, 1] && sizes == [1, 2, 1, 1])
  }

  @Test func `every flipped bit is found, or harmless, and no whole block is cut away (ES-1)`()
    throws
  {
    let patient = try Patient()
    func unused(_ frame: Range<Int>) -> Int {
      SegmentLayout.unusedBitCount(in: Array(patient.layout.bytes[frame]))
    }
    for (part, range) in patient.layout.parts {
      var outcomes: [Patient.Outcome: Int] = [:]
      for bit in range.lowerBound * 8..<range.upperBound * 8 {
        outcomes[try patient.outcome(flipping: bit), default: 0] += 1
      }
      let bits = range.count * 8
      let damaged: Patient.Outcome = part.block == patient.layout.blockCount - 1 ? .torn : .corrupt
      let expected: [Patient.Outcome: Int] =
        switch part {
        // Three of the bits of the format, the digit 1, make it a greater one.
        case .header: [.corrupt: bits - 3, .newerFormat: 3]
        // The count's sign, its only set bit or else the next byte's place, and its end.
        case .count: [.miscounted: bits - 3, damaged: 3]
        case .size, .marker: [damaged: bits]
        case .frame: [damaged: bits - unused(range), .harmless: unused(range)]
        }
      #expect(outcomes == expected, "\(part)")
    }
  }

  @Test func `every length is a torn tail, or the book as it was, or has no header (ES-1)`() throws
  {
    let patient = try Patient()
    let layout = patient.layout
    var outcomes: [Patient.Outcome: Int] = [:]
    for byteCount in 0..<layout.bytes.count {
      let outcome = try patient.outcome(cuttingTo: byteCount)
      outcomes[outcome, default: 0] += 1
      let expected: Patient.Outcome =
        byteCount < layout.headerByteCount
        ? .corrupt : layout.ends.contains(byteCount) ? .earlier : .torn
      #expect(outcome == expected, "\(byteCount) bytes")
    }
    #expect(outcomes[.corrupt] == layout.headerByteCount)
    #expect(outcomes[.earlier] == layout.blockCount)
  }

  @Test func `a block that is passed over is counted all the same`() throws {
    let patient = try Patient()
    var passed = 0
    for block in 0..<patient.layout.blockCount - 1 {
      let range = patient.layout[.count(block)]
      let after = Position(Int64(Patient.commits[...block].joined().count) + 1)
      for bit in range.lowerBound * 8..<range.upperBound * 8 {
        let found = try patient.withFlipped(bit) {
          try failure { _ = try patient.journal.commits(from: after) }
        }
        #expect(found == "corrupt", "bit \(bit)")
        passed += 1
      }
    }
    #expect(passed == 32)
  }
}

/// A book whose one segment is the golden one, to be damaged and made whole again.
struct Patient {
  /// The entries of `Fixtures/active`, the last segment of a book that is being written to. Counts and sizes
  /// of one byte and of two are among its blocks.
  static let commits: [Commit] = [
    [Note(at: 1_767_268_800_000, "Ada")],
    (0..<70).map { Note(at: 1_767_268_800_000 + Int64($0 * $0), "note \($0 * 37 % 101)") },
    [Note(at: 1_767_272_400_000, "Read"), Note(at: 1_767_272_400_001)],
    [Note(at: 1_767_272_400_001, "Zoë")],
  ]

  /// What comes of damage.
  enum Outcome: Hashable {
    /// The same entries are read.
    case harmless
    /// The entries before the end that is missing are read, as if no others had ever been there.
    case earlier
    /// The last block is reported as torn; the next writer cuts it off, and keeps its bytes.
    case torn
    /// The reading fails and says where; nothing is written to the book.
    case corrupt
    /// As `corrupt`, but only when the entries are decoded: the block itself looks whole.
    case miscounted
    /// As `corrupt`, and taken for a newer Daybook's.
    case newerFormat
    /// Anything else, none of which may be.
    case wrong
  }

  let layout: SegmentLayout
  let journal = Journal(directory: "book", storage: MemoryStorage())
  private let file: any StorageFile

  init() throws {
    let fixtures = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let disk = Journal(directory: fixtures)
    layout = try SegmentLayout(
      disk.bytes(of: "\(fixtures)/Fixtures/active/00000000000000000001.avro"))
    try journal.storage.createDirectory("book/journal")
    file = try journal.storage.open(journal.path(of: 1), .create)
    try file.write(layout.bytes, at: 0)
  }

  /// What comes of one bit's being another.
  func outcome(flipping bit: Int) throws -> Outcome {
    let block = layout.parts.first { $0.range.contains(bit / 8) }?.part.block
    return try withFlipped(bit) { try outcome(in: block, layout.blockCount) }
  }

  func withFlipped<Result>(_ bit: Int, _ body: () throws -> Result) throws -> Result {
    try file.write([layout.bytes[bit / 8] ^ 1 << UInt8(bit % 8)], at: bit / 8)
    defer { try? file.write([layout.bytes[bit / 8]], at: bit / 8) }
    return try body()
  }

  /// What comes of the end's being missing.
  func outcome(cuttingTo byteCount: Int) throws -> Outcome {
    try file.truncate(to: byteCount)
    defer { try? file.write(layout.bytes, at: 0) }
    let whole = layout.wholeBlockCount(in: byteCount)
    return try outcome(in: byteCount < layout.headerByteCount ? nil : whole, whole)
  }

  /// What comes of damage in a block, or without one in the header, when so many blocks could still be whole.
  private func outcome(in block: Int?, _ count: Int) throws -> Outcome {
    let damaged = try journal.bytes(of: journal.path(of: 1))
    do throws(JournalError) {
      let (commits, end) = try journal.read()
      if let torn = end.torn {
        guard let block, commits == Array(Self.commits[..<block]),
          torn.offset == layout.start(of: block), torn.offset + torn.byteCount == damaged.count
        else { return .wrong }
        return try cut(torn, of: damaged) ? .torn : .wrong
      }
      guard commits == Array(Self.commits[..<count]) else { return .wrong }
      return count == Self.commits.count ? .harmless : .earlier
    } catch {
      guard try failure({ _ = try journal.open() }) == error.name,
        try journal.bytes(of: journal.path(of: 1)) == damaged
      else { return .wrong }
      switch error {
      case .newerFormat where block == nil: return .newerFormat
      case .corrupt(let corruption):
        guard corruption.offset == block.map(layout.start) ?? 0,
          corruption.after.number == Int64(Self.commits[..<(block ?? 0)].joined().count)
        else { return .wrong }
        return (try? journal.readBlocks { _, _ in true }) == nil ? .corrupt : .miscounted
      default: return .wrong
      }
    }
  }

  /// Whether a writer cuts off nothing but the torn tail, and keeps it; the segment is whole again after.
  private func cut(_ torn: TornTail, of damaged: [UInt8]) throws(JournalError) -> Bool {
    do {
      let kept = "\(journal.path(of: 1)).torn-\(torn.offset)"
      let recovered = try journal.open().writer.recovered
      let isRight =
        try recovered == torn && journal.bytes(of: kept) == Array(damaged[torn.offset...])
        && journal.bytes(of: journal.path(of: 1)) == Array(layout.bytes[..<torn.offset])
      try journal.storage.remove(kept)
      try file.write(damaged[torn.offset...].map(\.self), at: torn.offset)
      return isRight
    } catch let error as JournalError {
      throw error
    } catch {
      return false
    }
  }
}
