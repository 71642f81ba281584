import Daybook

extension Key {
  /// A hash of all sixteen bytes, by which an idempotency key is looked for; every run and machine has the same.
  ///
  /// It is made to be quick and even, not to be kept secret: what is found by it is compared in full.
  var searchHash: UInt64 { splitMix(splitMix(high &+ 0x9E37_79B9_7F4A_7C15) ^ low) }
}

/// The finalizer of SplitMix64: it changes half of all bits when one is changed.
func splitMix(_ value: UInt64) -> UInt64 {
  var value = value
  value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
  return value ^ (value >> 31)
}
