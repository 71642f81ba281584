extension Generator where Value: FixedWidthInteger & Sendable {
  /// An integer in the range; the value nearest to zero is the simplest, and positive is simpler than
  /// negative.
  ///
  /// In a range of up to 256 distances from the simplest value, every distance is equally likely. In a wider
  /// range small numbers, the ends and their neighbours occur more often than with a uniform distribution,
  /// and small cases use small numbers.
  ///
  /// - Precondition: The type has at most 64 bits.
  public static func integer(
    in range: ClosedRange<Value> = Value.min...Value.max
  ) -> Generator {
    precondition(Value.bitWidth <= 64, "an integer is drawn from at most 64 bits")
    let origin = min(max(0, range.lowerBound), range.upperBound)
    // Sign-extended to 64 bits, the wrapping differences are exact.
    let below = UInt64(truncatingIfNeeded: origin) &- UInt64(truncatingIfNeeded: range.lowerBound)
    let above = UInt64(truncatingIfNeeded: range.upperBound) &- UInt64(truncatingIfNeeded: origin)
    let farthest = max(below, above)
    return Generator { source in
      let distance = try source.choose(upTo: farthest) { random, size in
        randomDistance(upTo: farthest, size: size, &random)
      }
      let isBelow: Bool
      if below == 0 || above == 0 {
        isBelow = below > 0
      } else if distance > 0, distance <= min(below, above) {
        isBelow = try source.choose(upTo: 1) == 1
      } else {
        // The side is recorded even if only one is possible, so that replays stay aligned.
        isBelow = distance > above
        try source.record(isBelow ? 1 : 0, bound: isBelow ? 1 : 0)
      }
      return isBelow
        ? origin &- Value(truncatingIfNeeded: distance)
        : origin &+ Value(truncatingIfNeeded: distance)
    }
  }
}

/// The distribution of ``Generator/integer(in:)``.
private func randomDistance(
  upTo bound: UInt64, size: UInt64, _ random: inout SplitMix64
) -> UInt64 {
  guard bound > 255 else { return random.next(upTo: bound) }
  switch random.next(upTo: 7) {
  case 0:
    let edge = random.next(upTo: 3)
    return edge < 2 ? edge : bound - (edge - 2)
  case 1...3:
    let bitCount = UInt64(UInt64.bitWidth - bound.leadingZeroBitCount)
    let bits = random.next(upTo: scale(bitCount, to: size))
    let mask = bits == 0 ? 0 : UInt64.max >> (64 - bits)
    return random.next(upTo: min(mask, bound))
  default:
    return random.next(upTo: scale(bound, to: size))
  }
}

extension Generator where Value == UInt64 {
  /// Sixty-four random bits, all patterns equally likely; zero is the simplest.
  public static func bits() -> Generator {
    Generator { source in try source.choose(upTo: .max) }
  }
}

extension Generator where Value == Double {
  /// A number in the range; whole numbers near zero are the simplest, then numbers with few binary places.
  ///
  /// - Precondition: Both ends are finite.
  public static func double(in range: ClosedRange<Double>) -> Generator {
    precondition(
      range.lowerBound.isFinite && range.upperBound.isFinite, "a range of doubles is finite")
    let (lower, upper) = (range.lowerBound, range.upperBound)
    let (first, last) = (lower.rounded(.up), upper.rounded(.down))
    guard first <= last, abs(first) < 0x1p53, abs(last) < 0x1p53 else {
      return Generator { source in
        let share = try source.fraction(zeroProbability: 0.1)
        // Halving keeps the difference of the ends finite.
        let value = (lower / 2 + (upper / 2 - lower / 2) * share) * 2
        return min(max(value, lower), upper)
      }
    }
    let whole = Generator<Int64>.integer(in: Int64(first)...Int64(last))
    return Generator { source in
      // Drawn first, so that a larger whole number is simpler than a smaller number with a fraction.
      let fraction = try source.fraction(zeroProbability: 0.4)
      let number = Double(try source.draw(whole))
      let value = number < 0 ? number - fraction : number + fraction
      return min(max(value, lower), upper)
    }
  }

  /// Any number at all: whole or fractional, of every magnitude, infinite, or not a number.
  public static func anyDouble() -> Generator {
    frequency(
      (4, .double(in: -1_000...1_000)),
      (3, Generator<UInt64>.bits().map { Double(bitPattern: $0) }),
      (
        2,
        .element(of: [
          0, -0.0, 1, -1, .ulpOfOne, .leastNonzeroMagnitude, .leastNormalMagnitude,
          .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan,
        ])
      ))
  }
}

extension Source {
  /// A number from zero to just below one; fewer binary places are simpler.
  ///
  /// The choice holds the places in reverse order: 1 is a half, 2 a quarter, 3 three quarters.
  fileprivate mutating func fraction(zeroProbability: Double) throws -> Double {
    let bound: UInt64 = 1 << 52 - 1
    let choice = try choose(upTo: bound) { random, _ in
      if random.isHit(probability: zeroProbability) { return 0 }
      let places = random.next(upTo: 51) + 1
      return random.next(upTo: UInt64.max >> (64 - places))
    }
    var reversed: UInt64 = 0
    for place in 0..<UInt64(52) where choice & (1 << place) != 0 {
      reversed |= 1 << (51 - place)
    }
    return Double(reversed) * 0x1p-52
  }
}
