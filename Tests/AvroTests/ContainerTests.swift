import Avro
import PropertyTesting
import Testing

@Suite struct ContainerTests {
  static let marker = [UInt8](0x30..<0x40)

  @Test(arguments: ["fastavro-null.avro", "fastavro-zstandard.avro", "unsized-frames.avro"])
  func `a container of another writer is read`(name: String) throws {
    #expect(try Container.decode(Walk.self, from: fixture(name)) == Walk.fixture)
  }

  @Test func `a container is written today as it was when the format was fixed`() throws {
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
  func `a container cut at any byte is an error or holds the blocks before the cut`(
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
  func `a flipped bit without a checksum traps nowhere`(name: String) throws {
    let bytes = try fixture(name)
    for bit in 0..<bytes.count * 8 {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? Container.decode(Walk.self, from: damaged)
    }
  }

  @Test func `what is no container, or has another codec or schema, is refused by name`() throws {
    expect([], fails: .truncated)
    expect(Array("Obj\u{2}xxxxxxxxxxxxxxxxxxxxx".utf8), fails: .notAContainer)
    let other = ContainerHeader(schema: #""int""#, codec: .null, syncMarker: Self.marker)
    expect(other.encoded, fails: .invalidSchema("the container was written with another schema"))
    var snappy = ContainerHeader(
      schema: Walk.schema.json.encoded, codec: .null, syncMarker: Self.marker)
    snappy.metadata[1].value = "snappy"
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

  private func expect(
    _ bytes: [UInt8], fails error: AvroError, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: location) {
      _ = try Container.decode(Walk.self, from: bytes)
    }
  }
}
