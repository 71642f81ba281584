import Avro
import Testing

/// A few bytes that stand for very many values: every reader refuses them alike, quickly and in little memory.
@Suite(.tags(.damage)) struct LimitTests {
  /// A record that takes no bytes.
  struct Nothing: AvroRecord, Hashable {
    static let recordName = "Nothing"
    static var placeholder: Self { Self() }
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {}
  }

  /// A record that may contain one record of its own type.
  struct Chain: AvroRecord, Hashable {
    var link = false
    var next: Indirect<Chain>?

    static let recordName = "Chain"
    static var placeholder: Self { Self() }
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("link", &link)
      try visitor.visit("next", &next)
    }
  }

  /// A record that may contain many records of its own type.
  struct Branch: AvroRecord, Hashable {
    var branches: [Branch] = []

    static let recordName = "Branch"
    static var placeholder: Self { Self() }
    mutating func visitFields<V: FieldVisitor & ~Copyable & ~Escapable>(
      _ visitor: inout V
    ) throws(V.Failure) {
      try visitor.visit("branches", &branches)
    }
  }

  /// The result of each reader: no error, or the same error.
  private func outcomes<Value: AvroValue>(
    _ type: Value.Type, _ bytes: [UInt8]
  ) throws -> [String: String?] {
    func outcome(_ read: () throws -> Void) -> String? {
      do { try read() } catch { return "\(error)" }
      return nil
    }
    // Read with a different schema, so that no part is copied whole.
    let list = Schema.array(Value.schema)
    let wider = Schema.array(.union([.primitive(.boolean), Value.schema]))
    return [
      "values": outcome { _ = try Value(encoded: bytes) },
      "scanner": outcome {
        var reader = BinaryReader(bytes.span.bytes)
        try ValueScanner(Value.schema).scan(over: &reader)
      },
      "JSON": outcome {
        _ = try SchemaTranscoder(Value.schema).json(encoded: bytes, PlainFormat())
      },
      "copied": outcome {
        var output: [UInt8] = []
        try SchemaResolution(from: Value.schema, to: Value.schema).resolve(
          1, in: bytes.span.bytes, into: &output)
      },
      "resolved": outcome {
        var output: [UInt8] = []
        let listed = [2] + bytes + [0]
        try SchemaResolution(from: list, to: wider).resolve(
          1, in: listed.span.bytes, into: &output)
      },
    ]
  }

  private func lists(_ count: Int, of items: Int) -> [UInt8] {
    var writer = BinaryWriter()
    writer.put(Int64(count))
    for _ in 0..<count {
      writer.put(Int64(items))
      writer.put(0)
    }
    writer.put(0)
    return writer.bytes
  }

  @Test func `every reader counts items without bytes over the whole value`()
    throws
  {
    let limit = AvroLimit.emptyItemCount
    for (name, outcome) in try outcomes([[Nothing]].self, lists(16, of: limit.maximum / 16)) {
      #expect(outcome == nil, "\(name)")
    }
    for bytes in [
      lists(17, of: limit.maximum / 16), lists(1, of: limit.maximum + 1), lists(1, of: .max / 2),
    ] {
      for (name, outcome) in try outcomes([[Nothing]].self, bytes) {
        // The JSON reader states the place.
        #expect(outcome?.hasSuffix(limit.description) == true, "\(name)")
      }
    }
  }

  @Test func `a container of two hundred bytes cannot exhaust memory`() throws {
    // Lists with as many items as three bytes can state.
    let content = lists(1 << 18, of: 8191)
    let frame = try ZstandardCompressor(level: 19).compress(content)
    let schema = #"{"type":"array","items":{"type":"array","items":"null"}}"#
    let marker = [UInt8](0..<16)
    let header = ContainerHeader(schema: schema, codec: .zstandard, syncMarker: marker)
    let container =
      header.encoded + ContainerBlock.encode(count: 1, payload: frame, syncMarker: marker)
    #expect(container.count < 260 && content.count > 700_000)
    let limit = AvroError.limitExceeded(.emptyItemCount)
    #expect(throws: TranscodingError(limit.description)) {
      do {
        _ = try SchemaTranscoder(Schema(parsing: schema)).json(encoded: content, PlainFormat())
      } catch let error as TranscodingError {
        throw TranscodingError(error.reason)
      }
    }
    let nothings = ContainerHeader(
      schema: [[Nothing]].schema.json.encoded, codec: .zstandard, syncMarker: marker)
    #expect(throws: limit) {
      try Container.decode(
        [[Nothing]].self,
        from: nothings.encoded
          + ContainerBlock.encode(count: 1, payload: frame, syncMarker: marker))
    }
  }

  @Test func `a block of values without bytes is limited in count`() throws {
    let marker = [UInt8](0..<16)
    let header = ContainerHeader(
      schema: Nothing.schema.json.encoded, codec: .null, syncMarker: marker)
    let limit = AvroLimit.emptyItemCount
    func decode(_ count: Int) throws -> Int {
      let block = ContainerBlock.encode(count: count, payload: [], syncMarker: marker)
      return try Container.decode(Nothing.self, from: header.encoded + block).count
    }
    #expect(try decode(limit.maximum) == limit.maximum)
    #expect(throws: AvroError.limitExceeded(limit)) { try decode(limit.maximum + 1) }
    #expect(throws: AvroError.limitExceeded(limit)) { try decode(Int(Int32.max)) }
  }

  @Test func `a list with more items than any writer puts in a block is read`() throws {
    let count = 3 << 19
    var writer = BinaryWriter()
    writer.put(Int64(count))
    writer.put(raw: [UInt8](repeating: 1, count: count) + [0])
    #expect(try [Bool](encoded: writer.bytes).count == count)
    var reader = BinaryReader(writer.bytes.span.bytes)
    try ValueScanner([Bool].schema).scan(over: &reader)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
    // One item more than there are bytes: refused before any is read.
    writer.removeAll()
    writer.put(Int64.max)
    writer.put(raw: [1, 1, 1])
    #expect(throws: AvroError.invalidLength) { try [Bool](encoded: writer.bytes) }
  }

  private func chain(_ count: Int) -> [UInt8] {
    Array([[UInt8]](repeating: [1, 2], count: count - 1).joined()) + [1, 0]
  }

  private func branches(_ count: Int) -> [UInt8] {
    [UInt8](repeating: 2, count: count - 1) + [UInt8](repeating: 0, count: count)
  }

  @Test func `every reader accepts values of the maximum depth and none deeper`() throws {
    // Each level is a record and a union, or a record and a list.
    let count = AvroLimit.depth.maximum / 2
    for (name, outcome) in try outcomes(Chain.self, chain(count - 1)) {
      #expect(outcome == nil, "\(name)")
    }
    for (name, outcome) in try outcomes(Branch.self, branches(count - 1)) {
      #expect(outcome == nil, "\(name)")
    }
    for count in [2 * count + 2, 100_000] {
      for (name, outcome) in try outcomes(Chain.self, chain(count)) {
        #expect(outcome?.hasSuffix(AvroLimit.depth.description) == true, "\(name)")
      }
      for (name, outcome) in try outcomes(Branch.self, branches(count)) {
        #expect(outcome?.hasSuffix(AvroLimit.depth.description) == true, "\(name)")
      }
    }
  }

  @Test func `JSON deeper than a reader accepts cannot be encoded`() throws {
    let transcoder = SchemaTranscoder(Chain.schema)
    func nested(_ count: Int) -> JSON {
      (1..<count).reduce(["link": true, "next": nil]) { inner, _ in ["link": true, "next": inner] }
    }
    var deepest = 0
    for count in 1...100 {
      guard let bytes = try? transcoder.encode(nested(count), PlainFormat()) else { continue }
      deepest = count
      #expect(try transcoder.json(encoded: bytes, PlainFormat()) == nested(count))
    }
    #expect(deepest == AvroLimit.depth.maximum / 2 - 1)
    let nulls = SchemaTranscoder([Nothing].schema)
    let most = AvroLimit.emptyItemCount.maximum
    let list = JSON.array([JSON](repeating: [:], count: most))
    #expect(try nulls.json(encoded: nulls.encode(list, PlainFormat()), PlainFormat()) == list)
    #expect(throws: TranscodingError.self) {
      try nulls.encode(.array([JSON](repeating: [:], count: most + 1)), PlainFormat())
    }
  }

  @Test func `a short value with very many records does not become JSON without bound`() throws {
    // Each item is a byte in a hundred records.
    let record = (0..<100).reduce(Schema.primitive(.boolean)) { inner, number in
      .record(.init(name: "R\(number)", fields: [.init(name: "r", schema: inner)]))
    }
    let transcoder = SchemaTranscoder(.array(record))
    func bytes(_ count: Int) -> [UInt8] {
      Int64(count).encoded + [UInt8](repeating: 1, count: count) + [0]
    }
    let count = AvroLimit.jsonValueCount.maximum / 101
    #expect(try transcoder.json(encoded: bytes(100), PlainFormat()).elements?.count == 100)
    let error = #expect(throws: TranscodingError.self) {
      try transcoder.json(encoded: bytes(count + 1), PlainFormat())
    }
    #expect(error?.reason == AvroLimit.jsonValueCount.description)
  }

  @Test func `defaults cannot make a value larger than a block may be`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let record = Schema.record(
      .init(
        name: "R",
        fields: [.init(name: "t", schema: .primitive(.string), defaultValue: .string(text))]))
    let error = #expect(throws: TranscodingError.self) {
      try SchemaTranscoder(.array(record)).encode(
        .array([JSON](repeating: [:], count: 300)), PlainFormat())
    }
    #expect(error?.reason == AvroLimit.byteCount.description)
  }

  @Test(arguments: AvroLimit.allCases)
  func `an error states the limit`(limit: AvroLimit) {
    let number = limit == .byteCount ? limit.maximum >> 20 : limit.maximum
    #expect("\(AvroError.limitExceeded(limit))".contains("more than \(number) "))
  }

  @Test func `a schema may have as many levels and types as the limits allow`() throws {
    func arrays(_ count: Int) -> String {
      String(repeating: #"{"type":"array","items":"#, count: count) + #""int""#
        + String(repeating: "}", count: count)
    }
    let depth = AvroLimit.depth.maximum
    #expect(throws: Never.self) { try Schema(parsing: arrays(depth - 1)) }
    // Named types nest without brackets.
    func records(_ count: Int) -> String {
      let records = (0..<count).map { number in
        let type = number == 0 ? "int" : "R\(number - 1)"
        return #"{"type":"record","name":"R\#(number)","fields":[{"name":"f","type":"\#(type)"}]}"#
      }
      return "[\(records.joined(separator: ","))]"
    }
    #expect(throws: Never.self) { try Schema(parsing: records(depth - 2)) }
    #expect(throws: AvroError.limitExceeded(.depth)) { try Schema(parsing: records(depth - 1)) }
    func union(_ count: Int) -> String {
      let types = (0..<count).map { #"{"type":"fixed","name":"F\#($0)","size":1}"# }
      return "[\(types.joined(separator: ","))]"
    }
    let types = AvroLimit.typeCount.maximum
    #expect(throws: Never.self) { try Schema(parsing: union(types - 1)) }
    #expect(throws: AvroError.limitExceeded(.typeCount)) { try Schema(parsing: union(types)) }
  }

  @Test func `recursive schemas with different cycle lengths are refused beyond the depth limit`()
    throws
  {
    // Each record has a field of the next type, and the last one of the first type. Their names match without
    // namespaces.
    func turn(_ count: Int) -> String {
      var text = #"{"name":"next","type":"n0.R"}"#
      for number in (0..<count).reversed() {
        let record = #"{"type":"record","name":"n\#(number).R","fields":[\#(text)]}"#
        if number == 0 { return record }
        text = #"{"name":"next","type":\#(record)}"#
      }
      return text
    }
    func resolution(_ one: Int, _ other: Int) throws -> SchemaResolution {
      try SchemaResolution(from: Schema(parsing: turn(one)), to: Schema(parsing: turn(other)))
    }
    #expect(throws: Never.self) { try resolution(11, 10) }
    #expect(throws: AvroError.limitExceeded(.depth)) { try resolution(25, 24) }
  }
}
