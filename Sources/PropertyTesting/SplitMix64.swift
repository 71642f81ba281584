/// A random number generator: the same seed gives the same bits on every platform.
///
/// SplitMix64 after Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (OOPSLA 2014): a counter with a scrambling output, eight bytes of state.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Mixes 64 bits; the mapping is one-to-one.
  static func mix(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from zero to `bound`, inclusive, all equally likely.
  ///
  /// The method is Lemire's multiplication with rejection: "Fast random integer generation in an interval"
  /// (2019).
  mutating func next(upTo bound: UInt64) -> UInt64 {
    guard bound < .max else { return next() }
    let range = bound + 1
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      let threshold = (0 &- range) % range
      while product.low < threshold {
        product = next().multipliedFullWidth(by: range)
      }
    }
    return product.high
  }

  /// True with the given probability.
  mutating func isHit(probability: Double) -> Bool {
    Double(next() >> 11) < probability * 0x1p53
  }
}

/// The seed of one case; it determines the case completely, because it includes the size.
///
/// The low seven bits hold the size, 0 (smallest) to 127 (largest); the rest is random.
struct CaseSeed {
  static let largestSize: UInt64 = 127
  let bits: UInt64

  init(bits: UInt64) {
    self.bits = bits
  }

  init(random: UInt64, size: UInt64) {
    precondition(size <= CaseSeed.largestSize, "a size is 0 to 127")
    bits = (random & ~CaseSeed.largestSize) | size
  }

  var size: UInt64 { bits & CaseSeed.largestSize }

  /// `0x` and sixteen digits, in the form that the report prints and the environment accepts.
  static func text(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
