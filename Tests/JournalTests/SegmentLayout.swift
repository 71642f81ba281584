import Avro
import Journal
import Testing

/// The meaning of each byte in a segment's file, determined without the journal's own code.
struct SegmentLayout {
  /// A part of the file.
  enum Part: Hashable {
    case header
    /// How many entries the block has, from 0 on.
    case count(Int)
    /// How many bytes its frame has.
    case size(Int)
    case frame(Int)
    case marker(Int)

    /// The block that the part belongs to.
    var block: Int? {
      switch self {
      case .header: nil
      case .count(let block), .size(let block), .frame(let block), .marker(let block): block
      }
    }
  }

  let bytes: [UInt8]
  /// The parts in order, each with its bytes.
  private(set) var parts: [(part: Part, range: Range<Int>)] = []

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    var reader = BinaryReader(bytes.span.bytes)
    let header = try ContainerHeader(from: &reader)
    parts.append((.header, 0..<reader.offset))
    var block = 0
    while !reader.isAtEnd {
      let start = reader.offset
      _ = try reader.takeLong()
      let size = reader.offset
      let byteCount = Int(try reader.takeLong())
      let frame = reader.offset
      try reader.skip(byteCount)
      let marker = reader.offset
      guard try reader.takeBytes(16) == header.syncMarker else {
        throw AvroError.syncMarkerMismatch
      }
      parts += [
        (.count(block), start..<size), (.size(block), size..<frame),
        (.frame(block), frame..<marker),
        (.marker(block), marker..<marker + 16),
      ]
      block += 1
    }
  }

  /// The place of a part.
  subscript(part: Part) -> Range<Int> { parts.first { $0.part == part }?.range ?? 0..<0 }

  var headerByteCount: Int { self[.header].count }
  var blockCount: Int { (parts.count - 1) / 4 }
  /// The start of a block, or the end of the last one.
  func start(of block: Int) -> Int { ends[block] }
  /// The end of the header, and of each block.
  var ends: [Int] { [headerByteCount] + (0..<blockCount).map { self[.marker($0)].upperBound } }
  /// The number of whole blocks in this many first bytes.
  func wholeBlockCount(in byteCount: Int) -> Int { ends.lastIndex { $0 <= byteCount } ?? 0 }

  /// How many bits of a frame can be flipped without changing its content: one in its head (RFC 8878, 3.1.1.1.1.3),
  /// those that encode the width of its own size, and padding.
  static func unusedBitCount(in frame: [UInt8]) -> Int {
    var original: [UInt8] = []
    var buffer: [UInt8] = []
    guard let decompressor = try? ZstandardDecompressor(),
      let byteCount = try? decompressor.decompress(frame.span.bytes, into: &original)
    else { return 0 }
    var count = 0
    for bit in 0..<frame.count * 8 {
      var damaged = frame
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let found = try? decompressor.decompress(damaged.span.bytes, into: &buffer),
        found == byteCount, buffer[..<found] == original[..<byteCount]
      else { continue }
      count += 1
    }
    return count
  }
}
