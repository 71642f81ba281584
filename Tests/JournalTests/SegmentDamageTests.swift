import Avro
import Journal
import Testing

/// Damage to a book of several segments.
@Suite(.tags(.damage)) struct SegmentDamageTests {
  static let commits: [Commit] = [["one"], ["two", "three"], ["four"]]

  private func book() throws -> Journal {
    let journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create(Self.commits, segmentByteCount: 1)
    return journal
  }

  /// Expects that the book is refused as corrupt, for reading to the end and for writing.
  private func expectCorrupt(
    _ journal: Journal, _ comment: Comment, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(
      try failure { _ = try journal.commits() } == "corrupt", comment, sourceLocation: location)
    #expect(try failure { _ = try journal.open() } == "corrupt", comment, sourceLocation: location)
  }

  @Test func `damage in a segment before the last is corruption, never a cut`() throws {
    let bytes = try book().bytes(of: book().path(of: 2))
    for count in 0..<bytes.count {
      let journal = try book()
      try journal.overwrite(journal.path(of: 2), with: Array(bytes[..<count]))
      try expectCorrupt(journal, "cut to \(count) bytes")
    }
    for index in bytes.indices {
      let journal = try book()
      var damaged = bytes
      damaged[index] ^= 0xFF
      try journal.overwrite(journal.path(of: 2), with: damaged)
      try expectCorrupt(journal, "byte \(index)")
    }
    let journal = try book()
    try journal.overwrite(journal.path(of: 2), with: bytes + [0])
    try expectCorrupt(journal, "a byte more")
  }

  @Test(arguments: ["avro.schema", "daybook.book", "daybook.format", "daybook.salts"])
  func `a header with a repeated key is corrupt for every reader`(key: String) throws {
    let journal = try book()
    let path = journal.path(of: 2)
    let bytes = try journal.bytes(of: path)
    var reader = BinaryReader(bytes.span.bytes)
    var container = try ContainerHeader(from: &reader)
    let rest = bytes[reader.offset...]
    container.metadata.append(.init(key, "another value"))
    try journal.overwrite(path, with: container.encoded + rest)
    try expectCorrupt(journal, "\(key)")
    #expect(try journal.verify().damages.map(\.file) == [path])
    #expect(try journal.verify().damages[0].reason.contains("\"\(key)\" twice"))
  }

  @Test(arguments: [1, 2] as [Int64])
  func `a missing segment before the last is corruption`(first: Int64) throws {
    let journal = try book()
    try journal.storage.remove(journal.path(of: first))
    try expectCorrupt(journal, "segment \(first)")
    #expect(try journal.commits(from: Position(4)) == [["four"]])
  }

  @Test func `a segment under another's name is corruption`() throws {
    let journal = try book()
    try journal.overwrite(journal.path(of: 4), with: journal.bytes(of: journal.path(of: 2)))
    try expectCorrupt(journal, "renamed")
  }

  @Test func `a segment of another book is corruption`() throws {
    let journal = try book()
    let other = Journal(directory: "other", storage: MemoryStorage())
    try other.create(book: "another book", schemaText: Note.schemaText)
    let writer = try other.open(segmentByteCount: 1).writer
    for commit in Self.commits { try writer.append(commit) }
    try journal.overwrite(journal.path(of: 2), with: other.bytes(of: other.path(of: 2)))
    try expectCorrupt(journal, "foreign")
  }

  @Test func `a segment of a newer format is refused as such`() throws {
    let journal = try book()
    var bytes = try journal.bytes(of: journal.path(of: 4))
    let key = Array("daybook.format".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: key) })
    #expect(bytes[start + key.count + 1] == UInt8(ascii: "3"))
    bytes[start + key.count + 1] = UInt8(ascii: "4")
    try journal.overwrite(journal.path(of: 4), with: bytes)
    #expect(try failure { _ = try journal.commits() } == "newerFormat")
    #expect(try failure { _ = try journal.open() } == "newerFormat")
  }
}
