/// An exact number: a whole numerator over a whole denominator, in lowest terms.
///
/// Recipes use thirds, and a third of a cup for two becomes a sixth for one, so nothing is rounded before
/// display. Arithmetic whose result does not fit in 64 bits returns `nil`; it never traps and never rounds.
public struct Rational: Hashable, Comparable, Sendable {
  /// The numerator, which carries the sign.
  public let numerator: Int64
  /// The denominator: at least 1, and coprime to the numerator.
  public let denominator: Int64

  /// The number 0.
  public static let zero = Rational(0)
  /// The number 1.
  public static let one = Rational(1)

  /// The number ½.
  static let half = Rational(inLowestTerms: 1, over: 2)

  private init(inLowestTerms numerator: Int64, over denominator: Int64) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  public init(_ whole: Int64) {
    numerator = whole
    denominator = 1
  }

  /// Makes a fraction; `nil` when the denominator is 0, or when the lowest terms do not fit in 64 bits.
  public init?(_ numerator: Int64, over denominator: Int64) {
    self.init(reducing: Int128(numerator), over: Int128(denominator))
  }

  /// Reduces a quotient; `nil` when the denominator is 0, or when the lowest terms do not fit in 64 bits.
  private init?(reducing numerator: Int128, over denominator: Int128) {
    guard denominator != 0 else { return nil }
    let divisor = Rational.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    // No caller comes near the ends of 128 bits, so the signs can be flipped.
    let sign: Int128 = denominator < 0 ? -1 : 1
    guard let above = Int64(exactly: sign * (numerator / Int128(divisor))),
      let below = Int64(exactly: sign * (denominator / Int128(divisor)))
    else { return nil }
    self.numerator = above
    self.denominator = below
  }

  /// The sum, or `nil` when it does not fit in 64 bits.
  package func adding(_ other: Rational) -> Rational? {
    // Each product is at most 2¹²⁶ - 2⁶³, so the sum fits in 128 bits.
    Rational(
      reducing: wide(numerator) * wide(other.denominator) + wide(other.numerator)
        * wide(denominator),
      over: wide(denominator) * wide(other.denominator))
  }

  /// The difference, or `nil` when it does not fit in 64 bits.
  package func subtracting(_ other: Rational) -> Rational? {
    other.negated.flatMap(adding)
  }

  /// The product, or `nil` when it does not fit in 64 bits.
  package func multiplied(by other: Rational) -> Rational? {
    Rational(
      reducing: wide(numerator) * wide(other.numerator),
      over: wide(denominator) * wide(other.denominator))
  }

  /// The quotient, or `nil` when it does not fit in 64 bits or the divisor is 0.
  package func divided(by other: Rational) -> Rational? {
    Rational(
      reducing: wide(numerator) * wide(other.denominator),
      over: wide(denominator) * wide(other.numerator))
  }

  /// The number with the opposite sign, or `nil` when it does not fit in 64 bits.
  public var negated: Rational? {
    Rational(reducing: -wide(numerator), over: wide(denominator))
  }

  /// Whether the number is greater than 0.
  public var isPositive: Bool { numerator > 0 }

  /// The largest whole number that is not above this one, and the rest: at least 0 and below 1.
  public var wholeAndRest: (whole: Int64, rest: Rational) {
    var (whole, above) = numerator.quotientAndRemainder(dividingBy: denominator)
    // A negative remainder implies a denominator above 1, so the quotient cannot underflow.
    if above < 0 { (whole, above) = (whole - 1, above + denominator) }
    // A remainder over the same denominator is in lowest terms.
    return (whole, Rational(lowest: above, over: denominator))
  }

  private init(lowest numerator: Int64, over denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Compares by value.
  public static func < (left: Rational, right: Rational) -> Bool {
    Int128(left.numerator) * Int128(right.denominator)
      < Int128(right.numerator) * Int128(left.denominator)
  }

  private func wide(_ number: Int64) -> Int128 { Int128(number) }

  private static func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}
