import Avro
import PropertyTesting
import Testing

/// Attributes of a schema beyond the layout of bytes are kept and written again.
@Suite(.tags(.unit)) struct AttributeTests {
  @Test(arguments: [
    #"{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}"#,
    #"{"type":"fixed","name":"Money","size":8,"logicalType":"decimal","precision":18,"scale":4}"#,
    #"{"type":"fixed","name":"F","size":8,"doc":"Eight."}"#,
    #"{"type":"enum","name":"E","doc":"A mark.","symbols":["a"],"default":"a","since":[1,2.50]}"#,
    #"{"type":"record","name":"R","doc":"One.","fields":[{"name":"a","type":"int","default":1,"#
      + #""doc":"In days.","order":"descending","personal":true,"unit":"d"},{"name":"b","type":"#
      + #""int","order":"ignore"},{"name":"c","type":"int","order":"ascending"}],"owner":{"x":null}}"#,
    #"{"type":"error","name":"Failure","fields":[]}"#,
    #"{"type":"string","avro.java.string":"String"}"#,
    #"{"type":"array","items":{"type":"null","why":"none"},"java-class":"java.util.Set"}"#,
    #"{"type":"map","values":"long","logicalType":"multiset","cp_boolean":true}"#,
    #"[{"type":"null","a":1},{"type":"int","logicalType":"date","b":[]}]"#,
    // Attributes of the wrong type have no meaning, and stay.
    #"{"type":"long","logicalType":7}"#,
    #"{"type":"record","name":"R","fields":[{"name":"a","type":"int","personal":"yes"}],"doc":1}"#,
  ])
  func `schema attributes are written as they were read`(text: String) throws {
    let schema = try Schema(parsing: text)
    #expect(schema.json.encoded == text)
    #expect(try Schema(schema.json) == schema)
    let canonical = try Schema(parsing: schema.canonicalForm)
    #expect(canonical.json != schema.json && canonical.canonicalForm == schema.canonicalForm)
  }

  @Test func `an attribute with a reserved name is not written`() throws {
    var fixed = Schema.Fixed(name: "F", byteCount: 2)
    fixed.attributes = [.init("size", 3), .init("type", "int"), .init("x", 1)]
    #expect(Schema.fixed(fixed).json.encoded == #"{"type":"fixed","name":"F","size":2,"x":1}"#)
  }

  @Test func `attributes change neither how values are read nor how they appear in JSON`() throws {
    let plain = try Schema(parsing: #"["null",{"type":"array","items":"int"}]"#)
    let rich = try Schema(
      parsing: #"[{"type":"null","x":1},{"type":"array","items":{"type":"int","y":2},"z":3}]"#)
    let value = try SchemaTranscoder(plain).encode([1, 2], PlainFormat())
    #expect(try SchemaTranscoder(rich).encode([1, 2], PlainFormat()) == value)
    #expect(try SchemaTranscoder(rich).encode(nil, PlainFormat()) == [0])
    #expect(try SchemaTranscoder(rich).json(encoded: [0], PlainFormat()) == .null)
    #expect(try SchemaResolution(from: plain, to: rich).changesNothing)
    let personal = try Schema(
      parsing: #"{"type":"record","name":"R","fields":[{"name":"a","type":[{"type":"null","x":1},"#
        + #""string"],"personal":true}]}"#)
    #expect(try PersonalEraser(personal).erased([2, 2, 0x61]) == [0])
  }

  @Test func `an unknown sort order is refused`() {
    #expect(throws: AvroError.self) {
      try Schema(
        parsing: #"{"type":"record","name":"R","fields":[{"name":"a","type":"int","order":"up"}]}"#)
    }
  }

  @Test
  func `a type without a namespace differs from a type of the same name in the enclosing one`()
    throws
  {
    let text =
      #"["int",{"type":"fixed","name":"F","size":1},{"type":"record","name":"n.R","fields":["#
      + #"{"name":"a","type":"F"},{"name":"b","type":{"type":"fixed","name":"n.F","size":2}},"#
      + #"{"name":"c","type":".F"},{"name":"d","type":"n.F"}]}]"#
    let schema = try Schema(parsing: text)
    #expect(schema.json.encoded == text)
    #expect(try Schema(schema.json) == schema)
    guard case .union(let branches) = schema, case .record(let record) = branches[2] else {
      Issue.record("\(schema)")
      return
    }
    #expect(record.fields.map(\.schema.name) == ["F", "n.F", "F", "n.F"])
  }
}
