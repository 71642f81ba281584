import Avro
import struct Crypto.SHA256
import PropertyTesting
import Testing

@testable import Journal

/// A verification of whole journals, and of heads noted earlier.
@Suite(.tags(.damage), .temporaryDirectory) struct VerifyTests {
  /// Commits whose times never decrease.
  static let histories = Generator { source in
    var at: Int64 = 1_767_268_800_000
    var commits: [Commit] = []
    for commit in try source.draw(ModelTests.commits.array(count: 0...12)) {
      at += Int64(try source.draw(Generator<Int>.integer(in: 0...1000)))
      commits.append(commit.map { Note(at: at, $0.text) })
    }
    return commits
  }

  /// The head at a position, by the wording of Docs/Format.md alone.
  static func head(
    at position: Int64, of segments: [(first: Int64, notes: [Note])]
  ) -> String {
    func hex(_ bytes: some Sequence<UInt8>) -> String {
      SHA256.hash(data: Array(bytes)).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
    var head = "0:" + hex(Journal.book.utf8)
    for (first, notes) in segments where first <= position && !notes.isEmpty {
      let notes = notes.prefix(Int(position - first + 1))
      // A note has no personal fields, so there are no commitments; and it is about nothing, so there are no kinds.
      let blind = hex(SaltSource.fixed.root(Position(first)) + [2])
      let content = hex((blind + hex(notes.flatMap(\.encoded)) + hex([])).utf8)
      let last = first + Int64(notes.count) - 1
      let entries = hex((hex(Note.schemaText.utf8) + content + hex([])).utf8)
      head = "\(last):" + hex("daybook 3 \(head) \(last):\(entries)".utf8)
    }
    return head
  }

  @Test
  func `a whole journal verifies, sealed or not, and contains each of its heads (ES-1)`() {
    let worlds = Generator.zip(
      Self.histories, Generator<Int>.element(of: [1, 350, 500, 1 << 20]),
      Generator<Int>.integer(in: 0...12))
    let report = check("whole journals", worlds, cases: 20) { commits, size, sealedCount in
      let journal = Disk.memory.journal()
      try journal.create(commits, segmentByteCount: size)
      let notes = commits.flatMap(\.self)
      let firsts = try journal.segments().map(\.first.number)
      let segments = firsts.enumerated().map { index, first in
        let next = index + 1 < firsts.count ? firsts[index + 1] : Int64(notes.count) + 1
        return (first, Array(notes[Int(first - 1)..<Int(next - 1)]))
      }
      var sealer = SegmentSealer(journal, lock: try JournalWriter.takeLock(of: journal))
      for _ in 0..<sealedCount { try sealer.sealNext() }
      let found = try journal.verify()
      try expectEqual(found.damages, [])
      try expectEqual(found.entryCount, Int64(notes.count))
      try expectEqual(found.segmentCount, firsts.count)
      try expectEqual(found.sealedCount, min(sealedCount, firsts.count - 1))
      try expectEqual(found.book, Journal.book)
      try expectEqual(
        found.head?.description, Self.head(at: Int64(notes.count), of: segments))
      for position in 0...Int64(notes.count) {
        let text = Self.head(at: position, of: segments)
        let head = Head(text)
        try expectEqual(head?.description, text)
        try expectEqual(try journal.verify(expecting: head).proof, .contained, text)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a head distinguishes a shorter book from a changed one`() throws {
    let longer = try Self.journal([["a"], ["b"], ["c"]])
    let shorter = try Self.journal([["a"], ["b"]])
    let other = try Self.journal([["a"], ["x"]])
    let head = try #require(try longer.verify().head)
    let early = try #require(try shorter.verify().head)
    #expect(try shorter.verify(expecting: head).proof == .endsBefore(last: Position(2)))
    #expect(try longer.verify(expecting: early).proof == .contained)
    let found = try #require(try other.verify().head)
    #expect(try other.verify(expecting: early).proof == .differs(found: found))
    #expect(
      try other.verify(expecting: early).proof?.description(of: early).contains(
        "up to there its own is \(found.digest)") == true)
    let start = Head(book: Journal.book)
    #expect(try other.verify(expecting: start).proof == .contained)
    #expect(
      try other.verify(expecting: Head(book: "another")).proof == .differs(found: start))
  }

  @Test func `a torn tail is not damage`() throws {
    let journal = try Self.journal([["a"], ["b"]])
    let whole = try journal.verify()
    let bytes = try journal.bytes(of: journal.path(of: 1))
    try journal.overwrite(journal.path(of: 1), with: bytes + bytes.suffix(30).dropLast(3))
    let found = try journal.verify()
    #expect(found.isWhole)
    #expect(found.head == whole.head)
    #expect(
      found.torn
        == TornTail(file: journal.path(of: 1), offset: bytes.count, byteCount: 27))
  }

  @Test(arguments: Disk.allCases)
  func `a verification succeeds while the writer appends, rolls over and seals`(
    disk: Disk
  ) async throws {
    let journal = disk.journal()
    try journal.create()
    let commits = (1...(disk == .file ? 20 : 200)).map { number in
      [Note](repeating: Note(at: Int64(number), "commit \(number)"), count: number % 4 + 1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        var last: Head?
        var count: Int64 = 0
        while count < Int64(commits.joined().count) {
          let found = try journal.verify(expecting: last)
          #expect(found.damages == [])
          #expect(found.entryCount >= count)
          #expect(last == nil || found.proof == .contained)
          (count, last) = (found.entryCount, found.head)
          await Task.yield()
        }
      }
      group.addTask { @concurrent in
        let writer = try journal.open(segmentByteCount: 700).writer
        var sealer = SegmentSealer(journal, lock: writer.lock)
        for (index, commit) in commits.enumerated() {
          try writer.append(commit)
          if index % 5 == 4 {
            while try sealer.sealNext(before: writer.segment) != nil { await Task.yield() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try journal.verify().sealedCount > 1)
  }

  @Test func `segments sealed during a verification are read again`()
    throws
  {
    let journal = try SealingTests.journal()
    let before = try journal.verify()
    let names = try journal.segments()
    // Whenever the verifier opens a file, all closed segments are sealed first, once.
    for call in 0..<40 {
      let journal = try SealingTests.journal()
      let disk = SealingStorage(journal.storage, journal, beforeOpening: call)
      let found = try Journal(directory: journal.directory, storage: disk).verify()
      #expect(found.damages == [], "\(call)")
      #expect(found.head == before.head)
      #expect(found.entryCount == before.entryCount)
      if disk.hasSealed { #expect(found.sealedCount <= names.count - 1) }
    }
  }

  @Test
  func `in format 1 deliberately rewritten entries keep the original heads`()
    throws
  {
    let original = try SealingTests.oldJournal()
    try original.seal()
    let whole = try original.verify()
    let names = try original.segments()
    let (old, new) = try Self.rewrite(original, names[1])
    #expect(try original.verify().damages.map(\.file) == [original.path(of: names[2])])
    #expect(try original.verify(expecting: whole.head).proof != .contained)
    var rewrites = Rewrites()
    rewrites.note(old.entries, became: new.entries)
    rewrites.note(old.file, became: new.file)
    let found = try original.verify(expecting: whole.head, rewrites: rewrites)
    #expect(found.damages == [])
    #expect(found.head == whole.head)
    #expect(found.proof == .contained)
    // Within the rewritten segment a head cannot be computed any more; at its ends it can.
    for position in names[1].first.number..<names[2].first.number {
      let head = try #require(try SealingTests.oldJournal(prefix: Int(position)).verify().head)
      let proof = try original.verify(expecting: head, rewrites: rewrites).proof
      if position == names[2].first.number - 1 {
        #expect(proof == .contained)
      } else if case .unknown = proof {
      } else {
        Issue.record("at \(position): \(String(describing: proof))")
      }
    }
  }

  @Test func `rewrites are followed to their origin, even in a circle`() {
    let digests = (0..<4).map { Digest(of: [UInt8($0)]) }
    var rewrites = Rewrites()
    for (old, new) in zip(digests, digests.dropFirst()) { rewrites.note(old, became: new) }
    #expect(digests.allSatisfy { rewrites.origin(of: $0) == digests[0] })
    rewrites.note(digests[3], became: digests[0])
    _ = rewrites.origin(of: digests[2])
  }

  // MARK: Tools

  static func journal(
    _ commits: [Commit], segmentByteCount: Int = JournalWriter.segmentByteCount
  ) throws -> Journal {
    let journal = Disk.memory.journal()
    try journal.create(commits, segmentByteCount: segmentByteCount)
    return journal
  }

  /// Blanks the notes of a sealed segment of format 1, as an erasure does.
  static func rewrite(
    _ journal: Journal, _ name: SegmentName
  ) throws -> (old: (file: Digest, entries: Digest), new: (file: Digest, entries: Digest)) {
    let header = try journal.header(of: name)
    let seal = try #require(header.seal)
    let path = journal.path(of: name)
    let oldFile = try journal.fileDigest(of: name)
    let notes = try journal.entries()[Int(name.first.number - 1)..<Int(seal.last.number)]
    let bytes = notes.flatMap { Note(at: $0.at, "").encoded }
    var digest = EntriesDigest(schemaText: header.schemaText)
    digest.update(bytes.span.bytes)
    let rewritten = SegmentHeader(
      book: header.book, first: name.first, schemaText: header.schemaText,
      seal: .init(last: seal.last, entries: digest.value, previous: seal.previous))
    let payload = try ZstandardCompressor().compress(bytes)
    try journal.storage.remove(path)
    try journal.overwrite(
      path,
      with: rewritten.container.encoded
        + ContainerBlock.encode(
          count: notes.count, payload: payload, syncMarker: rewritten.marker))
    return (
      (oldFile, seal.entries), (try journal.fileDigest(of: name), digest.value)
    )
  }
}
