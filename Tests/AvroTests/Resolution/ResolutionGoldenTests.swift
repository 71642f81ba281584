import Avro
import Testing

/// Containers that fastavro wrote with one schema, and the values that it reads from them with another. They were
/// made once, by `Fixtures/evolution/make.py`.
@Suite(.tags(.unit)) struct ResolutionGoldenTests {
  private static func text(_ name: String) throws -> String {
    String(decoding: try fixture("evolution/\(name)"), as: UTF8.self)
  }

  /// The values of a container as JSON, a line each, read with another schema.
  private static func lines(_ container: String, as schema: Schema) throws -> [JSON] {
    let bytes = try fixture("evolution/\(container)")
    var reader = BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    let resolution = try SchemaResolution(from: Schema(parsing: header.schemaText), to: schema)
    let decompressor = try ZstandardDecompressor()
    let transcoder = SchemaTranscoder(.array(schema))
    var lines: [JSON] = []
    while !reader.isAtEnd {
      let block = try ContainerBlock(from: &reader, syncMarker: header.syncMarker)
      var payload = Array(bytes[block.payload])
      if try header.codec() == .zstandard {
        let count = try decompressor.decompress(
          bytes.span.bytes.extracting(block.payload), into: &payload)
        payload.removeLast(payload.count - count)
      }
      var resolved: [UInt8] = []
      try resolution.resolve(block.count, in: payload.span.bytes, into: &resolved)
      var writer = BinaryWriter()
      writer.put(Int64(block.count))
      writer.put(raw: resolved + [0])
      lines += try transcoder.json(encoded: writer.bytes, PlainFormat()).elements ?? []
    }
    return lines
  }

  @Test(
    arguments: [
      ("garden.avro", "2.avsc", "garden.as-2.json"),
      ("garden-null.avro", "2.avsc", "garden.as-2.json"),
      ("shed.avro", "3.avsc", "shed.as-3.json"),
    ])
  func `a container of another schema is read as fastavro reads it`(
    container: String, schema: String, expected: String
  ) throws {
    let read = try Self.lines(container, as: Schema(parsing: Self.text(schema)))
    let expected = try Self.text(expected).split(separator: "\n").map {
      try JSON(parsing: String($0))
    }
    #expect(!expected.isEmpty)
    #expect(read == expected)
  }

  @Test func `a container's records are read into the type of a newer schema`() throws {
    let tools = try Container.decode(
      Tool.self, from: fixture("evolution/shed.avro"), resolving: true)
    #expect(tools.map(\.title) == ["tool 0", "tool 1", "tool 2", "tool 3"])
    #expect(tools.map(\.state) == [.good, .worn, .gone, .gone])
    #expect(tools.map(\.weight) == [2.5, 2.5, 2.5, 2.5])
    #expect(throws: AvroError.invalidSchema("the container was written with another schema")) {
      try Container.decode(Tool.self, from: fixture("evolution/shed.avro"))
    }
  }

  /// A tool as a later program may declare it.
  struct Tool: AvroRecord {
    var weight = 0.0
    var title = ""
    var state = State.good

    enum State: String, AvroEnumeration {
      case good, worn, gone
      static let enumerationName = "Condition"
      static let enumerationAliases = ["State"]
      static let defaultSymbol: State? = .gone
    }

    static let recordName = "Implement"
    static let recordAliases = ["Tool"]
    static var placeholder: Self { Self() }

    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("weight", &weight, [.ifAbsent(.number("2.5")), .doc("in kilograms")])
      try visitor.visit("title", &title, [.personal, .formerly("label"), .formerly("name")])
      try visitor.visit("state", &state)
    }
  }

  @Test func `a field's annotations appear in its schema`() throws {
    let text =
      #"{"type":"record","name":"Implement","aliases":["Tool"],"fields":[{"name":"weight","#
      + #""type":"double","default":2.5,"doc":"in kilograms"},{"name":"title","type":"string","#
      + #""aliases":["label","name"],"personal":true},{"name":"state","type":{"type":"enum","#
      + #""name":"Condition","aliases":["State"],"symbols":["good","worn","gone"],"#
      + #""default":"gone"}}]}"#
    #expect(Tool.schema.json.encoded == text)
    #expect(try Schema(parsing: text) == Tool.schema)
    guard case .record(let record) = try Schema(parsing: text) else { return }
    #expect(record.fields.map(\.isPersonal) == [false, true, false])
  }
}
