import Avro
import Testing

@testable import Daybook
@testable import Journal

/// The aggregate of an entry follows from the schema alone, and matches the domain's (Docs/Format.md).
@Suite(.tags(.unit)) struct AggregateScannerTests {
  @Test func `the schema and the domain agree on the aggregate of every event`() throws {
    let scanner = AggregateScanner(Entry.schema)
    #expect(Set(scanner.kinds) == Set(EntityKind.allCases.map(\.rawValue)))
    #expect(scanner.kinds == scanner.kinds.sorted())
    for (branch, type) in Event.types.enumerated() {
      var record = BinaryWriter()
      type.placeholder.write(to: &record)
      // Time, actor, key and step of the entry, then this event.
      var head = BinaryWriter()
      for _ in 0..<4 { head.put(Int64(0)) }
      head.put(Int64(branch))
      let bytes = head.bytes + record.bytes
      let found = try scanner.subject(of: bytes.span.bytes)
      switch type.placeholder.subject {
      case .aggregate(let aggregate):
        let kind = try #require(scanner.kinds.firstIndex(of: aggregate.kind.rawValue))
        #expect(found == .number(kind: kind, aggregate.number), "\(type.recordName)")
      case .new(let kind, _, _):
        let kind = try #require(scanner.kinds.firstIndex(of: kind.rawValue))
        #expect(found == .next(kind: kind), "\(type.recordName)")
      }
    }
  }
}
