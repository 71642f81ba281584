import Avro
import PropertyTesting
import Testing

@Suite(.tags(.damage)) struct ContainerTests {
  static let marker = [UInt8](0x30..<0x40)

  @Test(arguments: ["fastavro-null.avro", "fastavro-zstandard.avro", "unsized-frames.avro"])
  func `a container of another writer is read`(name: String) throws {
    #expect(try Container.decode(Walk.self, from: fixture(name)) == Walk.fixture)
  }

  @Test func `a container is written with the same bytes as when the format was fixed`() throws {
    let bytes = try Container.encode(
      Walk.fixture, codec: .null, metadata: [.init("book", "Ada's")], syncMarker: Self.marker,
      blockCount: 2)
    #expect(try bytes == fixture("walks-null.avro"))
    #expect(try Container.decode(Walk.self, from: fixture("walks-zstandard.avro")) == Walk.fixture)
  }

  @Test(arguments: Codec.allCases, [1, 2, 5, 1000])
  func `values come back from blocks of any size`(codec: Codec, blockCount: Int) throws {
    for count in 0...5 {
      let values = Array(Walk.fixture.prefix(count))
      let bytes = try Container.encode(
        values, codec: codec, syncMarker: Self.marker, blockCount: blockCount)
      #expect(try Container.decode(Walk.self, from: bytes) == values)
    }
  }

  @Test func `every value comes back from a container`() {
    let values = Generator<Everything>.everything.array(count: 0...12)
    let report = check("a container reads back", values, cases: 60) { values in
      let bytes = try Container.encode(values, syncMarker: Self.marker, blockCount: 5)
      let read = try Container.decode(Everything.self, from: bytes)
      try expectEqual(read.map(\.encoded), values.map(\.encoded))
    }
    #expect(report.passed, "\(report)")
  }

  @Test(arguments: ["walks-null.avro", "walks-zstandard.avro", "unsized-frames.avro"])
  func `a container cut at any byte is an error or yields the blocks before the cut`(
    name: String
  ) throws {
    let bytes = try fixture(name)
    var wholeCounts: Set<Int> = []
    for count in 0..<bytes.count {
      guard let values = try? Container.decode(Walk.self, from: Array(bytes[..<count])) else {
        continue
      }
      #expect(values == Array(Walk.fixture.prefix(values.count)), "\(count) bytes")
      #expect(wholeCounts.insert(values.count).inserted, "\(count) bytes")
    }
    #expect(wholeCounts.count == 3 || name == "unsized-frames.avro" && wholeCounts.count == 2)
  }

  @Test func `a flipped bit is an error or changes no value`() throws {
    let bytes = try fixture("walks-zstandard.avro")
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let values = try? Container.decode(Walk.self, from: damaged) else { continue }
      #expect(values == Walk.fixture, "bit \(bit)")
    }
  }

  @Test(arguments: ["fastavro-null.avro", "fastavro-zstandard.avro", "unsized-frames.avro"])
  func `a flipped bit without a checksum never traps`(name: String) throws {
    let bytes = try fixture(name)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? Container.decode(Walk.self, from: damaged)
    }
  }

  @Test func `each kind of unreadable container is refused with its own error`() throws {
    expect([], fails: .truncated)
    expect(Array("Obj\u{2}xxxxxxxxxxxxxxxxxxxxx".utf8), fails: .notAContainer)
    let other = ContainerHeader(schema: #""int""#, codec: .null, syncMarker: Self.marker)
    expect(other.encoded, fails: .invalidSchema("the container was written with another schema"))
    var snappy = ContainerHeader(
      schema: Walk.schema.json.encoded, codec: .null, syncMarker: Self.marker)
    snappy.metadata[1].value = Array("snappy".utf8)
    expect(snappy.encoded, fails: .unknownCodec("snappy"))
    snappy.metadata.removeFirst()
    expect(snappy.encoded, fails: .invalidSchema("the header has no avro.schema"))
  }

  @Test func `a block with a value too many or too few is refused`() throws {
    let header = ContainerHeader(
      schema: Walk.schema.json.encoded, codec: .null, syncMarker: Self.marker)
    func container(_ count: Int) -> [UInt8] {
      let payload = Walk(steps: 1, note: nil).encoded + Walk(steps: 2, note: nil).encoded
      return header.encoded
        + ContainerBlock.encode(count: count, payload: payload, syncMarker: Self.marker)
    }
    #expect(try Container.decode(Walk.self, from: container(2)).count == 2)
    expect(container(1), fails: .trailingBytes)
    expect(container(3), fails: .truncated)
    expect(container(2).dropLast() + [0], fails: .syncMarkerMismatch)
  }

  @Test func `a header's map may come in several blocks and without a codec`() throws {
    var writer = BinaryWriter()
    writer.put(raw: [0x4F, 0x62, 0x6A, 0x01])
    for (key, value) in [("avro.schema", Walk.schema.json.encoded), ("x", "y")] {
      writer.put(-1)
      writer.put(Int64(key.utf8.count + value.utf8.count + 3))
      writer.put(counted: key.utf8)
      writer.put(counted: value.utf8)
    }
    writer.put(0)
    writer.put(raw: Self.marker)
    let block = ContainerBlock.encode(
      count: 1, payload: Walk(steps: 3).encoded, syncMarker: Self.marker)
    #expect(try Container.decode(Walk.self, from: writer.bytes + block) == [Walk(steps: 3)])
  }

  @Test(arguments: ["avro.schema", "avro.codec", "x"], [1, 3])
  func `a key that occurs twice in a header is refused, in one block or in several`(
    key: String, blocks: Int
  ) {
    let pairs = [("avro.schema", Walk.schema.json.encoded), ("avro.codec", "null"), ("x", "y")]
    let again = pairs.filter { $0.0 == key }
    var writer = BinaryWriter()
    writer.put(raw: [0x4F, 0x62, 0x6A, 0x01])
    for block in blocks == 1 ? [pairs + again] : [pairs, again] {
      writer.put(Int64(block.count))
      for (key, value) in block {
        writer.put(counted: key.utf8)
        writer.put(counted: value.utf8)
      }
    }
    writer.put(0)
    writer.put(raw: Self.marker)
    expect(writer.bytes, fails: .repeatedKey(key))
  }

  @Test func `metadata are bytes, and can be read as text`() throws {
    let bytes: [UInt8] = [0xD7, 0x51, 0x98, 0x05, 0x00, 0xFF]
    let schema = Walk.schema.json.encoded
    let header = ContainerHeader(
      schema: schema, codec: .null,
      metadata: [.init("sync", bytes: bytes), .init("book", "Ada's"), .init("none", "")],
      syncMarker: Self.marker)
    var reader = BinaryReader(header.encoded.span.bytes)
    let read = try ContainerHeader(from: &reader)
    #expect(read == header && read.encoded == header.encoded)
    #expect(read["sync"] == nil && read["book"] == "Ada's" && read["none"] == "")
    #expect(read.metadata.first { $0.key == "sync" }?.value == bytes)
    #expect(try Container.decode(Walk.self, from: header.encoded).isEmpty)
    // The schema is text, and so is every key.
    var damaged = header
    damaged.metadata[0].value = [0xFF]
    expect(damaged.encoded, fails: .invalidText)
    var writer = BinaryWriter()
    writer.put(raw: [0x4F, 0x62, 0x6A, 0x01])
    writer.put(1)
    writer.put(counted: [0xFF])
    writer.put(counted: [])
    writer.put(0)
    writer.put(raw: Self.marker)
    expect(writer.bytes, fails: .invalidText)
  }

  @Test(arguments: ["deflate", "snappy", "bzip2", "xz", "ZSTANDARD", ""])
  func `an unsupported codec is refused by name, before any other fault`(codec: String) throws {
    var header = ContainerHeader(schema: "no schema", codec: .null, syncMarker: Self.marker)
    header.metadata[1].value = Array(codec.utf8)
    expect(header.encoded, fails: .unknownCodec(codec))
    #expect(
      "\(AvroError.unknownCodec(codec))"
        == "the codec \"\(codec)\" is not supported (only null and zstandard)")
    // A long codec name, or one that is not text, makes no long error.
    header.metadata[1].value = [0xFF] + [UInt8](repeating: 0x61, count: 1000)
    expect(header.encoded, fails: .unknownCodec("\u{FFFD}" + String(repeating: "a", count: 39)))
  }

  private func expect(
    _ bytes: [UInt8], fails error: AvroError, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: location) {
      _ = try Container.decode(Walk.self, from: bytes)
    }
  }
}
