import Avro
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct JSONTests {
  @Test(
    arguments: [
      ("null", .null), (" \t\r\n true ", true), ("false", false), ("\"\"", ""), ("[]", []),
      ("{}", [:]), ("[1 , 2]", [1, 2]), (#"{"a":{"b":[null]}}"#, ["a": ["b": [nil]]]),
      ("-0", .number("-0")), ("0.10", .number("0.10")), ("1E+400", .number("1E+400")),
      ("12345678901234567890123", .number("12345678901234567890123")),
      (#""\"\\\/\b\f\n\r\t\u0041""#, "\"\\/\u{8}\u{C}\n\r\tA"), (#""\ud83D\uDE00""#, "😀"),
      (#""\u0000""#, "\0"), ("\"é\u{7F}\u{2028}\"", "é\u{7F}\u{2028}"),
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
    ] as [(String, JSON)])
  func `text that follows RFC 8259 is read`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
    #expect(try JSON(parsing: value.encoded) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "nullx", "True", "01", "-", "-01", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN",
    "Infinity", "1 2", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}", "{a:1}", "{'a':1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}", "{1:1}",
    "{\"a\":1,\"\\u0061\":2}", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"",
    "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"\\ud800x\"", "\"\\ud800\\n\"",
    "\"\n\"", "\"\u{1F}\"", "// a\n1", "/*a*/1", "\u{FEFF}1", "\u{A0}1", "[1]]", "nullnull",
  ])
  func `a text outside RFC 8259 is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xE2, 0x82, 0x22],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
  }

  @Test func `an error states the byte where the text is wrong`() throws {
    let error = try #require(throws: JSONError.self) { try JSON(parsing: #"{"a":1,"a":2}"#) }
    #expect("\(error)" == #"not valid JSON at byte 7: the name "a" comes twice"#)
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"b":2,"a":3,"a":4}"#, #"{"b":2,"a":4}"#),
    (#"[{"a":{"b":1,"b":[]},"a":{"b":2,"\u0062":3}}]"#, #"[{"a":{"b":3}}]"#),
    ("{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
  ])
  func `the last of several members with one name counts when the caller asks for that`(
    text: String, kept: String
  ) throws {
    let json = try JSON(parsing: Array(text.utf8), lastOfNameCounts: true)
    #expect(json.encoded == kept)
  }

  @Test func `the last of very many members with one name counts`() throws {
    let names = (0..<1000).map { "n\($0 % 50)" }
    let members = names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",")
    let json = try JSON(parsing: Array("{\(members)}".utf8), lastOfNameCounts: true)
    #expect(json.members == (950..<1000).map { JSON.Member("n\($0 % 50)", .number($0)) })
  }

  @Test func `nesting of 128 levels is read, and 129 levels are refused`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSON(parsing: nested(128)).elements?.count == 1)
    #expect(throws: JSONError.self) { try JSON(parsing: nested(129)) }
    #expect(throws: JSONError.self) { try JSON(parsing: nested(1_000_000)) }
  }

  @Test func `the members of a large object are read in order`() throws {
    let members = (0..<20_000).map { JSON.Member("name\($0)", .number($0)) }
    #expect(try JSON(parsing: JSON.object(members).encoded) == .object(members))
  }

  @Test func `a value is returned only as its own kind`() throws {
    let value = try JSON(parsing: #"{"n":12,"big":9223372036854775808,"t":"x","b":true,"l":[1]}"#)
    #expect(value["n"]?.integer == 12)
    #expect(value["big"]?.integer == nil)
    #expect(value["t"]?.text == "x")
    #expect(value["b"]?.boolean == true)
    #expect(value["l"]?.elements == [1])
    #expect(value["none"] == nil)
    #expect(value.members?.count == 5)
  }

  @Test func `only control characters, quotes and backslashes are escaped`() {
    #expect(
      JSON.string("a\"\\\n\r\t\u{1} é😀\u{7F}").encoded == #""a\"\\\n\r\t\u0001 é😀"# + "\u{7F}\"")
  }

  @Test func `every value is read as it was written`() {
    let text = Generator<String>.unicode(count: 0...8)
    let leaf = Generator<JSON>.oneOf(
      .constant(.null), Generator<Bool>.bool().map { .bool($0) },
      Generator<Int>.integer().map { .number($0) }, text.map { .string($0) })
    let values = Generator<JSON>.recursive(leaf: leaf, depth: 4) { inner in
      .oneOf(
        inner.array(count: 0...4).map { .array($0) },
        inner.array(count: 0...4).map { values in
          .object(values.enumerated().map { JSON.Member("\($0)", $1) })
        })
    }
    let report = check("JSON reads back", values, cases: 500) { value in
      try expectEqual(try JSON(parsing: value.encoded), value)
    }
    #expect(report.passed, "\(report)")
  }
}
