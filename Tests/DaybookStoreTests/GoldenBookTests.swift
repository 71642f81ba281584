import Avro
import Daybook
import DaybookStore
import Foundation
import Journal
import Testing

/// A book that was written once, with every type of event in it, must open and say the same for ever.
///
/// `Fixtures/golden-1` is the book that the commands of `Fixtures/every-command.jsonl` made. It is never
/// made again: when this fails, it is the code that has changed.
@Suite struct GoldenBookTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures").path
  private let golden = BookReader(at: Self.fixtures + "/golden-1")
  private static let digest = "65e37170c2744ae4a486c9983040b781ad14d4aff894ff96f5e52879c8917590"

  @Test func `the golden book says what it said when it was written (ES-1, ES-2)`() throws {
    #expect(try golden.state().digest == Self.digest)
  }

  @Test func `it holds every type of event, in the schema of today (ES-1)`() throws {
    var names = EventNames()
    try golden.replay(into: &names)
    guard case .union(let branches) = Event.schema else {
      Issue.record("events are a union")
      return
    }
    #expect(names.names == Set(branches.compactMap(\.name)))
    let header = try golden.journal.header(of: SegmentName(first: Position(1)))
    #expect(
      try Schema(parsing: header.schemaText).fingerprint == Entry.schema.fingerprint,
      "the schema changed: keep this golden book, and add one of the new schema")
  }

  @Test func `the commands that made it make the same book today (law 1)`() throws {
    let book = try Book(at: "again", storage: MemoryStorage())
    let text = try String(contentsOfFile: Self.fixtures + "/every-command.jsonl", encoding: .utf8)
    for line in text.split(separator: "\n") {
      let outcome = try book.apply(line: String(line))
      #expect(outcome.isAccepted, "\(outcome.json.encoded)")
    }
    #expect(book.read { $0.digest } == Self.digest)
    #expect(try book.reader.state().digest == Self.digest)
  }

  private struct EventNames: Projection {
    var names: Set<String> = []
    mutating func apply(_ entry: Entry) { names.insert(entry.event.name) }
  }
}
