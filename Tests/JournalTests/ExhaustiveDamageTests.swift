import Journal
import PropertyTesting
import Testing

/// Every flipped bit and every cut of golden segments: the outcomes are counted, and the counts must follow from the
/// meaning of each byte.
///
/// | what is damaged | active segment | closed segment | sealed segment |
/// |---|---|---|---|
/// | the header | corrupt | corrupt | corrupt |
/// | the size, frame or marker of a block that others follow | corrupt | corrupt | corrupt |
/// | the same of the last block | torn: cut off by the next writer, and kept | corrupt | corrupt |
/// | a block's count | corrupt, once the entries are counted | corrupt | corrupt |
/// | a bit of a frame that zstd does not need | harmless | harmless | harmless; verifying finds it |
/// | the end is missing, from within a block on | torn | corrupt | corrupt |
/// | the end is missing, from a block's end on | nothing to see: it is the book as it was | corrupt | corrupt |
///
/// The file digest of the last sealed segment is not noted anywhere yet; there verifying does not detect harmless
/// changes either.
@Suite(.tags(.damage)) struct ExhaustiveDamageTests {
  /// The entries of `Fixtures/active`: its blocks have counts and sizes of one byte and of two.
  static let active: [Commit] = [
    [Note(at: 1_767_268_800_000, "Ada")],
    (0..<70).map { Note(at: 1_767_268_800_000 + Int64($0 * $0), "note \($0 * 37 % 101)") },
    [Note(at: 1_767_272_400_000, "Read"), Note(at: 1_767_272_400_001)],
    [Note(at: 1_767_272_400_001, "Zoë")],
  ]
  /// The entries of `Fixtures/sealed`: two sealed segments of two blocks each, a closed one of two, and the active
  /// one.
  static let sealed: [Commit] = (0..<10).map {
    [Note(at: 1_767_268_800_000 + Int64($0) * 1000, "note \($0)")]
  }

  @Test func `the golden segments hold what was recorded`() throws {
    let active = try Patient("active")
    #expect(try active.journal.open().commits == Self.active)
    let counts = (0..<4).map { active.layout[.count($0)].count }
    let sizes = (0..<4).map { active.layout[.size($0)].count }
    #expect(counts == [1, 2, 1, 1] && sizes == [1, 2, 1, 1])
    let sealed = try Patient("sealed")
    #expect(try sealed.journal.entries() == Self.sealed.flatMap(\.self))
    #expect(try sealed.journal.segments().count == 4)
    #expect(try sealed.journal.unsealed().count == 2)
  }

  @Test
  func `every flipped bit of an active segment is detected, cut off and kept, or harmless (ES-1)`()
    throws
  {
    let patient = try Patient("active")
    for (part, range) in patient.layout.parts {
      let isLast = part.block == patient.layout.blockCount - 1
      let damaged: Patient.Outcome = isLast ? .torn : .corrupt
      let bits = range.count * 8
      let expected: [Patient.Outcome: Int] =
        switch part {
        // Two bits of the format's digit, 1, make it a greater format than the newest.
        case .header: [.corrupt: bits - 2, .newerFormat: 2]
        // The bits that make the count negative, zero, or of another length.
        case .count: [.miscounted: bits - 3, damaged: 3]
        case .size, .marker: [damaged: bits]
        case .frame: [damaged: bits - patient.unused(part), .harmless: patient.unused(part)]
        }
      #expect(try patient.outcomes(flipping: range) == expected, "\(part)")
    }
  }

  @Test func `every cut of an active segment gives a torn tail or an earlier book (ES-1)`()
    throws
  {
    let patient = try Patient("active")
    let layout = patient.layout
    for byteCount in 0..<layout.bytes.count {
      let expected: Patient.Outcome =
        byteCount < layout.headerByteCount
        ? .corrupt : layout.ends.contains(byteCount) ? .earlier : .torn
      #expect(try patient.outcome(cuttingTo: byteCount) == expected, "\(byteCount) bytes")
    }
  }

  @Test(arguments: 0..<3)
  func `every flipped bit of a closed segment is detected, or harmless (ES-1)`(
    number: Int
  ) throws {
    var patient = try Patient("sealed")
    patient.number = number
    for (part, range) in patient.layout.parts {
      let bits = range.count * 8
      let expected: [Patient.Outcome: Int] =
        switch part {
        case .header: [.corrupt: bits - 2, .newerFormat: 2]
        // A wrong count is detected without decoding, too: by the seal, or by the next segment's name.
        case .count, .size, .marker: [.corrupt: bits]
        case .frame: [.corrupt: bits - patient.unused(part), .harmless: patient.unused(part)]
        }
      #expect(try patient.outcomes(flipping: range) == expected, "\(part)")
    }
  }

  @Test(arguments: 0..<3)
  func `every cut of a closed segment is corruption (ES-1)`(number: Int) throws {
    var patient = try Patient("sealed")
    patient.number = number
    for byteCount in 0..<patient.layout.bytes.count {
      #expect(try patient.outcome(cuttingTo: byteCount) == .corrupt, "\(byteCount) bytes")
      let found = try patient.withCut(to: byteCount) { try patient.journal.verify() }
      #expect(!found.isWhole, "\(byteCount) bytes")
    }
  }

  @Test func `verify detects every flipped bit of a sealed segment with a successor`()
    throws
  {
    var patient = try Patient("sealed")
    let head = try #require(try patient.journal.verify().head)
    for number in 0..<3 {
      patient.number = number
      for (part, range) in try sample(patient.layout.parts, every: 3) {
        var unnoticed = 0
        for bit in range.lowerBound * 8..<range.upperBound * 8 {
          // The header is judged as in reading: one bit of each byte suffices.
          if part == .header, bit % 8 != bit / 8 % 8 { continue }
          let found = try patient.withFlipped(bit) { try patient.journal.verify() }
          guard found.isWhole else { continue }
          unnoticed += 1
          #expect(found.head == head, "bit \(bit)")
        }
        #expect(unnoticed == (number == 0 ? 0 : patient.unused(part)), "\(number) \(part)")
      }
    }
  }

  @Test func `a skipped block is still counted`() throws {
    let patient = try Patient("active")
    var passed = 0
    for block in 0..<patient.layout.blockCount - 1 {
      let range = patient.layout[.count(block)]
      for bit in range.lowerBound * 8..<range.upperBound * 8 {
        let start = patient.first(of: block + 1)
        let (read, followed) = try patient.withFlipped(bit) {
          let read = try failure { _ = try patient.journal.commits(from: start) }
          let followed = try failure {
            var tail = try JournalTail(patient.journal, from: start)
            while try tail.step() {
              try tail.withBlock { _, block throws(JournalError) in _ = try Note.notes(in: block) }
            }
          }
          return (read, followed)
        }
        #expect(read == "corrupt" && followed == "corrupt", "bit \(bit)")
        passed += 1
      }
    }
    #expect(passed == 32)
  }
}

extension Patient {
  fileprivate func outcomes(flipping range: Range<Int>) throws -> [Outcome: Int] {
    var outcomes: [Outcome: Int] = [:]
    for bit in range.lowerBound * 8..<range.upperBound * 8 {
      outcomes[try outcome(flipping: bit), default: 0] += 1
    }
    return outcomes
  }

  /// The number of bits in a part that zstd does not need: only frames have some.
  fileprivate func unused(_ part: SegmentLayout.Part) -> Int {
    guard case .frame = part else { return 0 }
    return SegmentLayout.unusedBitCount(in: Array(layout.bytes[layout[part]]))
  }
}
