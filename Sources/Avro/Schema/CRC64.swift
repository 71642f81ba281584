/// The CRC-64-AVRO fingerprint (Avro specification, "Schema Fingerprints").
enum CRC64 {
  private static let empty: UInt64 = 0xc15d_213a_a4d7_a795

  private static let table: [UInt64] = (0..<256).map { byte in
    var fingerprint = UInt64(byte)
    for _ in 0..<8 {
      fingerprint = (fingerprint >> 1) ^ (empty & (0 &- (fingerprint & 1)))
    }
    return fingerprint
  }

  static func fingerprint(of bytes: some Sequence<UInt8>) -> UInt64 {
    var fingerprint = empty
    for byte in bytes {
      fingerprint = (fingerprint >> 8) ^ table[Int(UInt8(truncatingIfNeeded: fingerprint) ^ byte)]
    }
    return fingerprint
  }
}
