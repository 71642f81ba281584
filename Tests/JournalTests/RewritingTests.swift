import Avro
import SimulatedStorage
import Testing

@testable import Journal

/// Sealed segments of format 1 get other entries at the same positions, and the originals are on record.
@Suite(.tags(.damage)) struct RewritingTests {
  /// Blanks the notes that contain a text.
  static func blank(_ text: String) -> (Position, ArraySlice<UInt8>) throws(JournalError) -> [UInt8]
  {
    { _, bytes in
      let bytes = Array(bytes)
      var reader = BinaryReader(bytes.span.bytes)
      guard var note = try? Note(from: &reader), note.text.contains(text) else { return bytes }
      note.text = ""
      var writer = BinaryWriter()
      note.write(to: &writer)
      return writer.bytes
    }
  }

  @Test func `entries are replaced at their positions, with the digests before and after`()
    throws
  {
    let journal = try SealingTests.oldJournal()
    let names = try journal.seal()
    let files = try names.map { try journal.fileDigest(of: $0) }
    let seals = try names.map { try #require(try journal.header(of: $0).seal) }
    var rewriter = SegmentRewriter(journal, lock: try JournalWriter.takeLock(of: journal))
    let rewriting = try #require(try rewriter.prepare(names[1], Self.blank("note")))
    #expect(try journal.entries() == SealingTests.commits.flatMap(\.self))
    #expect(try rewriter.pending().map(\.file) == [rewriting.fileAfter])
    try rewriter.finish(names[1])
    #expect(try rewriter.pending().isEmpty)
    let header = try journal.header(of: names[1])
    #expect(rewriting.fileBefore == files[1])
    #expect(try journal.fileDigest(of: names[1]) == rewriting.fileAfter)
    #expect(rewriting.entriesBefore == seals[1].entries)
    #expect(header.seal?.entries == rewriting.entriesAfter)
    #expect(header.seal?.previous == seals[1].previous)
    #expect(header.seal?.last == seals[1].last)
    let range = names[1].first.number - 1..<seals[1].last.number
    for (index, note) in try journal.entries().enumerated() {
      let before = SealingTests.commits.flatMap(\.self)[index]
      #expect(note.at == before.at)
      #expect(note.text == (range.contains(Int64(index)) ? "" : before.text))
    }
    #expect(
      try names.enumerated().allSatisfy { index, name in
        try index == 1 || journal.fileDigest(of: name) == files[index]
      })
  }

  @Test func `a segment without changes is left alone`() throws {
    let journal = try SealingTests.oldJournal()
    let names = try journal.seal()
    var rewriter = SegmentRewriter(journal, lock: try JournalWriter.takeLock(of: journal))
    #expect(try rewriter.prepare(names[0], Self.blank("nowhere")) == nil)
    let active = try #require(try journal.segments().last)
    #expect(try rewriter.prepare(active, Self.blank("note")) == nil)
    #expect(try rewriter.pending().isEmpty)
  }

  @Test(arguments: DiskFault.allCases)
  func `a disk failure leaves the old entries or the new ones`(fault: DiskFault) throws {
    var call = 0
    while true {
      let storage = SimulatedStorage()
      let journal = Journal(directory: "book", storage: storage)
      try journal.createOld(
        stride(from: 0, to: 30, by: 5).map { start in
          Array(SealingTests.commits[start..<start + 5])
        })
      let name = try journal.seal()[1]
      let old = try journal.bytes(of: journal.path(of: name))
      let before = storage.calls
      storage.plan(fault, after: call)
      func rewrite(_ journal: Journal) throws {
        var rewriter = SegmentRewriter(journal, lock: try JournalWriter.takeLock(of: journal))
        if try rewriter.prepare(name, Self.blank("note")) != nil { try rewriter.finish(name) }
      }
      try? rewrite(journal)
      let calls = storage.calls - before
      storage.heal()
      let isOld = try journal.bytes(of: journal.path(of: name)) == old
      #expect(try isOld == (journal.entries() == SealingTests.commits.flatMap(\.self)))
      try rewrite(journal)
      #expect(try journal.bytes(of: journal.path(of: name)) != old, "call \(call)")
      call += 1
      if call > calls { break }
    }
    #expect(call > 10)
  }
}
