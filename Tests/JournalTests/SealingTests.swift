import Avro
import PropertyTesting
import SimulatedStorage
import Testing

@testable import Journal

/// Closed segments are rewritten; their entries stay the same.
@Suite(.tags(.damage), .temporaryDirectory) struct SealingTests {
  static let commits: [Commit] = (1...30).map { number in
    (0..<number % 3 + 1).map { Note(at: Int64(number), "note \(number).\($0)") }
  }

  /// A journal of several segments, the last one open.
  static func journal(
    on disk: Disk = .memory, _ commits: [Commit] = commits, segmentByteCount: Int = 700
  ) throws -> Journal {
    let journal = disk.journal()
    try journal.create(commits, segmentByteCount: segmentByteCount)
    return journal
  }

  /// The same in format 1; or the first entries alone, cut within a commit if need be.
  static func oldJournal(prefix count: Int = .max) throws -> Journal {
    let journal = Disk.memory.journal()
    var left = count
    let groups = stride(from: 0, to: commits.count, by: 5).map { start in
      commits[start..<start + 5].compactMap { commit -> Commit? in
        let taken = Commit(commit.prefix(left))
        left -= taken.count
        return taken.isEmpty ? nil : taken
      }
    }
    try journal.createOld(groups.filter { !$0.isEmpty })
    return journal
  }

  @Test(arguments: Disk.allCases)
  func `a sealed journal has the same entries, and accepts commits (ES-1)`(disk: Disk) throws {
    let journal = try Self.journal(on: disk)
    let names = try journal.segments()
    #expect(names.count > 3)
    let sealed = try journal.seal()
    #expect(sealed == Array(names.dropLast()))
    #expect(try journal.segments() == names)
    #expect(try journal.entries() == Self.commits.flatMap(\.self))
    let (writer, _) = try journal.open(segmentByteCount: 700)
    try writer.append(["after"])
    #expect(try journal.entries() == Self.commits.flatMap(\.self) + ["after"])
  }

  @Test func `sealed segments are chained, each to the head before it`() throws {
    let journal = try Self.journal()
    let names = try journal.seal()
    #expect(try journal.header(of: names[0]).seal?.previous == Head(book: Journal.book).digest)
    for (index, name) in names.enumerated() {
      let header = try journal.header(of: name)
      #expect(header.format == 3 && header.salts?.text.hasPrefix("1:") == true)
      let found = try journal.verify(expecting: header.sealedHead)
      #expect(found.proof == .contained)
      if index > 0 {
        let before = try journal.header(of: names[index - 1]).sealedHead
        #expect(header.seal?.previous == before?.digest)
      }
    }
  }

  @Test func `in format 1 each sealed segment is chained to the file before it`() throws {
    let journal = try Self.oldJournal()
    let names = try journal.seal()
    var previous = Digest.none
    for name in names {
      let seal = try #require(try journal.header(of: name).seal)
      #expect(seal.previous == previous)
      previous = Digest(of: try journal.bytes(of: journal.path(of: name)))
      #expect(try journal.fileDigest(of: name) == previous)
    }
    #expect(try journal.header(of: journal.segments()[names.count]).seal == nil)
  }

  @Test func `a seal states the segment's end and the digests of its entries`() throws {
    let journal = try Self.journal()
    let names = try journal.seal()
    let seal = try #require(try journal.header(of: names[1]).seal)
    let next = try #require(try journal.segments().dropFirst(2).first)
    #expect(seal.last.next == next.first)
    let notes = try journal.entries()[
      Int(names[1].first.number - 1)..<Int(next.first.number - 1)]
    func text(_ parts: Digest...) -> Digest {
      Digest(of: parts.map(\.description).joined().utf8)
    }
    let blind = try #require(SaltSource.fixed.tree(for: names[1].first).blind)
    let none = Digest(of: [])
    let content = text(blind, Digest(of: notes.flatMap(\.encoded)), none)
    // The schema has no kinds, so the map is empty.
    #expect(seal.entries == text(Digest(of: Note.schemaText.utf8), content, none))
  }

  @Test func `blocks are divided between entries, regardless of commits`() throws {
    let journal = try Self.journal(segmentByteCount: 1 << 20)
    let writer = try journal.open().writer
    try writer.closeSegment()
    var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 40, level: 3)
    #expect(try sealer.sealNext() == SegmentName(first: Position(1)))
    var counts: [Int] = []
    try journal.readBlocks { _, block in
      counts.append(block.count)
      return true
    }
    // A note takes 11 to 13 bytes, so four reach 40.
    #expect(counts.dropLast().allSatisfy { $0 == 4 })
    #expect(try journal.entries() == Self.commits.flatMap(\.self))
  }

  @Test func `sealing again does nothing, and sealing a copy makes the same files`() throws {
    let one = try Self.journal()
    let two = try Self.journal()
    let names = try one.seal()
    try two.seal()
    let files = try names.map { try one.bytes(of: one.path(of: $0)) }
    #expect(try one.seal() == [])
    #expect(try names.map { try one.bytes(of: one.path(of: $0)) } == files)
    #expect(try names.map { try two.bytes(of: two.path(of: $0)) } == files)
  }

  @Test func `a sealed segment is never written to, even as the last one`() throws {
    let journal = try Self.journal()
    try journal.seal()
    let last = try #require(try journal.segments().last)
    try journal.storage.remove(journal.path(of: last))
    let kept = try journal.entries()
    #expect(kept.count == Int(last.first.number) - 1)
    // The disk in memory allows nobody to write to a read-only file.
    let writer = try journal.open().writer
    try writer.append(["after"])
    #expect(try journal.segments().last == last)
    #expect(try journal.entries() == kept + ["after"])
  }

  @Test func `a sealed segment without its last blocks is damaged, even as the last one`() throws {
    let journal = try Self.journal(segmentByteCount: 1 << 20)
    do {
      let writer = try journal.open().writer
      try writer.closeSegment()
      var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 40, level: 3)
      try sealer.sealNext()
    }
    let names = try journal.segments()
    let path = journal.path(of: names[0])
    var ends: [Int] = []
    try journal.readBlocks { _, block in
      ends.append(block.place.offset)
      return true
    }
    let bytes = try journal.bytes(of: path)
    try journal.storage.remove(journal.path(of: names[1]))
    for end in ends {
      try journal.storage.remove(path)
      try journal.overwrite(path, with: Array(bytes[..<end]))
      #expect(try failure { _ = try journal.entries() } == "corrupt", "\(end)")
      #expect(try failure { _ = try journal.open() } == "corrupt", "\(end)")
    }
  }

  @Test func `a reader with the old file open can continue`() throws {
    let journal = try Self.journal(on: .file)
    var read: [Note] = []
    var isSealed = false
    try journal.readBlocks { _, block throws(JournalError) in
      if !isSealed {
        isSealed = true
        try journal.seal()
      }
      read += try Note.notes(in: block)
      return true
    }
    #expect(read == Self.commits.flatMap(\.self))
  }

  @Test(arguments: DiskFault.allCases)
  func `a disk failure while sealing loses nothing, and sealing can be repeated`(
    fault: DiskFault
  ) throws {
    var call = 0
    let step = try scaledStep(5)
    while true {
      let storage = SimulatedStorage()
      let journal = Journal(directory: "book", storage: storage)
      try journal.create(Self.commits, segmentByteCount: 700)
      let before = storage.calls
      storage.plan(fault, after: call)
      let failed = (try? journal.seal()) == nil
      let calls = storage.calls - before
      storage.heal()
      #expect(try journal.entries() == Self.commits.flatMap(\.self), "call \(call)")
      try journal.seal()
      #expect(try journal.entries() == Self.commits.flatMap(\.self), "call \(call)")
      #expect(try journal.unsealed().count == 1)
      #expect(try storage.names(in: "book/journal")?.allSatisfy { $0.hasSuffix(".avro") } == true)
      if storage.hits.isEmpty { #expect(!failed) }
      if call >= calls { break }
      call += step
    }
    #expect(call > 20)
  }

  @Test func `a damaged closed segment is not sealed`() throws {
    let journal = try Self.journal()
    let path = journal.path(of: try journal.segments()[1])
    var bytes = try journal.bytes(of: path)
    bytes[bytes.count - 40] ^= 1
    try journal.overwrite(path, with: bytes)
    #expect(try failure { try journal.seal() } == "corrupt")
    #expect(try journal.bytes(of: path) == bytes)
    #expect(try journal.unsealed().count == journal.segments().count - 1)
  }

  @Test func `histories of any shape are sealed step by step (ES-1)`() {
    let histories = Generator.zip(
      ModelTests.commits.array(count: 0...20), Generator<Int>.integer(in: 1...900),
      Generator<Int>.integer(in: 1...200))
    let report = check("sealed bit by bit", histories, cases: 20) { commits, segment, block in
      let journal = Disk.memory.journal()
      try journal.create()
      var model: [Note] = []
      for commit in commits {
        let writer = try journal.open(segmentByteCount: segment).writer
        try writer.append(commit)
        model += commit
        var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: block, level: 3)
        try sealer.sealNext()
        try expectEqual(try journal.entries(), model)
      }
      try journal.seal()
      try expectEqual(try journal.entries(), model)
      try expectEqual(try journal.unsealed().count, 1)
    }
    #expect(report.passed, "\(report)")
  }
}

extension Journal {
  /// Seals all closed segments, as the holder of the lock.
  @discardableResult
  func seal() throws(JournalError) -> [SegmentName] {
    var sealer = SegmentSealer(self, lock: try JournalWriter.takeLock(of: self))
    var sealed: [SegmentName] = []
    while let next = try sealer.sealNext() { sealed.append(next) }
    return sealed
  }

  func unsealed() throws(JournalError) -> [SegmentName] {
    var unsealed: [SegmentName] = []
    for name in try segments() where try header(of: name).seal == nil { unsealed.append(name) }
    return unsealed
  }

  /// The entries of all commits.
  func entries() throws(JournalError) -> [Note] { try commits().flatMap(\.self) }
}
