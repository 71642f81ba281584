import Avro
import PropertyTesting
import Testing

/// Files and messages whose schemas are known only at run time.
@Suite(.tags(.law)) struct AnySchemaTests {
  private static let marker = [UInt8](0x30..<0x40)

  /// The values of a file, as JSON text.
  private static func values(_ bytes: [UInt8], as schema: Schema? = nil) throws -> [String] {
    var reader = try ContainerReader(bytes, as: schema)
    var values: [String] = []
    while let value = try reader.next() { values.append(value.encoded) }
    return values
  }

  @Test(arguments: ["fastavro-null.avro", "fastavro-zstandard.avro", "unsized-frames.avro"])
  func `a container of another writer is read without knowing its schema`(name: String) throws {
    let bytes = try fixture(name)
    let transcoder = SchemaTranscoder(Walk.schema)
    let known = try Walk.fixture.map {
      try transcoder.json(encoded: $0.encoded, PlainFormat()).encoded
    }
    #expect(try Self.values(bytes) == known)
  }

  @Test func `a container written from JSON decodes as the records it was made from`() throws {
    let transcoder = SchemaTranscoder(Walk.schema)
    let sizes = Walk.fixture.map(\.encoded.count)
    var writer = try ContainerWriter(
      Walk.schema, codec: .null, metadata: [.init("book", "Ada's")], syncMarker: Self.marker,
      blockByteCount: sizes[0] + sizes[1])
    for walk in Walk.fixture {
      try writer.append(try transcoder.json(encoded: walk.encoded, PlainFormat()))
    }
    let bytes = try writer.finish()
    #expect(try Container.decode(Walk.self, from: bytes) == Walk.fixture)
    if sizes[2] < sizes[0] + sizes[1] { #expect(try bytes == fixture("walks-null.avro")) }
  }

  @Test
  func `values of any schema come back from a container, and resolve to a newer schema`() {
    let report = check("any file reads back", .evolution, cases: 150) { evolution, statistics in
      let coder = TreeCoder(evolution.writer)
      let transcoder = SchemaTranscoder(evolution.writer)
      let encoded = evolution.values.map { coder.encode([$0]) }
      // JSON cannot hold a map with a repeated name.
      guard let values = try? encoded.map({ try transcoder.json(encoded: $0, PlainFormat()) })
      else { return }
      var writer = try ContainerWriter(
        evolution.writer, codec: values.count.isMultiple(of: 2) ? .null : .zstandard,
        syncMarker: Self.marker, blockByteCount: 40)
      for value in values { try writer.append(value) }
      let bytes = try writer.finish()
      try expectEqual(try Self.values(bytes), values.map(\.encoded))

      guard let resolution = try? SchemaResolution(from: evolution.writer, to: evolution.reader)
      else { return }
      let newer = SchemaTranscoder(evolution.reader)
      var resolved: [UInt8] = []
      let expected = try? encoded.map { one in
        try resolution.resolve(1, in: one.span.bytes, into: &resolved)
        return try newer.json(encoded: resolved, PlainFormat()).encoded
      }
      statistics.cover("is resolved", atLeast: 20, expected != nil && !values.isEmpty)
      let read = try? Self.values(bytes, as: evolution.reader)
      try expectEqual(read, expected)
    }
    #expect(report.passed, "\(report)")
  }

  @Test
  func
    `a file cut at any byte, or with any bit flipped, ends in an error or in values that were written`()
    throws
  {
    for name in ["walks-null.avro", "walks-zstandard.avro"] {
      let bytes = try fixture(name)
      let whole = try Self.values(bytes)
      for count in 0..<bytes.count {
        guard let values = try? Self.values(Array(bytes[..<count])) else { continue }
        #expect(values == Array(whole.prefix(values.count)), "\(count) bytes of \(name)")
      }
    }
    let bytes = try fixture("walks-zstandard.avro")
    let whole = try Self.values(bytes)
    let header = try ContainerReader(bytes).header.encoded.count
    for bit in header * 8..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let values = try? Self.values(damaged) else { continue }
      #expect(values == whole, "bit \(bit)")
    }
  }

  @Test func `an error names the failing value, and reading stops there`() throws {
    var writer = try ContainerWriter(.primitive(.int), codec: .null, syncMarker: Self.marker)
    for number in [1, 2, 3] { try writer.append(.number(number)) }
    #expect(throws: TranscodingError.self) { try writer.append("four") }
    var bytes = try writer.finish()
    #expect(try Self.values(bytes) == ["1", "2", "3"])
    // The last value becomes the start of a longer one.
    bytes[bytes.count - 17] = 0x86
    var reader = try ContainerReader(bytes)
    #expect(try reader.next() == 1 && reader.next() == 2)
    let error = #expect(throws: TranscodingError.self) { try reader.next() }
    #expect(error?.path == ["2"])
    #expect(try reader.next() == nil)
  }

  @Test func `a billion nulls in a small block are refused`() throws {
    let header = ContainerHeader(schema: "\"null\"", codec: .null, syncMarker: Self.marker)
    let block = ContainerBlock.encode(count: 1_000_000_000, payload: [], syncMarker: Self.marker)
    var reader = try ContainerReader(header.encoded + block)
    #expect(throws: TranscodingError.self) { try reader.next() }
    // The reader accepts what the writer writes.
    var writer = try ContainerWriter(.primitive(.null), syncMarker: Self.marker)
    for _ in 0..<70_000 { try writer.append(.null) }
    #expect(try Self.values(try writer.finish()).count == 70_000)
  }

  @Test func `a schema or marker that no reader accepts is refused before anything is written`() {
    #expect(throws: AvroError.self) { _ = try ContainerWriter(.reference("nobody")) }
    #expect(throws: AvroError.invalidLength) {
      _ = try ContainerWriter(.primitive(.int), syncMarker: [1, 2, 3])
    }
    #expect(throws: AvroError.notAContainer) { try ContainerReader([1, 2, 3, 4, 5]) }
  }

  @Test func `a single object carries the fingerprint of its schema`() throws {
    // The specification's marker, the fingerprint of "int" from Java's tests, and 64.
    let bytes: [UInt8] = [0xC3, 0x01, 0x8F, 0x5C, 0x39, 0x3F, 0x1A, 0xD5, 0x75, 0x72, 0x80, 0x01]
    #expect(try SingleObject.encode(64, as: .primitive(.int)) == bytes)
    let known: [Schema] = [.primitive(.string), .primitive(.int)]
    #expect(try SingleObject.decode(bytes, knowing: known) == 64)
    #expect(try SingleObject.fingerprint(of: bytes) == Schema.primitive(.int).fingerprint)
    #expect(throws: TranscodingError.self) {
      try SingleObject.decode(bytes, knowing: [.primitive(.string)])
    }
    for count in bytes.indices {
      #expect(throws: TranscodingError.self) {
        try SingleObject.decode(Array(bytes[..<count]), knowing: known)
      }
    }
    #expect(throws: TranscodingError.self) { try SingleObject.decode(bytes + [0], knowing: known) }
    #expect(throws: AvroError.notASingleObject) { try SingleObject.fingerprint(of: [0xC3]) }
  }

  @Test func `single-object encoding round-trips values of any schema`() {
    let report = check("a single object reads back", .evolution, cases: 100) { evolution in
      let coder = TreeCoder(evolution.writer)
      let transcoder = SchemaTranscoder(evolution.writer)
      for tree in evolution.values {
        guard let value = try? transcoder.json(encoded: coder.encode([tree]), PlainFormat())
        else { continue }
        let bytes = try SingleObject.encode(value, as: evolution.writer)
        let read = try SingleObject.decode(bytes, knowing: [evolution.reader, evolution.writer])
        if evolution.reader.fingerprint != evolution.writer.fingerprint {
          try expectEqual(read.encoded, value.encoded)
        }
      }
    }
    #expect(report.passed, "\(report)")
  }
}
