import Avro
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

/// Books written once, one for every schema of entries, must always open with the same state.
///
/// `Fixtures/golden-N` is the book that the commands of `Fixtures/every-command.jsonl`, as far as the file went
/// then, made with the N-th schema (Docs/Evolution.md). No golden book is ever made again: when this test fails, the
/// code has changed.
@Suite(.tags(.unit)) struct GoldenBookTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures").path
  private static let digest = "ee0df9bb2f985f867252764842f9a1036099e0c166eeb99b4246aeb2e453a99e"

  /// The numbers of the existing golden books.
  static let numbers: [Int] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: fixtures)
    return (names ?? []).compactMap { name in
      name.hasPrefix("golden-") ? Int(name.dropFirst("golden-".count)) : nil
    }.sorted()
  }()

  /// Lines that cause every event.
  static func commands() throws -> [String] {
    try String(contentsOfFile: fixtures + "/every-command.jsonl", encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  static func book(_ number: Int) -> BookReader {
    BookReader(at: "\(fixtures)/golden-\(number)")
  }

  private static func schema(of book: BookReader) throws -> Schema {
    try Schema(parsing: book.journal.header(of: SegmentName(first: Position(1))).schemaText)
  }

  @Test func `every schema since the first has a golden book`() {
    #expect(Self.numbers.count >= 2)
    #expect(Self.numbers == Array(1...max(1, Self.numbers.count)))
  }

  @Test(arguments: numbers)
  func `today's code gives a golden book's state from the same commands (ES-1, ES-2, law 1)`(
    number: Int
  ) throws {
    let golden = try Self.book(number).state()
    let book = try Book(at: "again", storage: MemoryStorage())
    // Commands are only ever appended to the file: those of this book come first.
    for line in try Self.commands() where book.read({ $0.position }) < golden.position {
      let outcome = try book.record(line: line)
      #expect(outcome.isAccepted, "\(outcome.json.encoded)")
    }
    #expect(book.read { $0.position } == golden.position)
    #expect(book.read { $0.digest } == golden.digest)
    #expect(try book.reader.state().digest == golden.digest)
    if number == Self.numbers.last { #expect(golden.digest == Self.digest) }
  }

  @Test func `the text of the schema is the newest golden book's, notes included`() throws {
    let newest = Self.book(try #require(Self.numbers.last))
    // If the text of a book's schema differs, the book begins a new segment, and the indexes of its former segments are
    // of no use to proofs. A note of a field changes together with the schema only.
    #expect(
      try newest.journal.header(of: SegmentName(first: Position(1))).schemaText
        == BookReader.schemaText)
  }

  @Test func `the newest golden book has every event type, in today's schema (ES-1)`() throws {
    let newest = Self.book(try #require(Self.numbers.last))
    var names = EventNames()
    try newest.replay(into: &names)
    // An erasure is not a command of a file, and has its own tests.
    #expect(
      names.names.union(["AccountErased"]) == Set(Self.events(of: Entry.schema).map(\.name)))
    #expect(
      try Self.schema(of: newest).canonicalForm == Entry.schema.canonicalForm,
      "the schema changed: keep this golden book, and make one of the new schema")
  }

  @Test(arguments: numbers)
  func `no event in a golden book changed its number`(number: Int) throws {
    let then = Self.events(of: try Self.schema(of: Self.book(number)))
    let today = Self.events(of: Entry.schema)
    #expect(then.count > 20 && then.count <= today.count)
    for (old, new) in zip(then, today) {
      #expect(old.name == new.name || new.aliases.contains(old.name))
    }
  }

  /// The records of all events, in order.
  private static func events(of entry: Schema) -> [Schema.Record] {
    guard case .record(let record) = entry,
      case .union(let branches) = record.fields.first(where: { $0.name == "event" })?.schema
    else { return [] }
    return branches.compactMap { if case .record(let event) = $0 { event } else { nil } }
  }

  private struct EventNames: Projection {
    var names: Set<String> = []
    mutating func apply(_ entry: Entry) { names.insert(entry.event.name) }
  }
}
