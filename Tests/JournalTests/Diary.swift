import Avro
import Testing

@testable import Journal

/// An entry about a person, with fields of every kind that can be blanked.
struct Diary: AvroRecord, Hashable {
  var at: Int64 = 0
  var text = ""
  var place: String?
  var friends: [String] = []
  var mood: Int32 = 0

  static let recordName = "Diary"
  static var placeholder: Self { Self() }

  mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
    _ visitor: inout V
  ) throws(V.Failure) {
    try visitor.visit("at", &at)
    try visitor.visit("text", &text, [.personal])
    try visitor.visit("mood", &mood)
    try visitor.visit("place", &place, [.personal])
    try visitor.visit("friends", &friends, [.personal])
  }

  static let schemaText = schema.json.encoded

  /// Whether it is blank.
  var isBlank: Bool { text.isEmpty && place == nil && friends.isEmpty }

  /// Its form after an erasure.
  var erased: Diary { Diary(at: at, mood: mood) }

  init() {}

  init(at: Int64, text: String = "", place: String? = nil, friends: [String] = [], mood: Int32) {
    (self.at, self.text, self.place, self.friends, self.mood) = (at, text, place, friends, mood)
  }

  /// The n-th of many: some blank, some partly.
  static func sample(_ number: Int) -> Diary {
    Diary(
      at: Int64(number / 2), text: number % 3 == 0 ? "" : "day \(number)",
      place: number % 4 < 2 ? nil : "place \(number)",
      friends: number % 5 == 0 ? ["Bee \(number)", "Cyd"] : [], mood: Int32(number % 7))
  }
}

/// A journal of diaries, sealed except the last segment.
struct Diaries {
  let journal: Journal
  private(set) var entries: [Diary]

  init(_ count: Int, segmentByteCount: Int = 900, blockByteCount: Int = 60) throws {
    journal = Journal(directory: "book", storage: MemoryStorage())
    try journal.create(book: Journal.book, schemaText: Diary.schemaText, salts: .fixed)
    entries = (0..<count).map(Diary.sample)
    let lock = try JournalWriter.takeLock(of: journal)
    let end = try journal.readBlocks { _, _ in true }
    let writer = try JournalWriter(
      journal, after: end, lock: lock, schemaText: Diary.schemaText,
      segmentByteCount: segmentByteCount, salts: .fixed)
    for entry in entries { try writer.append(count: 1, entries: entry.encoded) }
    try writer.closeSegment()
    var sealer = SegmentSealer(journal, lock: lock, blockByteCount: blockByteCount, level: 3)
    while try sealer.sealNext(before: writer.segment) != nil {}
  }

  /// The entries as they are read.
  func read() throws -> [Diary] {
    var found: [Diary] = []
    try journal.readBlocks { _, block throws(JournalError) in
      do throws(AvroError) {
        var reader = BinaryReader(block.bytes)
        for _ in 0..<block.count { found.append(try Diary(from: &reader)) }
      } catch { throw block.corruption("\(error)") }
      return true
    }
    return found
  }

  /// Erases entries, as a book does; returns those that were not blank.
  mutating func erase(_ positions: Set<Position>) throws -> [Position] {
    var rewriter = SegmentRewriter(journal, lock: try JournalWriter.takeLock(of: journal))
    for name in try journal.segments() {
      if try rewriter.prepare(name, erasing: positions) != nil { try rewriter.finish(name) }
    }
    let erased = positions.filter { !entries[Int($0.number - 1)].isBlank }.sorted()
    for position in erased {
      entries[Int(position.number - 1)] = entries[Int(position.number - 1)].erased
    }
    return erased
  }

  /// The first entry of a segment that is not blank.
  func telling(_ name: SegmentName) -> Position? {
    let position = entries.indices.dropFirst(Int(name.first.number) - 1).first {
      !entries[$0].isBlank
    }
    return position.map { Position(Int64($0 + 1)) }
  }

  /// The heads at all positions.
  func heads() throws -> [Head] {
    try (0...entries.count).map { position in
      let proof = try journal.verify(
        expecting: Head(position: Position(Int64(position)), digest: .none)
      ).proof
      guard case .differs(let found) = proof else { throw Missing() }
      return found
    }
  }

  struct Missing: Error {}
}
