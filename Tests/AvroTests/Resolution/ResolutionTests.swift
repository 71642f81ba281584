import Avro
import Testing

@Suite(.tags(.unit)) struct ResolutionTests {
  /// Resolves a value that is given, and gives it back, as JSON.
  private func resolve(_ value: JSON, from writer: String, to reader: String) throws -> JSON {
    let writer = try Schema(parsing: writer)
    let reader = try Schema(parsing: reader)
    let bytes = try SchemaTranscoder(writer).encode(value, PlainFormat())
    var resolved: [UInt8] = []
    try SchemaResolution(from: writer, to: reader).resolve(
      1, in: bytes.span.bytes, into: &resolved)
    return try SchemaTranscoder(reader).json(encoded: resolved, PlainFormat())
  }

  private static func record(_ fields: String, name: String = "R", more: String = "") -> String {
    #"{"type":"record","name":"\#(name)"\#(more),"fields":[\#(fields)]}"#
  }

  private static func field(_ name: String, _ type: String, _ more: String = "") -> String {
    #"{"name":"\#(name)","type":\#(type)\#(more)}"#
  }

  private static func enumeration(_ symbols: String, _ more: String = "") -> String {
    #"{"type":"enum","name":"E","symbols":\#(symbols)\#(more)}"#
  }

  typealias Case = (value: JSON, writer: String, reader: String, expected: JSON)

  static let primitives: [Case] = [
    (7, #""int""#, #""long""#, 7), (-7, #""int""#, #""float""#, .number("-7.0")),
    (7, #""int""#, #""double""#, .number("7.0")), (-7, #""long""#, #""float""#, .number("-7.0")),
    (
      9_007_199_254_740_993, #""long""#, #""double""#, .number("9007199254740992.0")
    ),
    (.number("0.1"), #""float""#, #""double""#, .number("0.10000000149011612")),
    ("NaN", #""float""#, #""double""#, "NaN"),
    ("é", #""string""#, #""bytes""#, "\u{C3}\u{A9}"),
    ("\u{C3}\u{A9}", #""bytes""#, #""string""#, "é"),
    (7, #"{"type":"int","logicalType":"date"}"#, #"{"type":"long","logicalType":"x"}"#, 7),
    (
      ["a": [1, 2]], #"{"type":"map","values":{"type":"array","items":"int"}}"#,
      #"{"type":"map","values":{"type":"array","items":"double"}}"#,
      ["a": [.number("1.0"), .number("2.0")]]
    ),
    (
      "ab", #"{"type":"fixed","name":"a.F","size":2}"#, #"{"type":"fixed","name":"b.F","size":2}"#,
      "ab"
    ),
    (
      "ab", #"{"type":"fixed","name":"F","size":2}"#,
      #"{"type":"fixed","name":"G","aliases":["F"],"size":2}"#, "ab"
    ),
  ]

  static let fields: [Case] = [
    // Fields in another order, one of them skipped, one new.
    (
      ["a": 1, "b": "x", "c": [1, 2], "d": true],
      record(
        [
          field("a", #""int""#), field("b", #""string""#),
          field("c", #"{"type":"array","items":"int"}"#), field("d", #""boolean""#),
        ].joined(
          separator: ",")),
      record(
        [
          field("d", #""boolean""#), field("e", #"["null","int"]"#, #","default":null"#),
          field("c", #"{"type":"array","items":"int"}"#), field("a", #""long""#),
        ].joined(
          separator: ",")),
      ["d": true, "e": nil, "c": [1, 2], "a": 1]
    ),
    // By an alias: the first one that the writer has.
    (
      ["a": 1, "b": 2], record(field("a", #""int""#) + "," + field("b", #""int""#)),
      record(field("c", #""int""#, #","aliases":["z","b","a"]"#)), ["c": 2]
    ),
    // Another field took over the old name: the written value belongs to the renamed field.
    (
      ["a": 1], record(field("a", #""int""#)),
      record(
        field("b", #""int""#, #","aliases":["a"]"#) + "," + field("a", #""int""#, #","default":9"#)),
      ["b": 1, "a": 9]
    ),
    // The writer has both names, so each is taken literally.
    (
      ["a": 1, "b": 2], record(field("a", #""int""#) + "," + field("b", #""int""#)),
      record(
        field("b", #""int""#, #","aliases":["a"]"#) + "," + field("a", #""int""#, #","default":9"#)),
      ["b": 2, "a": 1]
    ),
    // By unqualified name, by an alias in the record's namespace, and by a full alias.
    ([:], record("", name: "a.R"), record("", name: "b.R"), [:]),
    ([:], record("", name: "a.Old"), record("", name: "a.R", more: #","aliases":["Old"]"#), [:]),
    ([:], record("", name: "b.Old"), record("", name: "a.R", more: #","aliases":["b.Old"]"#), [:]),
    // Fields without bytes are found in any order.
    (
      ["a": nil, "b": 1], record(field("a", #""null""#) + "," + field("b", #""int""#)),
      record(field("b", #""int""#) + "," + field("a", #"["int","null"]"#)), ["b": 1, "a": nil]
    ),
  ]

  static let unions: [Case] = [
    (1, #""int""#, #"["null","int"]"#, 1), (1, #"["null","int"]"#, #""int""#, 1),
    (["int": 1], #"["int","string"]"#, #"["string","double","long"]"#, ["double": .number("1.0")]),
    // The same type takes precedence over an earlier type by promotion.
    (["int": 1], #"["int","string"]"#, #"["double","string","int"]"#, ["int": 1]),
    (["int": 1], #"["long","int","null"]"#, #"["long","int","null","string"]"#, ["int": 1]),
    (
      ["b.R": ["a": 1]],
      "[\(record(field("a", #""int""#), name: "a.R")),\(record(field("a", #""int""#), name: "b.R")),"
        + #""null"]"#,
      "[\(record(field("a", #""int""#), name: "a.R")),\(record(field("a", #""long""#), name: "b.R"))]",
      ["b.R": ["a": 1]]
    ),
    // The writer has both names: an alias does not confuse them.
    (
      ["A": [:]], "[\(record("", name: "A")),\(record("", name: "B"))]",
      "[\(record("", name: "A")),\(record("", name: "B", more: #","aliases":["A"]"#))]", ["A": [:]]
    ),
    // A renamed record, in a union with another record of the same shape.
    (
      ["Old": ["a": 1]],
      "[\(record(field("a", #""int""#), name: "Other")),\(record(field("a", #""int""#), name: "Old"))]",
      "[\(record(field("a", #""int""#), name: "Other")),"
        + record(field("a", #""int""#), name: "New", more: #","aliases":["Old"]"#) + "]",
      ["New": ["a": 1]]
    ),
  ]

  static let symbols: [Case] = [
    ("b", enumeration(#"["a","b"]"#), enumeration(#"["b","c","a"]"#), "b"),
    ("b", enumeration(#"["a","b"]"#), enumeration(#"["c","a"]"#, #","default":"c""#), "c"),
    ("a", enumeration(#"["a","b"]"#), enumeration(#"["c","a"]"#), "a"),
  ]

  static let defaults: [Case] = [
    (#"["null","int"]"#, "null", nil), (#"["int","null"]"#, "5", 5),
    // Since Avro 1.12 a default may be of any branch: the first that fits.
    (#"["null","int"]"#, "5", 5),
    (#"["null","long","string",{"type":"array","items":"int"}]"#, "[1]", ["array": [1]]),
    (#"["null","int","long"]"#, "5000000000", ["long": 5_000_000_000]),
    (#"["bytes","string"]"#, #""é€""#, ["string": "é€"]),
    (#""float""#, "1", .number("1.0")), (#""double""#, #""NaN""#, "NaN"),
    (enumeration(#"["a","b"]"#), #""b""#, "b"), (#"{"type":"map","values":"int"}"#, "{}", [:]),
    (
      record(
        field("x", #"["null","string"]"#, #","default":null"#) + ","
          + field("y", #"["null","string"]"#), name: "S"),
      #"{"y":"z"}"#, ["x": nil, "y": "z"]
    ),
  ].map { type, text, expected in
    ([:], record(""), record(field("n", type, #","default":"# + text)), ["n": expected])
  }

  @Test(arguments: primitives + fields + unions + symbols + defaults)
  func `a value written with one schema is read with another`(
    value: JSON, writer: String, reader: String, expected: JSON
  ) throws {
    #expect(try resolve(value, from: writer, to: reader) == expected)
  }

  @Test func `a recursive record is resolved at every depth`() throws {
    let old = Self.record(Self.field("v", #""int""#) + "," + Self.field("next", #"["null","R"]"#))
    let new = Self.record(
      Self.field("next", #"["null","R"]"#) + "," + Self.field("n", #""int""#, #","default":0"#)
        + "," + Self.field("v", #""long""#))
    let value = try JSON(parsing: #"{"v":1,"next":{"v":2,"next":{"v":3,"next":null}}}"#)
    let expected =
      #"{"next":{"next":{"next":null,"n":0,"v":3},"n":0,"v":2},"n":0,"v":1}"#
    #expect(try resolve(value, from: old, to: new).encoded == expected)
  }

  @Test(
    arguments: [
      (#""long""#, #""int""#, "long was written, and int is read"),
      (#""string""#, #""int""#, "string was written, and int is read"),
      (#""int""#, #"["null","string"]"#, "none of the types of the reader accepts int"),
      (#"["null","string"]"#, #""int""#, "null was written, and int is read"),
      (
        #"{"type":"array","items":"string"}"#, #"{"type":"array","items":"int"}"#,
        "an array was written, and an array is read"
      ),
      (record("", name: "A"), record("", name: "B"), "A was written, and B is read"),
      (record("", name: "A"), enumeration("[]"), "A was written, and E is read"),
      (
        #"{"type":"fixed","name":"F","size":2}"#, #"{"type":"fixed","name":"F","size":3}"#,
        "F was written, and F is read"
      ),
      (record(""), record(field("a", #""int""#)), "R.a: it was not written, and has no default"),
      (
        record(field("a", #""long""#)), record(field("a", #""int""#)),
        "R.a: long was written, and int is read"
      ),
    ])
  func `schemas that can never match are refused at compilation, with the place`(
    writer: String, reader: String, reason: String
  ) throws {
    let writer = try Schema(parsing: writer)
    let reader = try Schema(parsing: reader)
    #expect(throws: AvroError.schemaMismatch(reason)) {
      try SchemaResolution(from: writer, to: reader)
    }
  }

  @Test func `a branch or symbol that does not match is refused only when it occurs`() throws {
    let union = #"["null","string",\#(Self.record("", name: "N"))]"#
    #expect(try resolve(nil, from: union, to: #"["null","string"]"#) == .null)
    #expect(try resolve(["string": "x"], from: union, to: #"["null","string"]"#) == "x")
    let branch = AvroError.schemaMismatch("none of the types of the reader accepts N")
    #expect(throws: branch) {
      try resolve(["N": [:]], from: union, to: #"["null","string"]"#)
    }
    let old = Self.enumeration(#"["a"]"#)
    let new = Self.enumeration(#"["b","a"]"#)
    #expect(try resolve("a", from: new, to: old) == "a")
    #expect(throws: AvroError.schemaMismatch("E has no symbol b")) {
      try resolve("b", from: new, to: old)
    }
  }

  @Test(arguments: [
    (#""int""#, #""x""#), (#"["null","int"]"#, #""x""#), (#""bytes""#, #""€""#),
    (enumeration(#"["a"]"#), #""b""#), (record(field("y", #""int""#), name: "S"), "{}"),
    (record("", name: "S"), #"{"z":1}"#), (#"{"type":"fixed","name":"F","size":2}"#, #""a""#),
  ])
  func `a default that does not fit its field is refused`(type: String, text: String) throws {
    let reader = try Schema(
      parsing: Self.record(Self.field("n", type, #","default":\#(text)"#)))
    let error = #expect(throws: AvroError.self) {
      try SchemaResolution(from: Schema(parsing: Self.record("")), to: reader)
    }
    guard case .invalidSchema = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    (#""int""#, #""long""#, true), (#""long""#, #""double""#, false),
    (#""int""#, #"["int"]"#, false), (#"["null","int"]"#, #"["null","long","string"]"#, true),
    (#"["null","int"]"#, #"["int","null"]"#, false),
    (enumeration(#"["a"]"#), enumeration(#"["a","b"]"#, #","default":"b""#), true),
    (enumeration(#"["a"]"#), enumeration(#"["b","a"]"#), false),
    (
      record(field("a", #""int""#) + "," + field("b", #"["null","R"]"#)),
      record(
        field("c", #""long""#, #","aliases":["a"],"default":1"#) + ","
          + field("b", #"["null","int"]"#), name: "R"), false
    ),
    (
      record(field("a", #"{"type":"array","items":"int"}"#)),
      record(field("c", #"{"type":"array","items":"long"}"#, #","aliases":["a"]"#)), true
    ),
    (record(""), record(field("a", #""null""#, #","default":null"#)), true),
    (record(field("a", #""int""#)), record(""), false),
  ])
  func `a resolution knows whether it leaves all bytes unchanged`(
    writer: String, reader: String, isSame: Bool
  ) throws {
    let resolution = try SchemaResolution(
      from: Schema(parsing: writer), to: Schema(parsing: reader))
    #expect(resolution.changesNothing == isSame)
  }
}
