import Journal
import Testing

/// The bytes of format 1. They are never made anew: a difference is a change of the format.
@Suite struct GoldenTests {
  static let commits: [Commit] = [
    [Note(at: 1_767_268_800_000, "Ada")],
    [Note(at: 1_767_268_800_000, "Read"), Note(at: 1_767_272_400_000)],
    [Note(at: 1_767_272_400_001, "Zoë")],
  ]
  static let names = ["00000000000000000001.avro", "00000000000000000004.avro"]

  /// The fixtures' directory as a book of its own.
  private func fixtures() throws -> [(name: String, bytes: [UInt8])] {
    let directory =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Fixtures"
    let journal = Journal(directory: directory)
    return try Self.names.map { ($0, try journal.bytes(of: "\(directory)/\($0)")) }
  }

  @Test func `segments are written today as they were when the format was fixed`() throws {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create(Self.commits, segmentByteCount: 350)
    #expect(try journal.storage.names(in: "book/journal") == Self.names)
    for (name, bytes) in try fixtures() {
      #expect(try journal.bytes(of: "book/journal/\(name)") == bytes, "\(name)")
    }
  }

  @Test func `segments of format 1 are read`() throws {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.storage.createDirectory("book/journal")
    for (name, bytes) in try fixtures() {
      try journal.overwrite("book/journal/\(name)", with: bytes)
    }
    #expect(try journal.open().commits == Self.commits)
  }
}
