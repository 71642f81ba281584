import Avro
import PropertyTesting
import Testing

@Suite struct ZstandardTests {
  @Test func `bytes come back from a frame`() throws {
    let compressor = try ZstandardCompressor()
    let decompressor = try ZstandardDecompressor()
    let bytes = Generator<UInt8>.integer(in: 0...3).array(count: 0...3_000)
    let report = check("a frame reads back", bytes, cases: 100) { bytes in
      var buffer: [UInt8] = []
      let frame = try compressor.compress(bytes)
      let count = try decompressor.decompress(frame.span.bytes, into: &buffer)
      try expectEqual(Array(buffer[..<count]), bytes)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a frame has a checksum and its size, whatever stood in the buffer before`() throws {
    let frame = try ZstandardCompressor(level: 19).compress(Array("a day".utf8))
    #expect(frame[..<4] == [0x28, 0xB5, 0x2F, 0xFD])
    // Frame header descriptor: single segment, checksum; then the size in one byte (RFC 8878, 3.1.1).
    #expect(frame[4..<6] == [0x24, 5])
    for size in [0, 5, 100_000] {
      var buffer = [UInt8](repeating: 1, count: size)
      #expect(try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer) == 5)
    }
  }

  @Test func `exactly one frame is a block, whatever the buffer's size`() throws {
    let frame = try ZstandardCompressor().compress(Array("a day".utf8))
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9]
    for damaged in [frame + frame, skippable + frame, frame + [0], Array(frame.dropLast()), []] {
      for size in [0, 100_000] {
        var buffer = [UInt8](repeating: 0, count: size)
        #expect(throws: AvroError.self) {
          try ZstandardDecompressor().decompress(damaged.span.bytes, into: &buffer)
        }
      }
    }
  }

  @Test func `a size that no frame of this length can have takes no memory`() throws {
    var frame = try ZstandardCompressor().compress([UInt8](repeating: 0, count: 70_000))
    #expect(frame[4] == 0xA4)
    frame.replaceSubrange(5..<9, with: [0, 0, 0, 0x0F])
    var buffer: [UInt8] = []
    #expect(throws: AvroError.self) {
      try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer)
    }
    #expect(buffer.isEmpty)
  }
}
