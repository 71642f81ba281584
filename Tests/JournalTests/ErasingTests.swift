import Avro
import PropertyTesting
import SimulatedStorage
import Testing

@testable import Journal

/// A segment of format 2 or later after an erasure: everything that is not personal, and every head.
@Suite(.tags(.damage)) struct ErasingTests {
  @Test
  func `any erasure keeps every earlier head proven, and removes nothing else (ES-6)`() {
    let worlds = Generator.zip(
      Generator<Int>.integer(in: 1...40), Generator<Int>.element(of: [1, 700, 900, 1 << 20]),
      Generator<Int>.integer(in: 1...40).array(count: 0...12).array(count: 1...3))
    let report = check("erased", worlds, cases: 5) { count, size, rounds in
      var diaries = try Diaries(count, segmentByteCount: size)
      let heads = try diaries.heads()
      var erased: Set<Position> = []
      for round in rounds {
        let wanted = Set(round.filter { $0 <= count }.map { Position(Int64($0)) })
        erased.formUnion(try diaries.erase(wanted))
        try expectEqual(try diaries.read(), diaries.entries)
        let found = try diaries.journal.verify(expecting: heads)
        try expectEqual(found.damages, [])
        try expectEqual(found.erased, erased.sorted())
        try expectEqual(found.head, heads[count])
        for head in heads { try expectEqual(found.proofs[head], .contained, "\(head)") }
        try Self.checkSalts(of: diaries, erased)
      }
    }
    #expect(report.passed, "\(report)")
  }

  /// No node leads to an erased salt, and each other commitment can still be computed.
  private static func checkSalts(of diaries: Diaries, _ erased: Set<Position>) throws {
    for name in try diaries.journal.segments() {
      let header = try diaries.journal.header(of: name)
      guard let seal = header.seal, var salts = header.salts else { continue }
      for number in name.first.number...seal.last.number {
        let salt = salts.salt(at: Int(number - name.first.number))
        let isErased = erased.contains(Position(number))
        try expect(!isErased || salt == nil, "the salt of \(number) is still there")
        try expect(
          isErased || salt != nil || diaries.entries[Int(number - 1)].isBlank, "\(number)")
      }
    }
  }

  @Test func `an erasure changes only the files of its segments, and reports the changes`()
    throws
  {
    let diaries = try Diaries(12)
    let names = try diaries.journal.segments()
    let files = try names.map { try diaries.journal.fileDigest(of: $0) }
    var rewriter = SegmentRewriter(
      diaries.journal, lock: try JournalWriter.takeLock(of: diaries.journal))
    let position = try #require(diaries.telling(names[1]))
    let rewriting = try #require(try rewriter.prepare(names[1], erasing: [position]))
    #expect(rewriting.fileBefore == files[1] && rewriting.entriesBefore == rewriting.entriesAfter)
    #expect(try rewriter.pending().map(\.file) == [rewriting.fileAfter])
    #expect(try diaries.read() == diaries.entries)
    try rewriter.finish(names[1])
    for (index, name) in names.enumerated() {
      #expect(try (diaries.journal.fileDigest(of: name) == files[index]) == (index != 1))
    }
    #expect(try rewriter.prepare(names[1], erasing: [position]) == nil)
    #expect(try rewriter.prepare(names[names.count - 1], erasing: [names[1].first]) == nil)
  }

  @Test func `an erasure refuses a segment that differs from what was sealed`() throws {
    let diaries = try Diaries(12)
    let name = try diaries.journal.segments()[1]
    try Pen.rewrite(name, of: diaries.journal, sealing: false) { entry, _ in entry.text = "forged" }
    var rewriter = SegmentRewriter(
      diaries.journal, lock: try JournalWriter.takeLock(of: diaries.journal))
    #expect(try failure { _ = try rewriter.prepare(name, erasing: [name.first]) } == "corrupt")
  }

  @Test func `an erased entry must be present, blank and without its salt`() throws {
    let cases: [(String, (inout SaltTree, inout [ErasedEntry], Position) -> Void)] = [
      (
        "which was erased, is not blank",
        { _, erased, at in erased.append(.init(position: at, commitment: .none)) }
      ),
      ("has no salt", { salts, _, _ in salts = .empty }),
      (
        "which was erased, is not there",
        { _, erased, at in erased.append(.init(position: at.advanced(by: 100), commitment: .none)) }
      ),
    ]
    for (reason, change) in cases {
      let diaries = try Diaries(12)
      let name = try diaries.journal.segments()[1]
      try Pen.reheader(name, of: diaries.journal) { salts, erased in
        change(&salts, &erased, name.first)
      }
      let damages = try diaries.journal.verify().damages
      #expect(damages.count == 1 && damages[0].file == diaries.journal.path(of: name), "\(reason)")
      #expect(damages.first?.reason.contains(reason) == true, "\(damages)")
    }
    var diaries = try Diaries(12)
    let name = try diaries.journal.segments()[1]
    _ = try diaries.erase([name.first])
    try Pen.reheader(name, of: diaries.journal) { salts, _ in
      salts = SaltSource.fixed.tree(for: name.first)
    }
    let damages = try diaries.journal.verify().damages
    #expect(
      damages.map(\.reason) == ["the salt of entry \(name.first), which was erased, is still there"]
    )
  }

  @Test func `a blank entry that belongs to no erased account is damage`() throws {
    var diaries = try Diaries(12)
    let names = try diaries.journal.segments()
    let telling = try names[...1].map { try #require(diaries.telling($0)) }
    let erased = try diaries.erase(Set(telling))
    var rewrites = Rewrites()
    rewrites.erased = Set(erased)
    #expect(try diaries.journal.verify(rewrites: rewrites).isWhole)
    rewrites.erased = [erased[0]]
    let found = try diaries.journal.verify(rewrites: rewrites)
    #expect(
      found.damages.map(\.reason) == [
        "entry \(erased[1]) is blank, but belongs to nobody who was erased"
      ])
    #expect(found.head?.position.number == names[1].first.number - 1)
  }

  @Test func `a segment of format 1 after one of format 3 is damage`() throws {
    let journal = try SealingTests.journal()
    let name = try #require(try journal.segments().last)
    let notes = try journal.entries()[Int(name.first.number - 1)...]
    let header = SegmentHeader(book: Journal.book, first: name.first, schemaText: Note.schemaText)
    let payload = try ZstandardCompressor().compress(notes.flatMap(\.encoded))
    try journal.overwrite(
      journal.path(of: name),
      with: header.container.encoded
        + ContainerBlock.encode(count: notes.count, payload: payload, syncMarker: header.marker))
    #expect(
      try journal.verify().damages.map(\.reason) == [
        "it is of format 1, and a segment before it of format 3"
      ])
  }

  @Test func `a restored book keeps its heads and its erasures (ES-4)`()
    throws
  {
    var diaries = try Diaries(24)
    let heads = try diaries.heads()
    let erased = try diaries.erase(Set([2, 3, 9, 14, 15].map { Position($0) }))
    for time in -1...Int64(12) {
      let target = Journal(directory: "then\(time)", storage: diaries.journal.storage)
      let made = try diaries.journal.restore(to: target.directory, until: time)
      let count = diaries.entries.count { $0.at <= time }
      #expect(made.head == heads[count])
      let found = try target.verify(expecting: Array(heads[...count]))
      #expect(found.isWhole, "\(found.damages)")
      #expect(found.proofs.values.allSatisfy { $0 == .contained })
      #expect(found.erased == erased.filter { $0.number <= count })
      // No salt remains for later entries of the original book: continuing starts a new segment.
      let last = try target.header(of: #require(try target.segments().last))
      var salts = try #require(last.salts)
      let next = count + 1 - Int(last.first.number)
      #expect(
        last.seal != nil || salts.salt(at: next) == nil || count == diaries.entries.count)
    }
  }

  @Test(arguments: DiskFault.allCases)
  func `a disk failure leaves a segment unchanged or erased`(fault: DiskFault) throws {
    var call = 0
    var outcomes: Set<Bool> = []
    while true {
      let storage = SimulatedStorage()
      let journal = Journal(directory: "book", storage: storage)
      try journal.create(book: Journal.book, schemaText: Diary.schemaText, salts: .fixed)
      let lock = try JournalWriter.takeLock(of: journal)
      let end = try journal.readBlocks { _, _ in true }
      let writer = try JournalWriter(
        journal, after: end, lock: lock, schemaText: Diary.schemaText, salts: .fixed)
      for number in 0..<6 {
        try writer.append(count: 1, entries: Diary.sample(number).encoded)
      }
      try writer.closeSegment()
      var sealer = SegmentSealer(journal, lock: lock)
      try sealer.sealNext()
      let head = try journal.verify().head
      let before = storage.calls
      storage.plan(fault, after: call)
      var rewriter = SegmentRewriter(journal, lock: lock)
      if (try? rewriter.prepare(.first, erasing: [Position(2)])) != nil {
        try? rewriter.finish(.first)
      }
      let calls = storage.calls - before
      storage.heal()
      let found = try journal.verify(expecting: head)
      #expect(found.isWhole && found.proof == .contained, "call \(call)")
      outcomes.insert(found.erased.isEmpty)
      call += 1
      if call > calls { break }
    }
    #expect(outcomes == [true, false])
  }
}
