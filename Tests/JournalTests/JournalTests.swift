import Avro
import Journal
import Testing

@Suite(.tags(.unit), .temporaryDirectory) struct JournalTests {
  static let commits: [Commit] = [["a"], ["b", "c", "d"], ["e"], ["f", "g"]]

  @Test(arguments: Disk.allCases)
  func `commits are read whole and in order, now and after reopening`(disk: Disk) throws {
    let journal = disk.journal()
    do {
      try journal.create()
      #expect(try journal.commits() == [])
      let writer = try journal.open().writer
      #expect(writer.head == .start)
      #expect(try Self.commits.map { try writer.append($0).number } == [1, 2, 5, 6])
      #expect(writer.head == Position(7))
      #expect(try journal.commits() == Self.commits)
    }
    let (writer, commits) = try journal.open()
    #expect(commits == Self.commits)
    #expect(writer.head == Position(7))
    #expect(writer.recovered == nil)
    #expect(try writer.append(["h"]) == Position(8))
    let end = try journal.read().end
    #expect(end.head == Position(8))
    #expect(end.book == Journal.book)
    #expect(end.torn == nil)
  }

  @Test(arguments: Disk.allCases, [1, 482])
  func `a full segment is followed by one named for its first position`(
    disk: Disk, segmentByteCount: Int
  ) throws {
    let journal = disk.journal()
    try journal.create(Self.commits, segmentByteCount: segmentByteCount)
    let expected: [Int64] = segmentByteCount == 1 ? [1, 2, 5, 6] : [1, 5]
    #expect(try journal.segments().map(\.first.number) == expected)
    #expect(
      try journal.storage.names(in: journal.directory + "/journal")
        == expected.map { "0000000000000000000\($0).avro" })
    #expect(try journal.commits() == Self.commits)
    for segment in try journal.segments() {
      let header = try journal.header(of: segment)
      #expect(header.book == Journal.book)
      #expect(header.first == segment.first)
      #expect(header.schemaText == Note.schemaText)
    }
  }

  @Test(arguments: Disk.allCases, [1, 402, 10_000])
  func `reading from a position begins with the commit that contains it`(
    disk: Disk, segmentByteCount: Int
  ) throws {
    let journal = disk.journal()
    try journal.create(Self.commits, segmentByteCount: segmentByteCount)
    let first = [0, 0, 1, 1, 1, 2, 3, 3, 4, 4]
    for (start, index) in first.enumerated() {
      #expect(try journal.commits(from: Position(Int64(start))) == Array(Self.commits[index...]))
    }
  }

  @Test(arguments: Disk.allCases)
  func `another schema starts a new segment`(disk: Disk) throws {
    let journal = disk.journal()
    try journal.create([["a"], ["b"]])
    let other = Note.schemaText.replacing("Note", with: "Line")
    try journal.open(schemaText: other).writer.append(["c"])
    try journal.open(schemaText: other).writer.append(["d"])
    #expect(try journal.segments().map(\.first.number) == [1, 3])
    #expect(try journal.header(of: SegmentName(first: Position(3))).schemaText == other)
    #expect(try journal.commits() == [["a"], ["b"], ["c"], ["d"]])
  }

  @Test(arguments: Disk.allCases)
  func `an empty segment of another schema is replaced`(disk: Disk) throws {
    let journal = disk.journal()
    try journal.create()
    let other = Note.schemaText.replacing("Note", with: "Line")
    try journal.open(schemaText: other).writer.append(["a"])
    #expect(try journal.segments().map(\.first.number) == [1])
    #expect(try journal.commits() == [["a"]])
  }

  @Test(arguments: Disk.allCases)
  func `a stopped reading gives nothing more`(disk: Disk) throws {
    let journal = disk.journal()
    try journal.create(Self.commits)
    var count = 0
    let end = try journal.readBlocks { _, _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
    #expect(end.head == Position(4))
  }

  @Test(arguments: Disk.allCases)
  func `a missing book and a directory that is not a book give different errors`(disk: Disk) throws
  {
    let journal = disk.journal()
    #expect(try !journal.exists())
    #expect(try failure { _ = try journal.commits() } == "noBook")
    try journal.storage.createDirectory(journal.directory)
    #expect(try failure { _ = try journal.commits() } == "notABook")
    try journal.storage.createDirectory(journal.directory + "/journal")
    try journal.overwrite(journal.directory + "/journal/notes.txt", with: [1])
    #expect(try failure { _ = try journal.commits() } == "notABook")
    #expect(try !journal.exists())
    try journal.create()
    #expect(try journal.exists())
    #expect(try failure { try journal.create() } == "alreadyABook")
  }

  @Test(arguments: Disk.allCases)
  func `a commit that no reader could read is refused and does no harm`(disk: Disk) throws {
    let journal = disk.journal()
    let writer = try journal.create([["a"]])
    let entries = [UInt8](repeating: 0, count: 128 << 20 + 1)
    #expect(try failure { try writer.append(count: 1, entries: entries) } == "commitTooLarge")
    try writer.append(["b"])
    #expect(try journal.commits() == [["a"], ["b"]])
  }

  @Test(
    arguments: [
      ("00000000000000000001.avro", 1), ("09223372036854775807.avro", .max),
      ("00000000000000000000.avro", nil), ("99999999999999999999.avro", nil),
      ("0000000000000000001.avro", nil), ("00000000000000000001.avro.new", nil),
      ("00000000000000000001.index", nil), ("+0000000000000000001.avro", nil), ("", nil),
    ] as [(String, Int64?)])
  func `a segment's name is its first position in twenty digits`(name: String, first: Int64?) {
    #expect(SegmentName(fileName: name)?.first.number == first)
    if let first { #expect(SegmentName(first: Position(first)).fileName == name) }
  }

  @Test func `a position is never below zero`() {
    #expect(Position(-3) == .start)
    #expect(Position.start.next == Position(1))
    #expect(Position(2) < Position(3))
  }
}
