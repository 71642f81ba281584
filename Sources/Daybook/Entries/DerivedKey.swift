extension Key {
  /// A UUID of version 8 (RFC 9562, section 5.8) that follows from its parts: the same parts always give the same
  /// key. 122 bits of FNV-1a, so two of a household's things do not meet by chance; it hides nothing.
  init(following parts: [String]) {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in parts.joined(separator: "\0").utf8 {
      hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    self.init(
      high: UInt64(truncatingIfNeeded: hash >> 64) & ~0xF000 | 0x8000,
      low: UInt64(truncatingIfNeeded: hash) & ~(3 << 62) | 1 << 63)
  }
}
