import Avro
import Testing

@Suite(.tags(.unit)) struct ValueScannerTests {
  private func scan(over bytes: [UInt8], _ schema: Schema) throws {
    var reader = BinaryReader(bytes.span.bytes)
    try ValueScanner(schema).scan(over: &reader)
    guard reader.isAtEnd else { throw AvroError.trailingBytes }
  }

  @Test(.timeLimit(.minutes(60)))
  func `values without bytes are not visited one by one`() throws {
    let most = Int64(AvroLimit.emptyItemCount.maximum)
    let nothing = Schema.record(.init(name: "Nothing", fields: []))
    for item in [Schema.primitive(.null), nothing, .fixed(.init(name: "F", byteCount: 0))] {
      try scan(over: most.encoded + [0], .array(item))
      try scan(over: (most / 2).encoded + (most / 2).encoded + [0], .array(item))
      #expect(throws: AvroError.limitExceeded(.emptyItemCount)) {
        try scan(over: most.encoded + (1 as Int64).encoded + [0], .array(item))
      }
      #expect(throws: AvroError.limitExceeded(.emptyItemCount)) {
        try scan(over: Int64.max.encoded + [0], .array(item))
      }
      #expect(throws: AvroError.truncated) { try scan(over: most.encoded, .array(item)) }
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `fields without bytes cost no time, however many there are`() throws {
    let nothing = Schema.record(
      .init(name: "Nothing", fields: [.init(name: "n", schema: .primitive(.null))]))
    let fields = (0..<30_000).map { number in
      Schema.Field(name: "f\(number)", schema: number % 2 == 0 ? nothing : .primitive(.null))
    }
    let flag = Schema.Field(name: "flag", schema: .primitive(.boolean))
    let record = Schema.record(.init(name: "R", fields: fields + [flag] + fields))
    let count = 100_000
    let bytes = Int64(count).encoded + [UInt8](repeating: 1, count: count) + [0]
    try scan(over: bytes, .array(record))
    #expect(throws: AvroError.invalidBoolean) {
      try scan(over: [2, 2, 0], .array(record))
    }
    // A record of itself is not a record without bytes, but an endless one.
    let endless = Schema.record(
      .init(
        name: "E", fields: [.init(name: "e", schema: .reference("E"))]))
    #expect(throws: AvroError.limitExceeded(.depth)) { try scan(over: [], endless) }
  }

  @Test func `the stated byte count of an array or map block must be correct`() throws {
    let array = Schema.array(.primitive(.int))
    try scan(over: [0x03, 0x04, 1, 2, 0], array)
    #expect(throws: AvroError.self) { try scan(over: [0x03, 0x02, 1, 2, 0], array) }
    #expect(try [Int32](encoded: [0x03, 0x04, 1, 2, 0]) == [-1, 1])
    #expect(throws: AvroError.self) { try [Int32](encoded: [0x03, 0x02, 1, 2, 0]) }
    let map = Schema.map(.primitive(.int))
    try scan(over: [0x01, 0x06, 0x02, 0x61, 1, 0], map)
    #expect(throws: AvroError.self) { try scan(over: [0x01, 0x04, 0x02, 0x61, 1, 0], map) }
  }

  @Test func `values that take bytes are counted`() throws {
    let schema = Schema.array(.primitive(.int))
    try scan(over: [0x06, 1, 2, 3, 0], schema)
    #expect(throws: AvroError.self) { try scan(over: [0x04, 1, 2, 3, 0], schema) }
    #expect(throws: AvroError.self) { try scan(over: [0x08, 1, 2, 3, 0], schema) }
  }
}
