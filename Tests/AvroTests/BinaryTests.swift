import Avro
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct BinaryTests {
  @Test(
    arguments: [
      (0, [0x00]), (-1, [0x01]), (1, [0x02]), (-2, [0x03]), (2, [0x04]), (-64, [0x7F]),
      (64, [0x80, 0x01]), (8192, [0x80, 0x80, 0x01]), (-8193, [0x81, 0x80, 0x01]),
      (.max, [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
      (.min, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
    ] as [(Int64, [UInt8])])
  func `a long has the bytes of the specification's table`(
    number: Int64, bytes: [UInt8]
  ) throws {
    #expect(number.encoded == bytes)
    #expect(try Int64(encoded: bytes) == number)
  }

  @Test func `a value written into reserved space has the same bytes`() {
    func expectSame<Value: AvroValue>(_ value: Value) {
      var writer = BinaryWriter()
      writer.put(upTo: 100) { value.write(to: &$0) }
      #expect(writer.bytes == value.encoded)
    }
    for number in [0, -1, 63, 64, -65, 8192, Int64.max, .min] {
      expectSame(number)
      expectSame(Int64?(number))
    }
    for text in ["", "foo", "Grüße 🐝", String(repeating: "a", count: 90)] { expectSame(text) }
    expectSame(String?.none)
    expectSame(Weather.snow)
    expectSame(Walk(steps: 27, note: "foo"))
    expectSame([Int64(3), 27])
  }

  @Test func `the specification's worked examples have the bytes given there`() throws {
    #expect("foo".encoded == [0x06, 0x66, 0x6F, 0x6F])
    #expect([Int64(3), 27].encoded == [0x04, 0x06, 0x36, 0x00])
    #expect(String?.none.encoded == [0x00])
    #expect(String?("a").encoded == [0x02, 0x02, 0x61])
    #expect(Walk(steps: 27, note: "foo").encoded == [0x36, 0x02, 0x06, 0x66, 0x6F, 0x6F])
    #expect(Weather.snow.encoded == [0x04])
    #expect(1.5.encoded == [0, 0, 0, 0, 0, 0, 0xF8, 0x3F])
    #expect([true.encoded, false.encoded] == [[1], [0]])
    #expect(AvroBytes([9, 8]).encoded == [0x04, 9, 8])
  }

  @Test func `an array block with a negative count states its byte count, and blocks may repeat`()
    throws
  {
    #expect(try [Int64](encoded: [0x03, 0x04, 0x06, 0x36, 0x02, 0x08, 0x00]) == [3, 27, 4])
    expect([Int64].self, [0x03, 0x08, 0x06, 0x36, 0x00], fails: .invalidLength)
  }

  @Test func `an array longer than one block reads back`() throws {
    let flags = [Bool](repeating: true, count: 1 << 16 + 1)
    #expect(try [Bool](encoded: flags.encoded) == flags)
  }

  @Test func `an int is at most 32 bits`() throws {
    for number in [Int64(Int32.min), Int64(Int32.max)] {
      #expect(try Int64(Int32(encoded: number.encoded)) == number)
    }
    for number in [Int64(Int32.min) - 1, Int64(Int32.max) + 1, .min, .max] {
      expect(Int32.self, number.encoded, fails: .numberTooLarge)
    }
  }

  @Test func `a long over 64 bits or ten bytes is refused, and a padded one is read`() throws {
    let nine = [UInt8](repeating: 0x80, count: 9)
    #expect(try Int64(encoded: nine + [0x01]) == 1 << 62)
    expect(Int64.self, nine + [0x02], fails: .numberTooLarge)
    expect(Int64.self, nine + [0x80], fails: .numberTooLarge)
    expect(Int64.self, nine + [0x80, 0x00], fails: .numberTooLarge)
    expect(Int64.self, nine, fails: .truncated)
    expect(Int64.self, [], fails: .truncated)
    #expect(try Int64(encoded: [0x82, 0x80, 0x00]) == 1)
  }

  @Test func `each kind of damaged value is refused with its own error`() {
    expect(Bool.self, [2], fails: .invalidBoolean)
    expect(Bool.self, [], fails: .truncated)
    expect(Bool.self, [1, 0], fails: .trailingBytes)
    expect(Double.self, [1, 2, 3, 4, 5, 6, 7], fails: .truncated)
    expect(String.self, [0x02, 0xFF], fails: .invalidText)
    expect(String.self, [0x04, 0x61], fails: .invalidLength)
    expect(String.self, [0x01], fails: .invalidLength)
    expect(AvroBytes.self, Int64.max.encoded, fails: .invalidLength)
    expect(Int64?.self, [0x04], fails: .unknownBranch(2))
    expect(Int64?.self, [0x01], fails: .unknownBranch(-1))
    expect(Weather.self, [0x06], fails: .unknownSymbol(3))
    expect(Weather.self, [0x01], fails: .unknownSymbol(-1))
    expect([Int64].self, Int64.min.encoded, fails: .invalidLength)
    expect([Int64].self, Int64.max.encoded + [0], fails: .invalidLength)
  }

  private func expect<Value: AvroValue>(
    _ type: Value.Type, _ bytes: [UInt8], fails error: AvroError,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: location) { _ = try Value(encoded: bytes) }
  }

  @Test func `every value reads back as it was written`() {
    let report = check("a value reads back", .everything, cases: 500) { value, statistics in
      statistics.cover("has a walk", atLeast: 20, value.walk != nil)
      let read = try Everything(encoded: value.encoded)
      // Compares bytes, because a NaN is not equal to itself.
      try expectEqual(read.encoded, value.encoded)
      guard !value.double.isNaN else { return }
      try expectEqual(read, value)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a value cut short is an error at every length`() {
    let report = check("a prefix is no value", .everything, cases: 60) { value in
      let bytes = value.encoded
      for count in 0..<bytes.count {
        do {
          _ = try Everything(encoded: Array(bytes[..<count]))
        } catch { continue }
        throw Falsified("\(count) of \(bytes.count) bytes were read as a value")
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `random bytes decode to a value or an error`() {
    let bytes = Generator<UInt8>.integer().array(count: 0...60)
    let report = check("nothing traps", bytes, cases: 2_000) { bytes in
      guard let value = try? Everything(encoded: bytes) else { return }
      try expectEqual(try Everything(encoded: value.encoded).encoded, value.encoded)
    }
    #expect(report.passed, "\(report)")
  }
}
