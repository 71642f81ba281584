package import Values
import Crypto

extension Key {
  /// Makes a key of the first half of the parts' SHA-256, as a UUID of version 8 (RFC 9562, section 5.8): the same
  /// parts always give the same key.
  package init(derivedFrom parts: [String]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(parts.count) { $0 + $1.utf8.count })
    for (place, part) in parts.enumerated() {
      if place > 0 { bytes.append(0) }
      bytes.append(contentsOf: part.utf8)
    }
    self.init(derivedFrom: bytes)
  }

  /// Whether it may be a derived key: one of version 8.
  package var isDerived: Bool { high & 0xF000 == 0x8000 }

  /// Makes a key of parts that are given as bytes, with a zero between any two.
  package init(derivedFrom bytes: [UInt8]) {
    let (high, low) = SHA256.hash(data: bytes).withUnsafeBytes { digest in
      (
        UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(high: high & ~0xF000 | 0x8000, low: low & ~(3 << 62) | 1 << 63)
  }
}
