import Testing

@testable import Journal

/// Following a journal while it grows, rolls over, is sealed, and is opened by one writer after another.
@Suite(.tags(.unit), .temporaryDirectory, .timeLimit(.minutes(60))) struct TailTests {
  @Test(arguments: Disk.allCases)
  func `tails follow a writer that rolls over, seals and reopens`(
    disk: Disk
  ) async throws {
    let journal = disk.journal()
    try journal.create()
    let commits = (1...32).map { number in
      [Note](repeating: Note(at: Int64(number), "commit \(number)"), count: number % 4 + 1)
    }
    let notes = commits.flatMap(\.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in [0, 20, 70] as [Int64] {
        group.addTask { @concurrent in
          var tail = try JournalTail(journal, from: Position(start))
          let expected = Array(notes.dropFirst(Int(max(0, start - 1))))
          var found: [Note] = []
          while found.count < expected.count {
            guard try tail.step() else {
              await Task.yield()
              continue
            }
            try tail.withBlock { _, block throws(JournalError) in
              let skipped = max(0, start - block.first.number)
              found += try Note.notes(in: block).dropFirst(Int(skipped))
            }
          }
          #expect(found == expected)
        }
      }
      group.addTask { @concurrent in
        for part in 0..<4 {
          let writer = try journal.open(segmentByteCount: 500).writer
          var sealer = SegmentSealer(journal, lock: writer.lock, blockByteCount: 300, level: 1)
          for (index, commit) in commits[(part * 8)..<(part * 8 + 8)].enumerated() {
            if part % 3 == 2 {
              try writer.write(commit)
              if index % 3 == 2 { try writer.publish() }
            } else {
              try writer.append(commit)
            }
            if index % 4 == 3 { try sealer.sealNext(before: writer.segment) }
            await Task.yield()
          }
          try writer.publish()
        }
      }
      try await group.waitForAll()
    }
    #expect(try journal.segments().count > 4)
  }

  @Test func `a tail gives no block beyond the follower's position`() throws {
    let journal = Disk.memory.journal()
    try journal.create([["a"], ["b", "c"], ["d"]])
    var tail = try JournalTail(journal, from: .start)
    func next(_ end: Int64) throws -> Int64? {
      guard try tail.step(until: Position(end)) else { return nil }
      return try tail.withBlock { _, block throws(JournalError) in block.first.number }
    }
    #expect(try next(0) == nil)
    #expect(try next(1) == 1)
    #expect(try next(1) == nil)
    #expect(try next(3) == 2)
    #expect(try next(3) == nil)
    #expect(try next(4) == 4)
    #expect(try next(4) == nil)
    #expect(try next(9) == nil)
  }

  @Test func `a tail waits for a book's first entries, and for a position far ahead`() throws {
    let journal = Disk.memory.journal()
    try journal.create()
    var tail = try JournalTail(journal, from: Position(3))
    #expect(try !tail.step())
    let writer = try journal.open(segmentByteCount: 1).writer
    try writer.append(["a"])
    #expect(try !tail.step())
    try writer.append(["b", "c", "d"])
    #expect(try tail.step())
    let first = try tail.withBlock { _, block throws(JournalError) in block.first }
    #expect(first == Position(2), "the commit that holds it")
  }

  @Test func `a rollback of entries ends the tail with an error`() throws {
    let disk = MemoryStorage()
    let journal = Journal(directory: "book", storage: disk)
    try journal.create([["a"], ["b"]])
    var tail = try JournalTail(journal, from: .start)
    #expect(try tail.step() && tail.step())
    #expect(try !tail.step())
    let file = try disk.open(journal.path(of: 1), .readWrite)
    try file.truncate(to: try file.byteCount() - 5)
    #expect(throws: JournalError.self) { try tail.step() }
    var name = ""
    do { _ = try tail.step() } catch { name = error.name }
    #expect(name == "rolledBack")
  }

  @Test func `bytes read ahead from a torn block are discarded`() throws {
    let journal = Disk.memory.journal()
    try journal.create([["a"]])
    let path = journal.path(of: SegmentName(first: Position(1)))
    // The first byte of a commit of one entry, and nothing after it.
    try journal.overwrite(path, with: try journal.bytes(of: path) + [2])
    var tail = try JournalTail(journal, from: .start)
    #expect(try tail.step())
    let writer = try journal.open().writer
    try writer.append(["b", "c", "d"])
    #expect(try tail.step())
    #expect(try tail.withBlock { _, block throws(JournalError) in block.count } == 3)
  }

  @Test func `damage ends the tail with its place`() throws {
    let disk = MemoryStorage()
    let journal = Journal(directory: "book", storage: disk)
    try journal.create([["a"], ["b"], ["c"]])
    var bytes = try journal.bytes(of: journal.path(of: 1))
    let end = bytes.count
    bytes[end - 60] ^= 0x40
    try journal.overwrite(journal.path(of: 1), with: bytes)
    var tail = try JournalTail(journal, from: .start)
    #expect(try tail.step())
    #expect(try failure { while try tail.step() {} } == "corrupt")
  }

  @Test func `a gap between segments ends the tail`() throws {
    let disk = MemoryStorage()
    let journal = Journal(directory: "book", storage: disk)
    try journal.create([["a"], ["b"], ["c"]], segmentByteCount: 1)
    try disk.remove(journal.path(of: 2))
    var tail = try JournalTail(journal, from: .start)
    #expect(try tail.step())
    #expect(try failure { _ = try tail.step() } == "corrupt")
    try disk.remove(journal.path(of: 1))
    var other = try JournalTail(journal, from: .start)
    #expect(try failure { _ = try other.step() } == "corrupt")
  }
}
