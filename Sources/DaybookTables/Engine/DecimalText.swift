/// A number with all its digits, used for comparison: numbers are kept as text, and `2.50` equals `2.5`.
struct DecimalText: Comparable {
  private var isNegative = false
  /// The digits from the first to the last that is not zero; empty for zero.
  private var digits: [UInt8] = []
  /// The position of the decimal point, counted from the first digit.
  private var exponent = 0

  /// Reads a number with an optional sign, point and exponent; `nil` for anything else.
  init?(_ text: String) {
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") {
      isNegative = bytes.removeFirst() == UInt8(ascii: "-")
    }
    let whole = bytes.prefix { (0x30...0x39).contains($0) }
    bytes = bytes.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if bytes.first == UInt8(ascii: ".") {
      bytes = bytes.dropFirst()
      fraction = bytes.prefix { (0x30...0x39).contains($0) }
      bytes = bytes.dropFirst(fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    if bytes.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      let number = String(decoding: bytes.dropFirst(), as: UTF8.self)
      // PostgreSQL also accepts no number with more places than this.
      guard let power = Int(number), (-100_000...100_000).contains(power) else { return nil }
      exponent = power
      bytes = []
    }
    guard bytes.isEmpty else { return nil }
    let all = whole + fraction
    let leading = all.prefix { $0 == 0x30 }.count
    digits = Array(all.dropFirst(leading))
    while digits.last == 0x30 { digits.removeLast() }
    exponent += whole.count - leading
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  static func < (left: DecimalText, right: DecimalText) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative
      ? right.isNearerToZero(than: left) : left.isNearerToZero(than: right)
  }

  private func isNearerToZero(than other: DecimalText) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
