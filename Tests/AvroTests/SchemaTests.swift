import Avro
import Testing

@Suite(.tags(.unit)) struct SchemaTests {
  @Test(
    arguments: [
      (#""null""#, #""null""#, 0x63dd_24e7_cc25_8f8a),
      (#""boolean""#, #""boolean""#, 0x9f42_fc78_a4d4_f764),
      (#"{"type":"int"}"#, #""int""#, 0x7275_d51a_3f39_5c8f),
      (#"{"type":"int","logicalType":"date"}"#, #""int""#, 0x7275_d51a_3f39_5c8f),
      (#""long""#, #""long""#, 0xd054_e144_93f4_1db7),
      (#""float""#, #""float""#, 0x4d7c_02cb_3ea8_d790),
      (#""double""#, #""double""#, 0x8e75_35c0_32ab_957e),
      (#""bytes""#, #""bytes""#, 0x4fc0_16da_c320_1965),
      (#""string""#, #""string""#, 0x8f01_4872_6345_03c7),
      (
        #"{ "items": "null", "type": "array" }"#, #"{"type":"array","items":"null"}"#,
        0xf7d1_3f2f_6817_0a6d
      ),
      (#"["int" , "string"]"#, #"["int","string"]"#, 0x2912_62cb_521e_b610),
      ("[]", "[]", 0xeec6_e173_d23f_b9d1),
      (
        #"{"symbols":["A1"],"name":"Foo","type":"enum","namespace":"a.b","aliases":["Old"]}"#,
        #"{"name":"a.b.Foo","type":"enum","symbols":["A1"]}"#, 0x8436_6bee_8fef_ebbf
      ),
      (
        #"{"type":"fixed","name":"X","size":16,"logicalType":"uuid"}"#,
        #"{"name":"X","type":"fixed","size":16}"#, 0x7fcf_41fc_854f_b9fa
      ),
      (
        #"{"type":"record","name":"Foo","namespace":"x.y","doc":"d","fields":[{"name":"f1","default":"#
          + #""A","type":{"type":"enum","name":"E","symbols":["A","B"],"doc":"x"}},{"name":"f2","type":"#
          + #"["null","Foo"],"default":null},{"name":"f3","type":{"type":"fixed","name":"F","size":12,"#
          + #""namespace":"z"}},{"name":"f4","type":"z.F"},{"name":"f5","type":{"type":"map","values":"#
          + #""E"}}]}"#,
        #"{"name":"x.y.Foo","type":"record","fields":[{"name":"f1","type":{"name":"x.y.E","type":"enum","#
          + #""symbols":["A","B"]}},{"name":"f2","type":["null","x.y.Foo"]},{"name":"f3","type":{"name":"#
          + #""z.F","type":"fixed","size":12}},{"name":"f4","type":"z.F"},{"name":"f5","type":{"type":"#
          + #""map","values":"x.y.E"}}]}"#,
        0x456e_bb26_1b3d_e21d
      ),
    ] as [(String, String, UInt64)])
  func `the canonical form and fingerprint match those of other readers`(
    text: String, canonical: String, fingerprint: UInt64
  ) throws {
    let schema = try Schema(parsing: text)
    #expect(schema.canonicalForm == canonical)
    #expect(schema.fingerprint == fingerprint)
    #expect(try Schema(parsing: canonical).canonicalForm == canonical)
  }

  @Test func `a schema written as JSON parses back to the same schema`() throws {
    let text =
      #"{"type":"record","name":"a.Day","aliases":["a.Date"],"doc":"One day.","fields":["#
      + #"{"name":"n","type":{"type":"int","logicalType":"date"},"default":0,"aliases":["m"],"#
      + #""doc":"Days."},{"name":"mark","type":{"type":"enum","name":"a.Mark","aliases":["b.M"],"#
      + #""symbols":["full","off"],"default":"off"}},{"name":"key","type":{"type":"fixed","#
      + #""name":"a.Key","size":16,"logicalType":"uuid"}},{"name":"more","type":["null","#
      + #"{"type":"array","items":"a.Day"},{"type":"map","values":"a.Mark"}],"default":null}]}"#
    let schema = try Schema(parsing: text)
    #expect(schema.json.encoded == text)
    #expect(try Schema(schema.json) == schema)
    #expect(schema.name == "a.Day")
  }

  @Test func `the schema of a record follows from its fields`() throws {
    #expect(
      Walk.schema.json.encoded
        == #"{"type":"record","name":"Walk","fields":[{"name":"steps","type":"int"},"#
        + #"{"name":"note","type":["null","string"],"default":null}]}"#)
    #expect(try Schema(parsing: Everything.schema.json.encoded) == Everything.schema)
  }

  @Test(arguments: [
    (#"{"type":"enum","name":"E","namespace":"a","symbols":[]}"#, "a.E"),
    (#"{"type":"enum","name":"b.E","namespace":"a","symbols":[]}"#, "b.E"),
    (#"{"type":"enum","name":"E","namespace":"","symbols":[]}"#, "E"),
    (#"{"type":"error","name":"_9","fields":[]}"#, "_9"),
  ])
  func `a name is qualified by its namespace unless it contains dots`(text: String, name: String)
    throws
  {
    #expect(try Schema(parsing: text).name == name)
  }

  @Test func `a simple name inside a record belongs to the record's namespace`() throws {
    let schema = try Schema(
      parsing: #"{"type":"record","name":"R","namespace":"n","aliases":["Q","o.P"],"fields":["#
        + #"{"name":"a","type":{"type":"fixed","name":"F","size":2}},{"name":"b","type":"F"},"#
        + #"{"name":"c","type":"n.F"},{"name":"d","type":["null","R"]}]}"#)
    let fixed = Schema.fixed(.init(name: "n.F", byteCount: 2))
    let fields = ["a", "b", "c"].map { Schema.Field(name: $0, schema: fixed) }
    let last = Schema.Field(name: "d", schema: .union([.primitive(.null), .reference("n.R")]))
    #expect(
      schema
        == .record(.init(name: "n.R", aliases: ["n.Q", "o.P"], fields: fields + [last])))
  }

  @Test func `a type without a namespace keeps none inside a type that has one`() throws {
    let text =
      #"{"type":"record","name":"n.R","fields":[{"name":"a","type":{"type":"record","name":"S","#
      + #""namespace":"","fields":[{"name":"b","type":{"type":"fixed","name":"F","size":2}}]}},"#
      + #"{"name":"c","type":{"type":"enum","name":"E","namespace":"","symbols":["A"]}},"#
      + #"{"name":"d","type":{"type":"fixed","name":"G","namespace":"","size":1}},"#
      + #"{"name":"e","type":"F"}]}"#
    let schema = try Schema(parsing: text)
    #expect(schema.json.encoded == text)
    #expect(try Schema(schema.json) == schema)
  }

  /// Records that each have a given number of fields of the one before.
  private func records(_ count: Int, fields: Int) -> String {
    let records = (0..<count).map { number in
      let type = number == 0 ? "null" : "A\(number - 1)"
      let fields = (0..<fields).map { #"{"name":"f\#($0)","type":"\#(type)"}"# }
      return #"{"type":"record","name":"A\#(number)","fields":[\#(fields.joined(separator: ","))]}"#
    }
    return "[\(records.joined(separator: ","))]"
  }

  @Test func `a schema that expands beyond the limit is refused quickly`() throws {
    #expect(throws: Never.self) { try Schema(parsing: records(13, fields: 2)) }
    #expect(throws: AvroError.self) { try Schema(parsing: records(30, fields: 2)) }
    #expect(throws: AvroError.self) { try Schema(parsing: records(100, fields: 30)) }
    // A thousand uses of a record with a hundred fields that contain nothing themselves.
    #expect(throws: AvroError.self) {
      try Schema(parsing: #"{"type":"array","items":\#(records(3, fields: 1000))}"#)
    }
  }

  @Test func `a named type called array cannot be in a union with an array`() throws {
    let text = #"[{"type":"array","items":"int"},{"type":"record","name":"array","fields":[]}]"#
    #expect(throws: AvroError.self) { try Schema(parsing: text) }
    #expect(throws: Never.self) {
      try Schema(parsing: text.replacing(#""name":"array""#, with: #""name":"a.array""#))
    }
  }

  @Test func `an unknown logical type is kept and changes nothing`() throws {
    let schema = try Schema(parsing: #"{"type":"long","logicalType":"moon-phase"}"#)
    #expect(schema == .primitive(.long, logicalType: "moon-phase"))
    #expect(schema.fingerprint == Schema.primitive(.long).fingerprint)
  }

  @Test(arguments: [
    "", "{", "1", "null", "true", #""Int""#, #""a.b""#, "{}", #"{"type":1}"#, #"{"type":"what"}"#,
    #"{"type":"array"}"#, #"{"type":"map"}"#, #"{"type":"array","items":"nothing"}"#,
    #"["int","int"]"#, #"["null",["int"]]"#, #"[{"type":["int"]}]"#,
    #"[{"type":"long","logicalType":"x"},"long"]"#,
    #"[{"type":"map","values":"int"},{"type":"map","values":"long"}]"#,
    #"{"type":"enum","name":"E"}"#, #"{"type":"enum","symbols":[]}"#,
    #"{"type":"enum","name":"E","symbols":["A","A"]}"#,
    #"{"type":"enum","name":"E","symbols":["9"]}"#, #"{"type":"enum","name":"E","symbols":[1]}"#,
    #"{"type":"enum","name":"E","symbols":["A"],"default":"B"}"#,
    #"{"type":"enum","name":"E","symbols":["A"],"default":0}"#,
    #"{"type":"enum","name":"9E","symbols":[]}"#, #"{"type":"enum","name":"E-","symbols":[]}"#,
    #"{"type":"enum","name":"é","symbols":[]}"#, #"{"type":"enum","name":"","symbols":[]}"#,
    #"{"type":"enum","name":"a..E","symbols":[]}"#, #"{"type":"enum","name":".E","symbols":[]}"#,
    #"{"type":"enum","name":"int","symbols":[]}"#, #"{"type":"enum","name":"a.int","symbols":[]}"#,
    #"{"type":"enum","name":"E","namespace":"a..b","symbols":[]}"#,
    #"{"type":"enum","name":"E","namespace":"1","symbols":[]}"#,
    #"{"type":"enum","name":"E","symbols":[],"aliases":"F"}"#,
    #"{"type":"fixed","name":"F"}"#, #"{"type":"fixed","name":"F","size":-1}"#,
    #"{"type":"fixed","name":"F","size":"1"}"#, #"{"type":"fixed","name":"F","size":1.5}"#,
    #"{"type":"record","name":"R"}"#, #"{"type":"record","fields":[]}"#,
    #"{"type":"record","name":"R","fields":[1]}"#,
    #"{"type":"record","name":"R","fields":[{"type":"int"}]}"#,
    #"{"type":"record","name":"R","fields":[{"name":"a"}]}"#,
    #"{"type":"record","name":"R","fields":[{"name":"a.b","type":"int"}]}"#,
    #"{"type":"record","name":"R","fields":[{"name":"a","type":"Later"}]}"#,
    #"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]}"#,
    #"[{"type":"enum","name":"E","symbols":[]},{"type":"enum","name":"E","symbols":[]}]"#,
    #"{"type":"record","name":"n.R","fields":[{"name":"a","type":{"type":"enum","name":"R","#
      + #""symbols":[]}}]}"#,
  ])
  func `text that is not a schema is refused with a reason`(text: String) throws {
    let error = try #require(throws: AvroError.self) { try Schema(parsing: text) }
    guard case .invalidSchema(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func `an endlessly nested schema is refused`() {
    let text = String(repeating: #"{"type":"array","items":"#, count: 100_000) + #""int""#
    #expect(throws: AvroError.self) { try Schema(parsing: text) }
  }
}
