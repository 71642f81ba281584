import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct TranscoderTests {
  static let everything = """
    {"type":"record","name":"Thing","fields":[
      {"name":"flag","type":"boolean"},{"name":"small","type":"int"},{"name":"large","type":"long"},
      {"name":"single","type":"float"},{"name":"double","type":"double"},
      {"name":"raw","type":"bytes"},{"name":"two","type":{"type":"fixed","name":"Two","size":2}},
      {"name":"colour","type":{"type":"enum","name":"Colour","symbols":["red","green"]}},
      {"name":"list","type":{"type":"array","items":"string"},"default":[]},
      {"name":"table","type":{"type":"map","values":"int"}},
      {"name":"either","type":["null","int","Colour"],"default":null},
      {"name":"next","type":["null","Thing"],"default":null},
      {"name":"last","type":["string","null"],"default":"none"}]}
    """

  static let value = """
    {"flag":true,"small":-1,"large":9223372036854775807,"single":0.5,"double":"-Infinity",
     "raw":"\\u0000ÿ","two":"ab","colour":"green","list":["a","é"],"table":{"x":1,"y":2},
     "either":{"Colour":"red"},"next":null,"last":null}
    """

  let transcoder: SchemaTranscoder

  init() throws { transcoder = SchemaTranscoder(try Schema(parsing: Self.everything)) }

  /// Writes only plain types.
  struct Plain: LogicalFormat {
    func json(of number: Int64, as logicalType: String) -> JSON? { nil }
    func json(of bytes: [UInt8], as logicalType: String) -> JSON? { nil }
    func number(of json: JSON, as logicalType: String) -> Int64? { nil }
    func bytes(of json: JSON, as logicalType: String) -> [UInt8]? { nil }
  }

  @Test func `values of every type go to JSON and back`() throws {
    let inner = try JSON(parsing: Self.value)
    let outer = try #require(inner.with("next", inner))
    for json in [inner, outer] {
      let bytes = try transcoder.encode(json, Plain())
      #expect(try transcoder.json(encoded: bytes, Plain()) == json)
    }
  }

  @Test func `duplicate map names and oversized lists of nulls are refused`()
    throws
  {
    let map = SchemaTranscoder(.map(.primitive(.int)))
    #expect(try map.json(encoded: [0x04, 2, 0x61, 2, 2, 0x62, 4, 0], Plain()) == ["a": 1, "b": 2])
    #expect(throws: TranscodingError.self) {
      try map.json(encoded: [0x04, 2, 0x61, 2, 2, 0x61, 4, 0], Plain())
    }
    #expect(throws: TranscodingError.self) {
      try map.json(encoded: [0x01, 0x04, 2, 0x61, 2, 0], Plain())
    }
    let list = SchemaTranscoder(.array(.primitive(.null)))
    #expect(try list.json(encoded: [0x06, 0], Plain()) == [nil, nil, nil])
    #expect(throws: TranscodingError.self) {
      try list.json(encoded: [0x80, 0x80, 0x80, 0x01, 0], Plain())
    }
  }

  @Test func `a missing field takes its default, if it has one`() throws {
    var json = try JSON(parsing: Self.value)
    for name in ["list", "either", "next", "last"] { json = try #require(json.with(name, nil)) }
    let read = try transcoder.json(encoded: try transcoder.encode(json, Plain()), Plain())
    #expect(read["list"] == [] && read["either"] == .null && read["last"] == "none")
    let error = #expect(throws: TranscodingError.self) {
      try transcoder.encode(try #require(json.with("colour", nil)), Plain())
    }
    #expect(error?.description == "colour: it is missing")
  }

  @Test func `fields and branches are found by their aliases`() throws {
    let schema = try Schema(
      parsing:
        #"{"type":"record","name":"R","fields":[{"name":"new","type":"int","aliases":["old"]},"#
        + #"{"name":"old","type":"int","default":9},{"name":"what","type":["int","string",{"type":"#
        + #""record","name":"Now","aliases":["Then"],"fields":[]}]}]}"#)
    let transcoder = SchemaTranscoder(schema)
    let cases = [
      (#"{"old":1,"what":{"Then":{}}}"#, #"{"new":1,"old":9,"what":{"Now":{}}}"#),
      (#"{"new":1,"old":2,"what":{"Now":{}}}"#, #"{"new":1,"old":2,"what":{"Now":{}}}"#),
    ]
    for (given, meant) in cases {
      let bytes = try transcoder.encode(try JSON(parsing: given), Plain())
      #expect(try transcoder.json(encoded: bytes, Plain()) == JSON(parsing: meant))
    }
  }

  static let wrong: [(String, JSON, String)] = [
    ("small", .number("2147483648"), "small: 2147483648 is not a whole number of 32 bits"),
    ("large", .number("1.5"), "large: 1.5 is not a whole number"),
    ("flag", "true", "flag: \"true\" is not true or false"),
    ("two", "abc", "two: \"abc\" is not 2 bytes"),
    ("raw", "€", "raw: \"€\" is not a string of bytes"),
    ("colour", "blue", "colour: \"blue\" is not one of red, green"),
    ("list", ["a", 1], "list.1: 1 is not a string"), ("table", ["x": nil], "table.x: null is not"),
    ("either", ["Two": "ab"], "either: there is no type \"Two\" here"),
    ("next", ["flag": 1], "next.flag: 1 is not true or false"),
    ("other", 1, "other: Thing has no such field"),
  ]

  @Test(arguments: wrong) func `a value outside the schema is reported with its path`(
    name: String, value: JSON, reason: String
  ) throws {
    let json = try #require(try JSON(parsing: Self.value).with(name, value))
    let error = #expect(throws: TranscodingError.self) { try transcoder.encode(json, Plain()) }
    #expect(error?.description.hasPrefix(reason) == true, "\(String(describing: error))")
  }

  @Test func `cut or changed bytes give an error or another value`() throws {
    let bytes = try transcoder.encode(try JSON(parsing: Self.value), Plain())
    for count in 0..<bytes.count {
      #expect(throws: TranscodingError.self) {
        try transcoder.json(encoded: Array(bytes[..<count]), Plain())
      }
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[count] = byte
        _ = try? transcoder.json(encoded: changed, Plain())
      }
    }
  }
}

extension JSON {
  /// The object with a member set or removed.
  fileprivate func with(_ name: String, _ value: JSON?) -> JSON? {
    guard var members else { return nil }
    if let index = members.firstIndex(where: { $0.name == name }) {
      if let value { members[index].value = value } else { members.remove(at: index) }
    } else if let value {
      members.append(Member(name, value))
    }
    return .object(members)
  }
}
