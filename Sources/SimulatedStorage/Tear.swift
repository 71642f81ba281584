/// The outcome of one unsynchronised write.
enum Tear: Hashable, Sendable {
  case lost
  case whole
  /// Only the first bytes are there, with the length that they make.
  case front(Int)
  /// The first bytes are there, with the full length. The rest is what was there before, or zeros.
  case frontAndLength(Int)
  /// All but the first bytes are there.
  case back(Int)
  /// The full length is there, but new space contains what its sectors held for other files.
  case garbage
  /// All is there but the sector with this byte: 512 bytes of the file, which stay as they were, or zeros.
  case sector(Int)
  /// A bit differs, in a byte that the write was to change.
  case flip(Int)

  /// Whether the file has bytes that nobody wrote, among some that were written.
  var isCorruption: Bool {
    if case .flip = self { true } else { false }
  }

  /// A few tears that represent most possibilities.
  static func coarse(_ count: Int) -> [Tear] {
    let half = count / 2
    return [
      .lost, .whole, .front(half), .frontAndLength(half), .frontAndLength(0), .back(half), .garbage,
    ]
  }

  /// A tear at every byte of a small write; for a large write at both ends, and at some places between.
  static func fine(_ count: Int) -> [Tear] {
    var tears: [Tear] = [.lost, .whole, .garbage]
    for byte in 0..<count where byte < 48 || byte >= count - 40 || byte % 61 == 0 {
      if byte > 0 { tears.append(.front(byte)) }
      tears.append(.frontAndLength(byte))
      if byte > 0 { tears.append(.back(byte)) }
      tears.append(.flip(byte))
    }
    if count > 512 { tears += stride(from: 0, to: count, by: 512).map { .sector($0) } }
    return tears
  }

  static func random(_ count: Int, using random: inout some RandomNumberGenerator) -> Tear {
    guard count > 0 else { return .lost }
    let byte = Int.random(in: 0..<count, using: &random)
    return switch Int.random(in: 0..<13, using: &random) {
    case 0...3: .lost
    case 4...6: .whole
    case 7: .front(byte)
    case 8: .frontAndLength(byte)
    case 9: .back(byte)
    case 10: .garbage
    case 11: .sector(byte)
    default: .flip(byte)
    }
  }
}

extension SimulatedDisk.Contents {
  /// Applies a write with this outcome.
  mutating func apply(_ more: [UInt8], at offset: Int, _ tear: Tear) {
    switch tear {
    case .lost: break
    case .whole: apply(.write(more, at: offset))
    case .front(let count): apply(.write(Array(more[..<count]), at: offset))
    case .frontAndLength(let count):
      grow(to: offset + more.count)
      bytes.replaceSubrange(offset..<offset + count, with: more[..<count])
    case .back(let count):
      grow(to: offset + more.count)
      bytes.replaceSubrange(offset + count..<offset + more.count, with: more[count...])
    case .garbage:
      // Where the file already had bytes, its own sectors hold them.
      grow(to: offset)
      for index in max(0, bytes.count - offset)..<max(more.count, bytes.count - offset) {
        bytes.append(UInt8(truncatingIfNeeded: index &* 151 ^ 0xA5))
      }
    case .sector(let byte):
      let sector = (offset + byte) & ~511..<((offset + byte) | 511) + 1
      let lost = sector.clamped(to: offset..<offset + more.count)
      grow(to: offset + more.count)
      bytes.replaceSubrange(offset..<lost.lowerBound, with: more[..<(lost.lowerBound - offset)])
      bytes.replaceSubrange(
        lost.upperBound..<offset + more.count, with: more[(lost.upperBound - offset)...])
    case .flip(let byte):
      let isSame = offset + byte < bytes.count && bytes[offset + byte] == more[byte]
      apply(.write(more, at: offset))
      if !isSame { bytes[offset + byte] ^= UInt8(1 << (byte % 8)) }
    }
  }
}
