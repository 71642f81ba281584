extension Rational {
  /// The number as recipes write it: `1 ½`, `⅔`, `12`, `1.43`. For display only.
  ///
  /// A number that is not in halves, thirds, quarters or eighths becomes a decimal, rounded (half away from
  /// zero) to three digits, but never inside its whole part.
  public var kitchenForm: String {
    let (whole, rest) = magnitudeParts
    let sign = numerator < 0 ? "-" : ""
    guard rest != .zero else { return "\(sign)\(whole)" }
    if let fraction = rest.kitchenFraction {
      return sign + (whole == 0 ? "" : "\(whole) ") + String(fraction)
    }
    return decimalForm
  }

  /// The number as a decimal for display, rounded (half away from zero) to three digits, but never inside its
  /// whole part.
  var decimalForm: String {
    let (whole, rest) = magnitudeParts
    let sign = numerator < 0 ? "-" : ""
    var places = max(0, 3 - String(whole).count)
    if whole == 0 {
      places = 3
      // A number other than zero never shows as zero.
      while places < 12, let tenth = Rational.power(places), rest < tenth { places += 1 }
    }
    var scale: Int128 = 1
    for _ in 0..<places { scale *= 10 }
    let doubled = Int128(rest.numerator) * scale * 2 + Int128(rest.denominator)
    let rounded = doubled / (Int128(rest.denominator) * 2)
    // A number too small for any decimal.
    if whole == 0, rounded == 0, rest != .zero { return description }
    let (carried, decimals) = rounded.quotientAndRemainder(dividingBy: scale)
    var digits = String(decimals)
    digits = String(repeating: "0", count: max(0, places - digits.count)) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(Int128(whole) + carried)" + (digits.isEmpty ? "" : ".\(digits)")
  }

  /// Whether the fraction has a kitchen sign: none, or halves, thirds, quarters, eighths.
  var isKitchenForm: Bool {
    let rest = wholeAndRest.rest
    return rest == .zero || rest.kitchenFraction != nil
  }

  private var kitchenFraction: Character? {
    switch (numerator, denominator) {
    case (1, 2): "½"
    case (1, 3): "⅓"
    case (2, 3): "⅔"
    case (1, 4): "¼"
    case (3, 4): "¾"
    case (1, 8): "⅛"
    case (3, 8): "⅜"
    case (5, 8): "⅝"
    case (7, 8): "⅞"
    default: nil
    }
  }

  /// The whole part and the fraction of the number without its sign.
  private var magnitudeParts: (whole: UInt64, rest: Rational) {
    let (whole, above) = numerator.magnitude.quotientAndRemainder(
      dividingBy: denominator.magnitude)
    return (whole, Rational(Int64(clamping: above), over: denominator) ?? .zero)
  }

  /// One over a power of ten, up to 10¹².
  private static func power(_ places: Int) -> Rational? {
    var below: Int64 = 1
    for _ in 0..<places { below *= 10 }
    return Rational(1, over: below)
  }
}
