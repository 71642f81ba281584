package import Values
import Crypto

extension Key {
  /// The first half of the parts' SHA-256 as a UUID of version 8 (RFC 9562, section 5.8): the same parts always
  /// give the same key.
  package init(derivedFrom parts: [String]) {
    let digest = Array(SHA256.hash(data: Array(parts.joined(separator: "\0").utf8)))
    let half = { (bytes: ArraySlice<UInt8>) in bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    self.init(
      high: half(digest[0..<8]) & ~0xF000 | 0x8000,
      low: half(digest[8..<16]) & ~(3 << 62) | 1 << 63)
  }
}
