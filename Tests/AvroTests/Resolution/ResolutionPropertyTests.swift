import Avro
import PropertyTesting
import Testing

@Suite(.tags(.law)) struct ResolutionPropertyTests {
  /// Both schemas as a file would carry them.
  private static func parsed(_ schema: Schema) throws -> Schema {
    let parsed = try Schema(parsing: schema.json.encoded)
    try expectEqual(parsed.json.encoded, schema.json.encoded)
    return parsed
  }

  /// The values by the specification; `nil` when the reader's schema cannot hold one.
  private static func expected(_ evolution: Evolution) -> [Tree]? {
    let naive = NaiveResolution(from: evolution.writer, to: evolution.reader)
    return try? evolution.values.map {
      try naive.resolve($0, from: evolution.writer, to: evolution.reader)
    }
  }

  @Test func `a compiled resolution agrees with the specification for every value`() {
    let report = check(
      "a compiled resolution is the naive one", .evolution, cases: 400
    ) { evolution, statistics in
      let resolution = try SchemaResolution(
        from: Self.parsed(evolution.writer), to: Self.parsed(evolution.reader))
      let bytes = TreeCoder(evolution.writer, evolution.blocks).encode(evolution.values)
      let reader = TreeCoder(evolution.reader)
      let expected = Self.expected(evolution)
      statistics.cover("has no place for a value", atLeast: 1, expected == nil)
      statistics.cover("changes nothing", atLeast: 5, resolution.changesNothing)
      statistics.cover("changes something", atLeast: 20, !resolution.changesNothing)
      var resolved: [UInt8] = [1, 2, 3]
      do throws(AvroError) {
        try resolution.resolve(evolution.values.count, in: bytes.span.bytes, into: &resolved)
      } catch {
        guard case .schemaMismatch = error, expected == nil else { throw error }
        return
      }
      try expectEqual(try reader.decode(evolution.values.count, resolved), expected ?? [])
      if resolution.changesNothing { try expectEqual(resolved, bytes) }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `resolving a schema to itself changes nothing`() {
    let report = check("a schema is itself", .evolution, cases: 75) { evolution in
      for schema in [evolution.writer, evolution.reader] {
        let resolution = try SchemaResolution(from: schema, to: Self.parsed(schema))
        try expect(resolution.changesNothing || "\(schema)".contains("reference"))
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `damaged bytes end in an error or whole values, and never in a trap`() {
    let damaged = Generator { source in
      let evolution = try source.draw(.evolution)
      let bytes = TreeCoder(evolution.writer, evolution.blocks).encode(evolution.values)
      var changes: [(place: Int, byte: UInt8?)] = []
      try source.repeated(1...4) { source in
        let place = Int(try source.choose(upTo: UInt64(max(0, bytes.count))))
        changes.append((place, try source.draw(Generator<UInt8>.integer().optional())))
      }
      return (evolution, bytes, changes)
    }
    let report = check("damage traps nowhere", damaged, cases: 400) { evolution, bytes, changes in
      let resolution = try SchemaResolution(from: evolution.writer, to: evolution.reader)
      var bytes = bytes
      for change in changes where change.place <= bytes.count {
        if let byte = change.byte, change.place < bytes.count {
          bytes[change.place] = byte
        } else if let byte = change.byte {
          bytes.append(byte)
        } else {
          bytes.removeSubrange(change.place...)
        }
      }
      var resolved: [UInt8] = []
      let count = evolution.values.count
      guard
        (try? resolution.resolve(count, in: bytes.span.bytes, into: &resolved)) != nil
      else { return }
      // Output that is not refused decodes with the reader's schema, or fails by its texts and sizes.
      if let trees = try? TreeCoder(evolution.reader).decode(count, resolved) {
        try expectEqual(trees.count, count)
      }
    }
    #expect(report.passed, "\(report)")
  }
}
