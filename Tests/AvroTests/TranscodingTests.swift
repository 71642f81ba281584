import Avro
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct TranscodingTests {
  private static let float = SchemaTranscoder(.primitive(.float))
  private static let double = SchemaTranscoder(.primitive(.double))

  private static func bytes(_ bits: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
  }

  @Test(
    arguments: [
      // Rounded to a double first, these digits would become the next larger float.
      (0x15ae_43fd, "7.038531e-26"), (0x0000_0001, "1e-45"), (0x8000_0000, "-0.0"),
      (0x7f7f_ffff, "3.4028235e+38"), (0x3dcc_cccd, "0.1"), (0x4b80_0000, "16777216.0"),
      (0x7f80_0000, #""Infinity""#), (0xff80_0000, #""-Infinity""#), (0x7fc0_0000, #""NaN""#),
    ] as [(UInt32, String)])
  func `a float is written as the shortest number that reads back to the same bits`(
    bits: UInt32, text: String
  ) throws {
    let json = try Self.float.json(encoded: Self.bytes(bits), PlainFormat())
    #expect(json.encoded == text)
    #expect(try Self.float.encode(JSON(parsing: text), PlainFormat()) == Self.bytes(bits))
  }

  @Test func `every float and double comes back from JSON bit for bit`() {
    let report = check("bits come back", .bits(), cases: 5_000) { bits in
      let double = Double(bitPattern: bits)
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      // JSON keeps only this of a NaN.
      if !double.isNaN {
        let json = try Self.double.json(encoded: double.encoded, PlainFormat())
        let read = try JSON(parsing: json.encoded)
        try expectEqual(try Self.double.encode(read, PlainFormat()), double.encoded)
      }
      if !float.isNaN {
        let bytes = Self.bytes(float.bitPattern)
        let json = try Self.float.json(encoded: bytes, PlainFormat())
        let read = try JSON(parsing: json.encoded)
        try expectEqual(try Self.float.encode(read, PlainFormat()), bytes)
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a number too large for its type is refused and never becomes infinite`() {
    for digits in ["1e39", "-1e39", "1e400"] {
      #expect(throws: TranscodingError.self) {
        try Self.float.encode(.number(digits), PlainFormat())
      }
    }
    #expect(throws: Never.self) { try Self.double.encode(.number("1e39"), PlainFormat()) }
    #expect(throws: TranscodingError.self) {
      try Self.double.encode(.number("1e400"), PlainFormat())
    }
  }

  /// The reader's value for a field that was not written.
  private func value(ofDefault text: String, _ type: String) throws -> JSON {
    let reader = try Schema(
      parsing:
        #"{"type":"record","name":"R","fields":[{"name":"n","type":\#(type),"default":\#(text)}]}"#)
    var output: [UInt8] = []
    try SchemaResolution(from: .record(.init(name: "R", fields: [])), to: reader).resolve(
      1, in: [UInt8]().span.bytes, into: &output)
    let json = try SchemaTranscoder(reader).json(encoded: output, PlainFormat())
    return try #require(json["n"])
  }

  static let one = #"{"type":"record","name":"One","fields":[{"name":"x","type":"int"}]}"#
  static let other =
    #"{"type":"record","name":"Other","fields":[{"name":"x","type":"string"},"#
    + #"{"name":"y","type":["null","int"],"default":null}]}"#

  @Test(
    arguments: [
      // Branches that fit the value itself, but not its parts.
      (#"{"x":"a"}"#, "[\(one),\(other)]", #"{"Other":{"x":"a","y":null}}"#),
      (#"{"x":1}"#, "[\(other),\(one)]", #"{"One":{"x":1}}"#),
      (
        #"{"x":"a"}"#, #"[{"type":"map","values":"int"},\#(other)]"#,
        #"{"Other":{"x":"a","y":null}}"#
      ),
      (
        #"{"x":["a",1]}"#,
        #"[{"type":"record","name":"L","fields":[{"name":"x","type":{"type":"array","items":"string"}}]},"#
          + #"{"type":"map","values":{"type":"array","items":["string","int"]}}]"#,
        #"{"map":{"x":[{"string":"a"},{"int":1}]}}"#
      ),
      (
        #"{"x":5000000000}"#, #"[\#(one),{"type":"map","values":"long"}]"#,
        #"{"map":{"x":5000000000}}"#
      ),
      // A text stays a text, even one that names a NaN.
      (#""NaN""#, #"["double","string"]"#, #"{"string":"NaN"}"#),
      (#""NaN""#, #"["float",{"type":"enum","name":"E","symbols":["NaN"]}]"#, #"{"E":"NaN"}"#),
      (#""NaN""#, #"["null","double"]"#, #""NaN""#),
      (#""-Infinity""#, #"["int","float","long"]"#, #"{"float":"-Infinity"}"#),
      (
        #"{"x":"NaN"}"#,
        #"[{"type":"record","name":"D","fields":[{"name":"x","type":"double"}]},\#(other)]"#,
        #"{"Other":{"x":"NaN","y":null}}"#
      ),
      (
        #"{"x":"NaN","y":"NaN"}"#,
        #"{"type":"record","name":"D","fields":[{"name":"x","type":"double"},"#
          + #"{"name":"y","type":["double","string"]}]}"#,
        #"{"x":"NaN","y":{"string":"NaN"}}"#
      ),
      // A field's own default does not belong to the value being judged.
      (
        "{}",
        #"[{"type":"record","name":"D","fields":[{"name":"x","type":"double","default":"NaN"}]},"#
          + #"{"type":"map","values":"int"}]"#, #"{"D":{"x":"NaN"}}"#
      ),
      (#"1"#, #"["double","int"]"#, #"{"double":1.0}"#),
      (#"1.0"#, #"["int","double"]"#, #"{"double":1.0}"#),
      (#"1e39"#, #"["float","double"]"#, #"{"double":1e+39}"#),
    ])
  func `a union's default takes the first branch that fits the whole value`(
    text: String, type: String, expected: String
  ) throws {
    #expect(try value(ofDefault: text, type).encoded == expected)
  }

  @Test func `a default with a billion ways to fail fails quickly`() throws {
    // Two records, each with a field that is either of them; the fault is at the bottom.
    let next = #"{"name":"next","type":["null","A","B"],"default":null}"#
    let inner =
      #"{"name":"next","type":["null","A",{"type":"record","name":"B","fields":[\#(next)]}],"default":null}"#
    let type = #"["null",{"type":"record","name":"A","fields":[\#(inner)]}]"#
    let fits = (0..<60).reduce("null") { text, _ in #"{"next":\#(text)}"# }
    let fails = (0..<60).reduce("1") { text, _ in #"{"next":\#(text)}"# }
    #expect(throws: Never.self) { try value(ofDefault: fits, type) }
    let error = #expect(throws: AvroError.self) { try value(ofDefault: fails, type) }
    #expect(error?.description.contains(AvroLimit.defaultValueCount.description) == true)
  }

  @Test func `a branch of an enclosing type is found by the type's aliases`() throws {
    let schema = try Schema(
      parsing: #"{"type":"record","name":"Now","aliases":["Then"],"fields":[{"name":"a","type":["#
        + #""null","int","Now"],"default":null}]}"#)
    let transcoder = SchemaTranscoder(schema)
    let bytes = try transcoder.encode(["a": ["Then": ["a": ["int": 7]]]], PlainFormat())
    #expect(try transcoder.json(encoded: bytes, PlainFormat()) == ["a": ["Now": ["a": ["int": 7]]]])
  }
}
