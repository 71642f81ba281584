import Avro
import Testing

@Suite struct ValueScannerTests {
  private func pass(over bytes: [UInt8], _ schema: Schema) throws {
    var reader = BinaryReader(bytes.span.bytes)
    try ValueScanner(schema).pass(over: &reader)
    guard reader.isAtEnd else { throw AvroError.trailingBytes }
  }

  @Test(.timeLimit(.minutes(1)))
  func `values that take no bytes are not counted out`() throws {
    // A thousand blocks of a million nulls.
    let blocks = Array(repeating: [0x80, 0x80, 0x80, 0x01] as [UInt8], count: 1000).flatMap(\.self)
    try pass(over: blocks + [0], .array(.primitive(.null)))
    try pass(over: blocks + [0], .array(.record(.init(name: "Nothing", fields: []))))
    #expect(throws: AvroError.self) { try pass(over: blocks, .array(.primitive(.null))) }
  }

  @Test func `values that take bytes are counted`() throws {
    let schema = Schema.array(.primitive(.int))
    try pass(over: [0x06, 1, 2, 3, 0], schema)
    #expect(throws: AvroError.self) { try pass(over: [0x04, 1, 2, 3, 0], schema) }
    #expect(throws: AvroError.self) { try pass(over: [0x08, 1, 2, 3, 0], schema) }
  }
}
