import Daybook

extension Key {
  /// A hash of all sixteen bytes, used to look up idempotency keys; it is the same in every run and
  /// on every machine.
  ///
  /// It is made to be fast and even, not secret: what it finds is compared in full.
  var searchHash: UInt64 { splitMix(splitMix(high &+ 0x9E37_79B9_7F4A_7C15) ^ low) }
}

/// The finalizer of SplitMix64: flipping one bit of the input flips about half of the output bits.
func splitMix(_ value: UInt64) -> UInt64 {
  var value = value
  value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
  return value ^ (value >> 31)
}
