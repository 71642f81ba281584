/// The codewords of a QR code: a text's bytes, padded, in blocks, each with its correction (Reed and Solomon, over 256
/// elements), and then the blocks' words in turn.
struct QRCodewords {
  let version: Int
  let bytes: [UInt8]

  /// How many words of correction a block has at level M, by version from 1 on (ISO/IEC 18004, table 9).
  private static let correctionCounts = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]
  /// How many blocks there are at level M.
  private static let blockCounts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
    17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ]

  /// Makes the words of the smallest version that holds a text; `nil` if none does.
  init?(_ text: [UInt8]) {
    let fitting = (1...40).first { version in
      text.count + (version < 10 ? 2 : 3) <= Self.dataCount(version)
    }
    guard let version = fitting else { return nil }
    self.version = version
    bytes = Self.interleaved(Self.padded(text, version), version)
  }

  /// How many words a version has in all.
  private static func wordCount(_ version: Int) -> Int {
    let size = 17 + 4 * version
    // Finders with their borders and formats, and the timing patterns.
    var count = size * size - 3 * 64 - 31 - 2 * (size - 16)
    if version > 1 {
      let places = version / 7 + 2
      // Those on the timing patterns share five modules with them.
      count -= (places * places - 3) * 25 - (places - 2) * 10
    }
    if version >= 7 { count -= 36 }
    return count / 8
  }

  private static func dataCount(_ version: Int) -> Int {
    wordCount(version) - correctionCounts[version - 1] * blockCounts[version - 1]
  }

  /// The mode (0100 for bytes), the count, the text, an end of four zeros, and words that fill up.
  private static func padded(_ text: [UInt8], _ version: Int) -> [UInt8] {
    var nibbles: [UInt8] = [0b0100]
    func half(_ value: Int, _ place: Int) -> UInt8 { UInt8(value >> (4 * place) & 15) }
    for place in (0..<(version < 10 ? 2 : 4)).reversed() { nibbles.append(half(text.count, place)) }
    for byte in text { nibbles += [byte >> 4, byte & 15] }
    nibbles.append(0)
    var words = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    let count = dataCount(version)
    var isFirst = true
    while words.count < count {
      words.append(isFirst ? 0xEC : 0x11)
      isFirst.toggle()
    }
    return words
  }

  private static func interleaved(_ words: [UInt8], _ version: Int) -> [UInt8] {
    let (blockCount, correctionCount) = (blockCounts[version - 1], correctionCounts[version - 1])
    // The last blocks are longer by one word, if the words do not come out even.
    let shortCount = words.count / blockCount
    let longBlocks = words.count % blockCount
    let generator = Field.generator(correctionCount)
    var (blocks, corrections, start) = ([ArraySlice<UInt8>](), [[UInt8]](), 0)
    for block in 0..<blockCount {
      let end = start + shortCount + (block >= blockCount - longBlocks ? 1 : 0)
      blocks.append(words[start..<end])
      corrections.append(Field.remainder(of: words[start..<end], by: generator))
      start = end
    }
    var bytes: [UInt8] = []
    for place in 0...shortCount {
      for block in blocks where place < block.count {
        bytes.append(block[block.startIndex + place])
      }
    }
    for place in 0..<correctionCount { bytes += corrections.map { $0[place] } }
    return bytes
  }

  /// Arithmetic over 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1.
  private enum Field {
    private static let powers: [UInt8] = {
      var (powers, value) = ([UInt8](), 1)
      for _ in 0..<255 {
        powers.append(UInt8(value))
        value <<= 1
        if value > 255 { value ^= 0x11D }
      }
      return powers
    }()
    private static let logarithms: [Int] = {
      var logarithms = Array(repeating: 0, count: 256)
      for (exponent, power) in powers.enumerated() { logarithms[Int(power)] = exponent }
      return logarithms
    }()

    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
      guard left != 0, right != 0 else { return 0 }
      return powers[(logarithms[Int(left)] + logarithms[Int(right)]) % 255]
    }

    /// (x - 1)(x - 2)(x - 4)…, without its first coefficient, which is 1.
    static func generator(_ degree: Int) -> [UInt8] {
      var coefficients: [UInt8] = [1]
      for exponent in 0..<degree {
        let root = powers[exponent]
        var next = coefficients + [0]
        for place in coefficients.indices { next[place + 1] ^= product(coefficients[place], root) }
        coefficients = next
      }
      return Array(coefficients.dropFirst())
    }

    static func remainder(of words: ArraySlice<UInt8>, by generator: [UInt8]) -> [UInt8] {
      var rest = Array(repeating: UInt8(0), count: generator.count)
      for word in words {
        let factor = word ^ rest.removeFirst()
        rest.append(0)
        for place in rest.indices { rest[place] ^= product(generator[place], factor) }
      }
      return rest
    }
  }
}
