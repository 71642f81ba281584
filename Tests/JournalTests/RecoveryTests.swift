import Journal
import PropertyTesting
import SimulatedStorage
import Testing

/// Damage to a book of one segment, byte by byte and bit by bit.
@Suite(.tags(.damage)) struct RecoveryTests {
  static let commits: [Commit] = [["one"], ["two", "three"], ["four"]]

  /// The golden segment: its bytes, the end of its header, and the end of each block.
  struct Segment {
    let bytes: [UInt8]
    let ends: [Int]

    init() throws {
      let journal = Journal(directory: "book", storage: MemoryStorage())
      let writer = try journal.create([])
      var ends = [try journal.bytes(of: journal.path(of: 1)).count]
      for commit in RecoveryTests.commits {
        try writer.append(commit)
        ends.append(try journal.bytes(of: journal.path(of: 1)).count)
      }
      bytes = try journal.bytes(of: journal.path(of: 1))
      self.ends = ends
    }

    /// The number of blocks that end at or before a byte.
    func wholeBlocks(before offset: Int) -> Int { ends.lastIndex { $0 <= offset } ?? 0 }
  }

  /// A book whose only segment has these bytes.
  static func book(
    _ bytes: [UInt8], on storage: any Storage = MemoryStorage()
  ) throws -> Journal {
    let journal = Journal(directory: "book", storage: storage)
    try journal.storage.createDirectory("book/journal")
    try journal.overwrite(journal.path(of: 1), with: bytes)
    return journal
  }

  /// Opens a damaged book and expects that everything except the first `count` commits is cut off and saved.
  static func expectCut(
    _ journal: Journal, to count: Int, of segment: Segment, _ comment: Comment,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try journal.bytes(of: journal.path(of: 1))
    let end = segment.ends[count]
    #expect(try journal.commits() == Array(commits[..<count]), comment, sourceLocation: location)
    do {
      let (writer, read) = try journal.open()
      #expect(read == Array(commits[..<count]), comment, sourceLocation: location)
      let torn = before.count > end ? before.count - end : nil
      #expect(writer.recovered?.byteCount == torn, comment, sourceLocation: location)
      #expect(
        writer.recovered?.offset == torn.map { _ in end }, comment, sourceLocation: location)
      if torn != nil {
        let kept = try journal.bytes(of: "\(journal.path(of: 1)).torn-\(end)")
        #expect(kept == Array(before[end...]), comment, sourceLocation: location)
      }
      #expect(
        try journal.bytes(of: journal.path(of: 1)) == Array(segment.bytes[..<end]), comment,
        sourceLocation: location)
      try writer.append(["more"])
    }
    // After one recovery there is nothing more to recover.
    let (writer, read) = try journal.open()
    #expect(writer.recovered == nil, comment, sourceLocation: location)
    #expect(read == Array(commits[..<count]) + [["more"]], comment, sourceLocation: location)
  }

  @Test func `a torn tail is cut back to the last whole commit (ES-1)`() throws {
    let segment = try Segment()
    for count in segment.ends[0]...segment.bytes.count {
      let journal = try Self.book(Array(segment.bytes[..<count]))
      try Self.expectCut(
        journal, to: segment.wholeBlocks(before: count), of: segment, "\(count) bytes")
    }
  }

  @Test func `a segment with a partial header is corrupt and left unchanged`() throws {
    let segment = try Segment()
    for count in 0..<segment.ends[0] {
      let bytes = Array(segment.bytes[..<count])
      let journal = try Self.book(bytes)
      #expect(try failure { _ = try journal.open() } == "corrupt", "\(count) bytes")
      #expect(try journal.bytes(of: journal.path(of: 1)) == bytes)
    }
  }

  @Test
  func `a flipped bit is corruption, or a torn tail in the last commit, and never a wrong entry`()
    throws
  {
    let segment = try Segment()
    var outcomes: [String: Int] = [:]
    for bit in try sample(0..<segment.bytes.count * 8, every: 3) {
      var bytes = segment.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let journal = try Self.book(bytes)
      let isInLast = bit / 8 >= segment.ends[2]
      do {
        let (commits, end) = try journal.read()
        if end.torn == nil {
          outcomes["harmless", default: 0] += 1
          #expect(commits == Self.commits, "bit \(bit)")
          #expect(bit / 8 >= segment.ends[0], "a header's bit \(bit)")
        } else {
          outcomes["torn", default: 0] += 1
          #expect(isInLast, "bit \(bit)")
          try Self.expectCut(journal, to: 2, of: segment, "bit \(bit)")
        }
      } catch let error as JournalError {
        outcomes[error.name, default: 0] += 1
        #expect(try failure { _ = try journal.open() } == error.name, "bit \(bit)")
        #expect(try journal.bytes(of: journal.path(of: 1)) == bytes, "bit \(bit)")
        if case .corrupt(let corruption) = error, bit / 8 >= segment.ends[0], corruption.offset > 0
        {
          #expect(corruption.offset == segment.ends[segment.wholeBlocks(before: bit / 8)])
        }
      }
    }
    #expect(Set(outcomes.keys).isSubset(of: ["harmless", "torn", "corrupt", "newerFormat"]))
    #expect(outcomes["torn", default: 0] > 80)
    #expect(outcomes["harmless", default: 0] <= 2 * Self.commits.count, "\(outcomes)")
  }

  @Test(
    arguments: [
      [0], [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0, count: 4096),
      [UInt8](repeating: 0xFF, count: 100), Array("Obj\u{1} and more".utf8),
      [0x28, 0xB5, 0x2F, 0xFD],
      [0x02, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F],
    ] as [[UInt8]])
  func `garbage after the last commit is cut off and saved`(garbage: [UInt8]) throws {
    let segment = try Segment()
    try Self.expectCut(try Self.book(segment.bytes + garbage), to: 3, of: segment, "\(garbage)")
  }

  @Test func `a last commit that lost its first byte alone is a torn tail`() throws {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    let writer = try journal.create([["a"]])
    let block = try journal.bytes(of: journal.path(of: 1)).count
    // A count above 63 takes two bytes, so that the block looks whole from its second byte on.
    try writer.append([Note](repeating: "b", count: 150))
    var bytes = try journal.bytes(of: journal.path(of: 1))
    #expect(bytes[block...].starts(with: [0xAC, 0x02]))
    bytes[block] = 0
    let damaged = try Self.book(bytes)
    let opened = try damaged.open()
    #expect(opened.commits == [["a"]])
    #expect(opened.writer.recovered?.offset == block)
  }

  @Test func `a damaged commit before a whole one is never cut, at any distance`() throws {
    let segment = try Segment()
    for garbage in [5, 31, 4096] {
      var bytes = segment.bytes
      bytes.insert(contentsOf: [UInt8](repeating: 0, count: garbage), at: segment.ends[2])
      let journal = try Self.book(bytes)
      let error = try #require(throws: JournalError.self) { try journal.open() }
      guard case .corrupt(let corruption) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(corruption.offset == segment.ends[2])
      #expect(corruption.after == Position(3))
      #expect(corruption.file == journal.path(of: 1))
    }
  }

  /// The disk with a file cut to its first bytes, or with zeros instead of the rest.
  private func cut(_ disk: SimulatedDisk, to count: Int, isZeroed: Bool) throws -> SimulatedDisk {
    let storage = SimulatedStorage(disk)
    let path = Journal(directory: "book", storage: storage).path(of: 1)
    let file = try storage.open(path, .readWrite)
    let byteCount = try file.byteCount()
    try file.truncate(to: count)
    if isZeroed { try file.truncate(to: byteCount) }
    return storage.disk
  }

  @Test func `a reader that meets a half-written commit sees a prefix, not damage`() throws {
    let segment = try Segment()
    let whole = SimulatedStorage()
    _ = try Self.book(segment.bytes, on: whole)
    for visible in segment.ends[0]...segment.bytes.count {
      for isZeroed in [false, true] {
        let early = try cut(whole.disk, to: visible, isZeroed: isZeroed)
        // The rest exists from some call of the reader's on.
        for call in 1...8 {
          let storage = SimulatedStorage(early, .init(scenes: [call: whole.disk]))
          let (commits, end) = try Journal(directory: "book", storage: storage).read()
          #expect(commits == Array(Self.commits.prefix(commits.count)))
          #expect(commits.count >= segment.wholeBlocks(before: visible))
          #expect(end.head.number == Int64(commits.joined().count))
        }
      }
    }
  }
}
