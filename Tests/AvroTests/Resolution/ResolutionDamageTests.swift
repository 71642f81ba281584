import Avro
import Testing

/// Malicious bytes and schemas: each ends in an error, quickly and in little memory.
@Suite(.tags(.damage)) struct ResolutionDamageTests {
  private func resolution(_ writer: String, _ reader: String) throws -> SchemaResolution {
    try SchemaResolution(from: Schema(parsing: writer), to: Schema(parsing: reader))
  }

  private func expect(
    _ writer: String, _ reader: String, _ bytes: [UInt8], count: Int = 1, fails error: AvroError,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let resolution = try resolution(writer, reader)
    #expect(throws: error, sourceLocation: location) {
      var output: [UInt8] = []
      try resolution.resolve(count, in: bytes.span.bytes, into: &output)
    }
  }

  private static func bytes(_ numbers: Int64...) -> [UInt8] {
    var writer = BinaryWriter()
    for number in numbers { writer.put(number) }
    return writer.bytes
  }

  @Test func `out-of-range numbers, branches, symbols and lengths are refused`() throws {
    let far = Self.bytes(1 << 31)
    // This holds also where the value is only skipped or copied.
    for (writer, reader) in [
      (#""int""#, #""double""#), (#""int""#, #""long""#),
      (
        #"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#,
        #"{"type":"record","name":"R","fields":[]}"#
      ),
    ] {
      try expect(writer, reader, far, fails: .numberTooLarge)
    }
    let union = #"["null","int"]"#
    for reader in [union, #""int""#, #"["int","null"]"#] {
      try expect(union, reader, Self.bytes(2, 1), fails: .unknownBranch(2))
      try expect(union, reader, Self.bytes(-1, 1), fails: .unknownBranch(-1))
    }
    let old = #"{"type":"enum","name":"E","symbols":["a"]}"#
    // A symbol number that only the reader's schema has is damage as well.
    for symbols in [#"["a","b"]"#, #"["b","a"]"#] {
      let new = #"{"type":"enum","name":"E","symbols":\#(symbols)}"#
      try expect(old, new, Self.bytes(1), fails: .unknownSymbol(1))
      try expect(old, new, Self.bytes(-1), fails: .unknownSymbol(-1))
    }
    try expect(#""string""#, #""bytes""#, Self.bytes(-1), fails: .invalidLength)
    try expect(#""string""#, #""bytes""#, Self.bytes(9), fails: .invalidLength)
    try expect(#""float""#, #""double""#, [0, 0, 0], fails: .truncated)
    try expect(#""int""#, #""long""#, Self.bytes(1, 1), fails: .trailingBytes)
    try expect(#""int""#, #""long""#, [], count: -1, fails: .invalidLength)
  }

  @Test func `an array block whose byte count is wrong is refused`() throws {
    let (ints, doubles) = (
      #"{"type":"array","items":"int"}"#, #"{"type":"array","items":"double"}"#
    )
    var output: [UInt8] = []
    let resolution = try resolution(ints, doubles)
    try resolution.resolve(1, in: Self.bytes(-2, 2, 1, 1, 0).span.bytes, into: &output)
    #expect(output.count == 18)
    try expect(ints, doubles, Self.bytes(-2, 1, 1, 1, 0), fails: .invalidLength)
    try expect(ints, doubles, Self.bytes(-2, 3, 1, 1, 0), fails: .invalidLength)
    try expect(ints, doubles, Self.bytes(.min), fails: .invalidLength)
  }

  @Test func `values nested too deeply are refused, whether copied, resolved or skipped`() throws {
    let list = #"{"type":"record","name":"R","fields":[{"name":"n","type":["null","R"]}"#
    let more = list + #",{"name":"d","type":"int","default":0}]}"#
    let depth = 100_000
    let bytes = [UInt8](repeating: 2, count: depth) + [0]
    try expect(list + "]}", list + "]}", bytes, fails: .limitExceeded(.depth))
    try expect(list + "]}", more, bytes, fails: .limitExceeded(.depth))
    let around = #"{"type":"record","name":"A","fields":["#
    try expect(
      around + #"{"name":"a","type":"# + list + "]}}]}", around + "]}", bytes,
      fails: .limitExceeded(.depth))
    // As deep as a list may be: two levels for each of its records.
    var output: [UInt8] = []
    let short = [UInt8](repeating: 2, count: 62) + [0]
    try resolution(list + "]}", more).resolve(1, in: short.span.bytes, into: &output)
    #expect(output.count == 126)
  }

  @Test func `an endlessly nested record is refused`() throws {
    let endless = #"{"type":"record","name":"R","fields":[{"name":"n","type":"R"}"#
    try expect(endless + "]}", endless + "]}", [], fails: .limitExceeded(.depth))
    try expect(
      #"{"type":"record","name":"A","fields":[{"name":"a","type":\#(endless)]}}]}"#,
      #"{"type":"record","name":"A","fields":[]}"#, [], fails: .limitExceeded(.depth))
    try expect(
      endless + #",{"name":"a","type":"int"}]}"#,
      endless + #",{"name":"a","type":"long"},{"name":"b","type":"int","default":0}]}"#, [],
      fails: .limitExceeded(.depth))
  }

  @Test func `a huge count of values without bytes costs neither time nor memory`() throws {
    let nulls = #"{"type":"array","items":"null"}"#
    let limit = AvroLimit.emptyItemCount
    let bytes = Self.bytes(Int64(limit.maximum), 0)
    var output: [UInt8] = []
    try resolution(nulls, nulls).resolve(1, in: bytes.span.bytes, into: &output)
    #expect(output == bytes)
    try expect(nulls, nulls, Self.bytes(1 << 62, 0), fails: .limitExceeded(limit))
    try resolution(#"["null"]"#, #""null""#).resolve(0, in: [UInt8]().span.bytes, into: &output)
    try resolution(#""null""#, #""null""#).resolve(
      limit.maximum, in: [UInt8]().span.bytes, into: &output)
    #expect(output.isEmpty)
    try expect(#""null""#, #""null""#, [], count: .max, fails: .limitExceeded(limit))
    // Fields in another order are read twice, and their contents are counted once.
    func record(_ names: String...) -> String {
      let fields = names.map { #"{"name":"\#($0)","type":\#(nulls)}"# }
      return #"{"type":"record","name":"R","fields":[\#(fields.joined(separator: ","))]}"#
    }
    let half = Self.bytes(Int64(limit.maximum / 2), 0)
    let turned = try resolution(record("a", "b"), record("b", "a"))
    try turned.resolve(1, in: (half + half).span.bytes, into: &output)
    #expect(output == half + half)
    try expect(
      record("a", "b"), record("b", "a"), half + bytes, fails: .limitExceeded(limit))
    let empty = #"{"type":"array","items":{"type":"record","name":"R","fields":[]}}"#
    let full =
      #"{"type":"array","items":{"type":"record","name":"R","fields":[{"name":"t","type":"string","#
      + #""default":"\#(String(repeating: "x", count: 1 << 16))"}]}}"#
    try expect(empty, full, bytes, fails: .limitExceeded(.byteCount))
  }

  /// Types that are named once and used twice, each in the next: twelve levels give 4096 values.
  private static func doubling(_ inner: String, levels: Int = 12) -> String {
    var fields = [#"{"name":"f0","type":{"type":"record","name":"R0","fields":[\#(inner)]}}"#]
    for level in 1...levels {
      let type = #""R\#(level - 1)""#
      fields.append(
        #"{"name":"f\#(level)","type":{"type":"record","name":"R\#(level)","fields":["#
          + #"{"name":"a","type":\#(type)},{"name":"b","type":\#(type)}]}}"#)
    }
    return #"{"type":"record","name":"All","fields":[\#(fields.joined(separator: ","))]}"#
  }

  @Test func `a short schema with endless values ends when the bytes end`() throws {
    let int = Self.doubling(#"{"name":"v","type":"int"}"#)
    let empty = Self.doubling("")
    let flag = Self.doubling(#"{"name":"v","type":"boolean"}"#)
    let zeros = [UInt8](repeating: 0, count: 1000)
    try expect(flag, flag, zeros, fails: .truncated)
    try expect(int, int, zeros, fails: .truncated)
    try expect(int, empty, zeros, fails: .truncated)
    var output: [UInt8] = []
    try resolution(empty, empty).resolve(1, in: [UInt8]().span.bytes, into: &output)
    #expect(output.isEmpty)
    let text = String(repeating: "x", count: 1 << 20)
    let added = Self.doubling(#"{"name":"v","type":"string","default":"\#(text)"}"#)
    try expect(empty, added, [], fails: .limitExceeded(.byteCount))
  }

  @Test func `a schema nested too deeply through names is refused`() throws {
    func chain(_ levels: Int) -> String {
      var branches = [#"{"type":"record","name":"R0","fields":[]}"#]
      for level in 1..<levels {
        branches.append(
          #"{"type":"record","name":"R\#(level)","fields":[{"name":"a","type":"R\#(level - 1)"}]}"#)
      }
      return "[\(branches.joined(separator: ","))]"
    }
    _ = try resolution(chain(120), chain(120))
    #expect(throws: AvroError.self) { try Schema(parsing: chain(1000)) }
  }
}
