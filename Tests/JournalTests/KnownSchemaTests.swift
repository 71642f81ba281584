import Avro
import Testing

@testable import Journal

/// Schemas that are parsed once in a process.
@Suite(.tags(.unit)) struct KnownSchemaTests {
  @Test func `a text gives the same schema each time, whatever was read in between`() throws {
    let text = Note.schemaText
    for number in 0..<2 * KnownSchemas.capacity {
      #expect(try KnownSchemas.find(text).schema == Schema(parsing: text))
      let other = #"{"type":"fixed","name":"Other","size":\#(number)}"#
      #expect(try KnownSchemas.find(other).schema == Schema(parsing: other))
      #expect(KnownSchemas.count <= KnownSchemas.capacity)
    }
  }

  @Test func `an invalid schema is refused each time`() {
    for _ in 0..<2 {
      #expect(throws: AvroError.self) { try KnownSchemas.find(#"{"type":"nothing"}"#) }
    }
  }
}
