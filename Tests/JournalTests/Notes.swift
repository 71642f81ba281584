import Avro
import Testing

@testable import Journal

/// The entries of the tests' journals.
struct Note: AvroRecord, Hashable, ExpressibleByStringLiteral {
  var at: Int64 = 0
  var text = ""

  init(at: Int64 = 0, _ text: String = "") {
    self.at = at
    self.text = text
  }

  init(stringLiteral text: String) { self.init(text) }

  static let recordName = "Note"
  static var placeholder: Self { Self() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("at", &at)
    try visitor.visit("text", &text)
  }

  static let schemaText = schema.json.encoded

  /// The notes of a block, which must hold exactly its count of them.
  static func notes(in block: borrowing Block) throws(JournalError) -> [Note] {
    do throws(AvroError) {
      var reader = BinaryReader(block.bytes)
      var notes: [Note] = []
      for _ in 0..<block.count { notes.append(try Note(from: &reader)) }
      guard reader.isAtEnd else { throw .trailingBytes }
      return notes
    } catch {
      throw block.corruption("\(error)")
    }
  }
}

extension SaltSource {
  /// Salts that are the same in every run.
  static let fixed = SaltSource { first in
    (0..<32).map { UInt8(truncatingIfNeeded: ($0 + 1) &* 37 &+ Int(first.number) &* 11) }
  }
}

/// The entries of one block, which were appended together.
typealias Commit = [Note]

extension Journal {
  static let book = "9f0c7f3e-5a63-4b8a-9d0c-1d2f6f8f2a11"

  func create() throws(JournalError) {
    try create(book: Self.book, schemaText: Note.schemaText, salts: .fixed)
  }

  /// Makes a journal of format 1, as Daybook once wrote it: a segment for each list of commits.
  func createOld(_ segments: [[Commit]]) throws {
    try storage.createDirectory("\(directory)/journal")
    var next = Position(1)
    for commits in segments {
      let header = SegmentHeader(book: Self.book, first: next, schemaText: Note.schemaText)
      var bytes = header.container.encoded
      for commit in commits {
        let payload = try ZstandardCompressor(level: -1).compress(commit.flatMap(\.encoded))
        bytes += ContainerBlock.encode(
          count: commit.count, payload: payload, syncMarker: header.marker)
      }
      try overwrite(path(of: next.number), with: bytes)
      next = next.advanced(by: commits.joined().count)
    }
  }

  /// Makes a journal with the commits, and returns the writer, still open.
  @discardableResult
  func create(
    _ commits: [Commit], segmentByteCount: Int = JournalWriter.segmentByteCount
  ) throws -> JournalWriter {
    try create()
    let writer = try open(segmentByteCount: segmentByteCount).writer
    for commit in commits { try writer.append(commit) }
    return writer
  }

  /// The commits that end at a position or after it.
  func commits(from start: Position = .start) throws(JournalError) -> [Commit] {
    try read(from: start).commits
  }

  /// Reads the commits as a program would: a block must hold exactly its count of entries.
  func read(
    from start: Position = .start
  ) throws(JournalError) -> (commits: [Commit], end: JournalEnd) {
    var commits: [Commit] = []
    var next: Position?
    let end = try readBlocks(from: start) { header, block throws(JournalError) in
      guard next == nil || next == block.first else {
        throw block.corruption("positions are not contiguous")
      }
      next = block.first.advanced(by: block.count)
      commits.append(try Note.notes(in: block))
      return true
    }
    return (commits, end)
  }

  /// Opens for writing as a book does: lock, read to the end, write.
  func open(
    schemaText: String = Note.schemaText, segmentByteCount: Int = JournalWriter.segmentByteCount
  ) throws(JournalError) -> (writer: JournalWriter, commits: [Commit]) {
    let lock = try JournalWriter.takeLock(of: self)
    let (commits, end) = try read()
    let writer = try JournalWriter(
      self, after: end, lock: lock, schemaText: schemaText, segmentByteCount: segmentByteCount,
      salts: .fixed)
    return (writer, commits)
  }

  /// The path of the segment that begins at a position.
  func path(of first: Int64) -> String {
    "\(directory)/journal/\(SegmentName(first: Position(first)).fileName)"
  }

  func bytes(of path: String) throws -> [UInt8] {
    let file = try storage.open(path, .read)
    var bytes: [UInt8] = []
    try file.read(try file.byteCount(), at: 0, appendingTo: &bytes)
    return bytes
  }

  func overwrite(_ path: String, with bytes: [UInt8]) throws {
    try storage.open(path, .create).write(bytes, at: 0)
  }
}

extension JournalWriter {
  func write(_ commit: Commit) throws(JournalError) {
    var writer = BinaryWriter()
    for note in commit { note.write(to: &writer) }
    try write(count: commit.count, entries: writer.bytes)
  }

  @discardableResult
  func append(_ commit: Commit) throws(JournalError) -> Position {
    var writer = BinaryWriter()
    for note in commit { note.write(to: &writer) }
    return try append(count: commit.count, entries: writer.bytes)
  }
}

/// The name of the journal error that the body throws.
func failure(_ body: () throws -> Void) throws -> String {
  try #require(throws: JournalError.self, performing: body).name
}

extension JournalError {
  var name: String {
    switch self {
    case .storage(let error): "storage \(error.reason)"
    case .noBook: "noBook"
    case .notABook: "notABook"
    case .alreadyABook: "alreadyABook"
    case .unfinished: "unfinished"
    case .notEmpty: "notEmpty"
    case .anotherHistory: "anotherHistory"
    case .newerFormat: "newerFormat"
    case .unknownSchema: "unknownSchema"
    case .corrupt: "corrupt"
    case .locked: "locked"
    case .poisoned: "poisoned"
    case .rolledBack: "rolledBack"
    case .commitTooLarge: "commitTooLarge"
    }
  }
}
