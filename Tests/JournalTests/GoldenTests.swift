import Testing

@testable import Journal

/// The bytes of formats 1 to 3. They are never made again: a difference is a change of the format.
@Suite(.tags(.unit)) struct GoldenTests {
  static let commits: [Commit] = [
    [Note(at: 1_767_268_800_000, "Ada")],
    [Note(at: 1_767_268_800_000, "Read"), Note(at: 1_767_272_400_000)],
    [Note(at: 1_767_272_400_001, "Zoë")],
  ]
  static let names = ["00000000000000000001.avro", "00000000000000000004.avro"]

  /// The heads of the fixtures, by format.
  static let heads = [
    1: "4:dc10255f12ff1dddf5666bdaba157cfbef275b4c90c85c80f321eed5f8e6ea73",
    2: "4:9b31b28a3c32189dd2d0811494f38dc1bb0af3ebb4374c232b615775e1803437",
    3: "4:675197780e2889cd06919b88bb75a67af84473aeee77c3b7a5a61af4bf46e866",
  ]

  /// The files of a format's fixtures.
  private func fixtures(_ format: Int) throws -> [(name: String, bytes: [UInt8])] {
    let directory =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + (format == 1 ? "/Fixtures" : "/Fixtures/format-\(format)")
    let journal = Journal(directory: directory)
    return try Self.names.map { ($0, try journal.bytes(of: "\(directory)/\($0)")) }
  }

  /// The segments of a format's fixtures, sealed, in a journal of their own.
  private func journal(_ format: Int) throws -> Journal {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.storage.createDirectory("book/journal")
    for (name, bytes) in try fixtures(format) {
      try journal.overwrite("book/journal/\(name)", with: bytes)
    }
    return journal
  }

  @Test func `segments are written with the same bytes as when the format was fixed`() throws {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create(Self.commits, segmentByteCount: 520)
    #expect(try journal.storage.names(in: "book/journal") == Self.names)
    for (name, bytes) in try fixtures(3) {
      #expect(try journal.bytes(of: "book/journal/\(name)") == bytes, "\(name)")
    }
  }

  @Test(arguments: [1, 2, 3])
  func `segments of every format are read and verified, and keep their heads`(format: Int) throws {
    let journal = try journal(format)
    #expect(try journal.entries() == Self.commits.flatMap(\.self))
    let found = try journal.verify()
    #expect(found.isWhole)
    #expect(found.head?.description == Self.heads[format])
    #expect(found.oldSegments.count == (format == 1 ? 2 : 0))
    // Appended commits have today's format, and change no head before them.
    try journal.open().writer.append([Note(at: 1_767_272_400_002, "after")])
    let last = try #require(try journal.segments().last)
    #expect(last.first == Position(format < 3 ? 5 : 4))
    #expect(try journal.header(of: last).format == 3)
    try journal.open().writer.closeSegment()
    try journal.seal()
    let sealed = try journal.verify(expecting: found.head)
    #expect(sealed.isWhole && sealed.proof == .contained && sealed.sealedCount >= 2)
    #expect(try journal.entries().count == 5)
  }
}
