import Avro
import Fuzzing

/// Container files: any bytes are read or refused, and values that were read survive a writing and a reading.
@c(LLVMFuzzerTestOneInput)
public func fuzzContainer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  checkHeader(bytes)
  checkValues(Walk.self, bytes)
  checkValues(Everything.self, bytes)
  return 0
}

private func checkHeader(_ bytes: [UInt8]) {
  var reader = BinaryReader(bytes.span.bytes)
  guard let header = try? ContainerHeader(from: &reader) else { return }
  let encoded = header.encoded
  var again = BinaryReader(encoded.span.bytes)
  let second = succeed("a written header is read") { try ContainerHeader(from: &again) }
  hold(second == header && again.isAtEnd, "a header is read as it was written")

  guard let decompressor = try? ZstandardDecompressor() else { return }
  var buffer: [UInt8] = []
  while !reader.isAtEnd {
    guard let block = try? ContainerBlock(from: &reader, syncMarker: header.syncMarker) else {
      break
    }
    hold(block.end == reader.offset, "a block ends where the reader stands")
    let payload = Array(bytes[block.payload])
    guard let size = try? decompressor.decompress(payload.span.bytes, into: &buffer) else {
      continue
    }
    hold(size <= ZstandardDecompressor.maximumByteCount, "a block is no larger than the limit")
    let frame = succeed("bytes are compressed") {
      try ZstandardCompressor().compress(Array(buffer.prefix(size)))
    }
    var other: [UInt8] = []
    let otherSize = succeed("a frame is read") {
      try decompressor.decompress(frame.span.bytes, into: &other)
    }
    hold(other.prefix(otherSize) == buffer.prefix(size), "a frame holds what was put in")
  }
}

private func checkValues<Value: AvroRecord>(_ type: Value.Type, _ bytes: [UInt8]) {
  guard let values = try? Container.decode(type, from: bytes) else { return }
  let marker = [UInt8](repeating: 7, count: 16)
  for codec in Codec.allCases {
    let written = succeed("values are written") {
      try Container.encode(values, codec: codec, syncMarker: marker, blockCount: 3)
    }
    let read = succeed("written values are read") { try Container.decode(type, from: written) }
    // Compares bytes, because a NaN is not equal to itself.
    hold(read.map(\.encoded) == values.map(\.encoded), "values are read as they were written")
  }
}
