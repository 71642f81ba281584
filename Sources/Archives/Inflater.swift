/// Decompresses DEFLATE (RFC 1951): a sequence of blocks that are either stored, or made of literals and back
/// references in two Huffman codes.
///
/// Canonical codes are decoded bit by bit. A table would be faster, but archives of what people wrote are
/// small. O(bits). The output never exceeds the given maximum.
struct Inflater {
  private let bytes: ArraySlice<UInt8>
  private let maximum: Int
  private var offset: Int
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// Decompresses.
  ///
  /// - Parameters:
  ///   - bytes: Bytes that begin with the compressed data.
  ///   - maximum: The largest number of bytes that may be produced.
  /// - Returns: The decompressed bytes, and the offset after the last byte read.
  /// - Throws: ``ArchiveError``.
  static func inflate(
    _ bytes: ArraySlice<UInt8>, atMost maximum: Int
  ) throws(ArchiveError) -> (output: [UInt8], end: Int) {
    var inflater = Inflater(bytes, atMost: maximum)
    while try !inflater.takeBlock() {}
    return (inflater.output, inflater.offset)
  }

  private init(_ bytes: ArraySlice<UInt8>, atMost maximum: Int) {
    self.bytes = bytes
    self.maximum = maximum
    offset = bytes.startIndex
  }

  /// Reads a block; returns whether it was the last.
  private mutating func takeBlock() throws(ArchiveError) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try copyStored()
    case 1: try takeSymbols(HuffmanCode.fixedLiterals, HuffmanCode.fixedDistances)
    case 2:
      let (literals, distances) = try takeCodes()
      try takeSymbols(literals, distances)
    default: throw damaged("a block is of no known kind")
    }
    return isLast
  }

  // MARK: Bits

  private func damaged(_ reason: String) -> ArchiveError {
    .damaged(offset: offset, reason: reason)
  }

  /// Takes the next bits; the first bit is the lowest.
  private mutating func take(_ count: Int) throws(ArchiveError) -> Int {
    while bitCount < count {
      guard offset < bytes.endIndex else { throw damaged("it ends too early") }
      bits |= UInt32(bytes[offset]) << UInt32(bitCount)
      offset += 1
      bitCount += 8
    }
    let taken = bits & ((1 << UInt32(count)) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(taken)
  }

  /// Takes the symbol of the next code.
  private mutating func take(_ code: HuffmanCode) throws(ArchiveError) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1...HuffmanCode.longest {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw damaged("a code has no symbol")
  }

  // MARK: Blocks

  private mutating func copyStored() throws(ArchiveError) {
    (bits, bitCount) = (0, 0)
    guard bytes.endIndex - offset >= 4 else { throw damaged("it ends too early") }
    let count = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    let complement = Int(bytes[offset + 2]) | Int(bytes[offset + 3]) << 8
    guard count == ~complement & 0xFFFF else { throw damaged("a length contradicts itself") }
    offset += 4
    guard bytes.endIndex - offset >= count else { throw damaged("it ends too early") }
    try makeRoom(for: count)
    output += bytes[offset..<offset + count]
    offset += count
  }

  private mutating func makeRoom(for count: Int) throws(ArchiveError) {
    guard output.count + count <= maximum else { throw .tooLarge(maximum: maximum) }
  }

  /// Reads the two codes of a block with dynamic codes (section 3.2.7).
  private mutating func takeCodes() throws(ArchiveError) -> (HuffmanCode, HuffmanCode) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw damaged("a code is too large") }
    var lengths = [Int](repeating: 0, count: 19)
    for place in Self.lengthOrder.prefix(lengthCount) { lengths[place] = try take(3) }
    let code = try code(of: lengths, mayBeIncomplete: false)
    lengths = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try take(code)
      switch symbol {
      case ..<16: lengths.append(symbol)
      case 16:
        guard let last = lengths.last else { throw damaged("a length repeats nothing") }
        lengths += repeatElement(last, count: try take(2) + 3)
      case 17: lengths += repeatElement(0, count: try take(3) + 3)
      default: lengths += repeatElement(0, count: try take(7) + 11)
      }
    }
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else {
      throw damaged("the lengths of a code are wrong")
    }
    return (
      try self.code(of: Array(lengths[..<literalCount]), mayBeIncomplete: true),
      try self.code(of: Array(lengths[literalCount...]), mayBeIncomplete: true)
    )
  }

  private func code(
    of lengths: [Int], mayBeIncomplete: Bool
  ) throws(ArchiveError) -> HuffmanCode {
    let code = HuffmanCode(lengths)
    // Only a code with one symbol or none may be incomplete.
    let isTaken =
      code.unused == 0
      || mayBeIncomplete && code.unused > 0 && code.counts[1] + code.counts[0] == lengths.count
    guard isTaken else { throw damaged("the lengths of a code are wrong") }
    return code
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  private mutating func takeSymbols(
    _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(ArchiveError) {
    while true {
      let symbol = try take(literals)
      if symbol == 256 { return }
      if symbol < 256 {
        try makeRoom(for: 1)
        output.append(UInt8(symbol))
        continue
      }
      guard symbol <= 285 else { throw damaged("a code has no symbol") }
      let length = Self.lengths[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let code = try take(distances)
      guard code < Self.distances.count else { throw damaged("a code has no symbol") }
      let distance = Self.distances[code] + (try take(Self.distanceBits[code]))
      guard distance <= output.count else { throw damaged("it copies from before the beginning") }
      try makeRoom(for: length)
      // Copied one by one, because the source may include bytes just written.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  // Section 3.2.5.
  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}

/// A canonical Huffman code: the number of codes of each length, and the symbols in the order of their codes.
struct HuffmanCode {
  /// The longest code, in bits.
  static let longest = 15

  /// The number of codes of each bit length; at 0, the number of symbols without a code.
  let counts: [Int]
  /// The symbols, ordered by code length, then by value.
  let symbols: [Int]
  /// The number of unused codes of the longest length; negative if there are more symbols than codes.
  let unused: Int

  init(_ lengths: [Int]) {
    var counts = [Int](repeating: 0, count: Self.longest + 1)
    for length in lengths { counts[length] += 1 }
    var unused = 1
    for length in 1...Self.longest { unused = unused << 1 - counts[length] }
    self.unused = unused
    self.counts = counts
    var places = [Int](repeating: 0, count: Self.longest + 1)
    for length in 1..<Self.longest { places[length + 1] = places[length] + counts[length] }
    var symbols = [Int](repeating: 0, count: lengths.count)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[length]] = symbol
      places[length] += 1
    }
    self.symbols = symbols
  }

  /// The codes of a block with fixed codes (section 3.2.6).
  static let fixedLiterals = HuffmanCode(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = HuffmanCode([Int](repeating: 5, count: 30))
}
