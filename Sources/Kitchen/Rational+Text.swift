import Values
public import Avro

extension Rational: CustomStringConvertible {
  /// `3/2`, or `2` when the number is whole; parsing it gives the same number.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }

  /// Reads a number as people write it: `2`, `3/2`, `1 1/2`, `2¼`, `0.5`, `0,5`; `nil` for anything else.
  ///
  /// A comma before exactly three digits may be a decimal comma or a thousands separator, so it is not
  /// guessed: `1,500` is not a number, while `0,125` is one eighth. A number of more than forty digits is not
  /// read either.
  public init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative { rest.removeFirst() }
    guard let number = Rational.taken(from: &rest), rest.isEmpty,
      let signed = isNegative ? number.negated : number
    else { return nil }
    self = signed
  }

  /// Takes the unsigned number at the front of a text; takes nothing when there is none.
  static func taken(from text: inout Substring) -> Rational? {
    var rest = text
    guard let number = plainNumber(from: &rest) else { return nil }
    text = rest
    return number
  }

  /// The first number in a text. Text that looks like a number but is none is skipped as a whole.
  static func first(in text: some StringProtocol) -> Rational? {
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { $0.beginsNumber }) {
      rest = rest[start...]
      if let number = taken(from: &rest) { return number }
      let run = rest.dropFirst().firstIndex { !$0.isDigit && $0 != "." && $0 != "," }
      rest = rest[(run ?? rest.endIndex)...]
    }
    return nil
  }

  private static func plainNumber(from rest: inout Substring) -> Rational? {
    if let fraction = fractionSign(from: &rest) { return fraction }
    let digits = takenDigits(from: &rest)
    guard digits.utf8.count <= Limit.digits.maximum else { return nil }
    if let mark = rest.first, mark == "." || mark == ",", rest.dropFirst().first?.isDigit == true {
      rest.removeFirst()
      let decimals = takenDigits(from: &rest)
      guard decimals.utf8.count <= Limit.digits.maximum else { return nil }
      let isAmbiguous = mark == "," && decimals.count == 3 && digits.contains { $0 != "0" }
      return isAmbiguous ? nil : Rational(digits: digits, decimals: decimals)
    }
    guard let whole = Int64(digits) else { return nil }
    if let fraction = divided(whole, from: &rest) { return fraction }
    return mixed(whole, from: &rest) ?? Rational(whole)
  }

  /// Takes the fraction that belongs to a whole number: `¼`, ` ½`, ` 1/2`.
  private static func mixed(_ whole: Int64, from text: inout Substring) -> Rational? {
    var rest = text.drop { $0 == " " || $0 == "\u{A0}" }
    let hasSpace = rest.startIndex != text.startIndex
    var fraction = fractionSign(from: &rest)
    if fraction == nil, hasSpace, let above = Int64(takenDigits(from: &rest)) {
      fraction = divided(above, from: &rest)
    }
    guard let fraction, fraction < .one, let sum = fraction.adding(Rational(whole)) else {
      return nil
    }
    text = rest
    return sum
  }

  /// Takes a denominator for a whole number: `/2`.
  private static func divided(_ above: Int64, from text: inout Substring) -> Rational? {
    var rest = text
    guard let slash = rest.popFirst(), "/\u{2044}\u{2215}".contains(slash),
      let below = Int64(takenDigits(from: &rest)), let quotient = Rational(above, over: below)
    else { return nil }
    text = rest
    return quotient
  }

  /// Takes all digits at the front of a text, however many.
  private static func takenDigits(from text: inout Substring) -> Substring {
    let digits = text.prefix { $0.isDigit }
    text = text[digits.endIndex...]
    return digits
  }

  /// Makes a decimal; `nil` when it does not fit in 64 bits.
  private init?(digits: Substring, decimals: Substring) {
    var above: Int64 = 0
    var below: Int64 = 1
    for digit in digits + decimals {
      let (tens, overflowsTens) = above.multipliedReportingOverflow(by: 10)
      let (sum, overflowsSum) = tens.addingReportingOverflow(Int64(digit.wholeNumberValue ?? 0))
      guard !overflowsTens, !overflowsSum else { return nil }
      above = sum
    }
    for _ in decimals {
      let (tens, overflows) = below.multipliedReportingOverflow(by: 10)
      guard !overflows else { return nil }
      below = tens
    }
    self.init(above, over: below)
  }

  /// Takes a fraction that is a single Unicode character.
  private static func fractionSign(from text: inout Substring) -> Rational? {
    let terms: (Int64, Int64)
    switch text.first {
    case "¼": terms = (1, 4)
    case "½": terms = (1, 2)
    case "¾": terms = (3, 4)
    case "⅐": terms = (1, 7)
    case "⅑": terms = (1, 9)
    case "⅒": terms = (1, 10)
    case "⅓": terms = (1, 3)
    case "⅔": terms = (2, 3)
    case "⅕": terms = (1, 5)
    case "⅖": terms = (2, 5)
    case "⅗": terms = (3, 5)
    case "⅘": terms = (4, 5)
    case "⅙": terms = (1, 6)
    case "⅚": terms = (5, 6)
    case "⅛": terms = (1, 8)
    case "⅜": terms = (3, 8)
    case "⅝": terms = (5, 8)
    case "⅞": terms = (7, 8)
    default: return nil
    }
    text.removeFirst()
    return Rational(terms.0, over: terms.1)
  }
}

extension Character {
  /// Whether the character is one of 0…9.
  fileprivate var isDigit: Bool { isASCII && isWholeNumber }

  /// Whether a number may begin with this character.
  fileprivate var beginsNumber: Bool { isDigit || self == "." || self == "," || isNumber }
}

extension Rational {
  /// A JSON number when a decimal is exact, otherwise the fraction as text: `1.5`, `"1/3"`. Decimals with
  /// more digits than a double keeps are texts, too, because most programs read numbers as doubles and would
  /// round them.
  public var json: JSON {
    guard let decimal else { return .string(description) }
    let digits = decimal.drop { !("1"..."9").contains($0) }
    return digits.count(where: \.isNumber) <= Self.doubleDigitCount
      ? .number(decimal) : .string(decimal)
  }

  /// The number of decimal digits that every double keeps.
  private static let doubleDigitCount = 15

  /// Reads a number in either form; `nil` for anything else.
  public init?(json: JSON) {
    switch json {
    case .number(let text), .string(let text): self.init(text)
    default: return nil
    }
  }

  /// The exact decimal, if it is finite and reads back as the same number.
  var decimal: String? {
    var scale: Int64 = 1
    var places = 0
    while scale % denominator != 0 {
      // 64 bits hold at most 18 places.
      guard places < 18 else { return nil }
      (scale, places) = (scale * 10, places + 1)
    }
    let (scaled, overflows) = numerator.multipliedReportingOverflow(by: scale / denominator)
    guard !overflows, places > 0 else { return overflows ? nil : "\(numerator)" }
    var digits = String(scaled.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (numerator < 0 ? "-" : "") + digits.dropLast(places) + "." + digits.suffix(places)
  }
}
