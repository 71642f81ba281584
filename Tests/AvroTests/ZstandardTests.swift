import Avro
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct ZstandardTests {
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

  @Test func `a frame has a checksum and its size, whatever the buffer held before`() throws {
    let frame = try ZstandardCompressor(level: 19).compress(Array("a day".utf8))
    #expect(frame[..<4] == [0x28, 0xB5, 0x2F, 0xFD])
    // Frame header descriptor: single segment, checksum; then the size in one byte (RFC 8878, 3.1.1).
    #expect(frame[4..<6] == [0x24, 5])
    for size in [0, 5, 100_000] {
      var buffer = [UInt8](repeating: 1, count: size)
      #expect(try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer) == 5)
    }
  }

  @Test func `a block must be exactly one frame, whatever the buffer's size`() throws {
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

  @Test func `an impossible frame size allocates no memory`() throws {
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

/// Frames as large as the limit allows.
@Suite(.tags(.law)) struct ZstandardLimitTests {
  /// A frame of zeros with a number of 128 KiB blocks, each of which takes four bytes (RFC 8878, 3.1.1). It may or
  /// may not state its size.
  private func zeros(blocks: Int, saying byteCount: UInt64?) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    // No checksum; eight bytes of size or none; a window of 128 KiB.
    frame += byteCount == nil ? [0x00, 0x38] : [0xC0, 0x38]
    if let byteCount {
      for shift: UInt64 in stride(from: 0, to: 64, by: 8) {
        frame.append(UInt8(truncatingIfNeeded: byteCount >> shift))
      }
    }
    for number in 1...blocks { frame += [number == blocks ? 0x03 : 0x02, 0x00, 0x10, 0x00] }
    return frame
  }

  @Test func `a frame decompresses to at most the limit`() throws {
    let limit = AvroLimit.byteCount
    let blocks = limit.maximum >> 17
    for size in [nil, UInt64(limit.maximum)] {
      var buffer: [UInt8] = []
      let frame = zeros(blocks: blocks, saying: size)
      #expect(
        try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer) == limit.maximum)
    }
    for (frame, isSized) in [
      (zeros(blocks: blocks + 1, saying: nil), false),
      (zeros(blocks: blocks + 1, saying: UInt64(limit.maximum) + 1), true),
      (zeros(blocks: blocks + 1, saying: .max - 2), true),
    ] {
      var buffer: [UInt8] = []
      #expect(throws: AvroError.limitExceeded(limit)) {
        try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer)
      }
      #expect(!isSized || buffer.isEmpty)
    }
  }

  @Test func `no more memory is reserved for the next block than a block can need`() throws {
    var buffer = [UInt8](repeating: 0, count: 150 << 20)
    let frame = zeros(blocks: 1250, saying: 1250 << 17)
    #expect(try ZstandardDecompressor().decompress(frame.span.bytes, into: &buffer) == 1250 << 17)
    #expect(buffer.count <= AvroLimit.byteCount.maximum)
  }
}
