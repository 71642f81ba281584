/// The checksum of ZIP and gzip files (CRC-32 of ISO 3309): RFC 1952, section 8.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  /// Computes the checksum of some bytes.
  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { value, byte in
      table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8)
    }
  }
}
