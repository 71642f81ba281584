// Values as a program writes them. What cannot be stands in the program's own text, and stops it at once; values that
// come from elsewhere are read by initialisers that tell.

extension Amount: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// `30`: thirty, of 0…1 000 000 000.
  public init(integerLiteral whole: Int) {
    guard let amount = Amount(whole) else {
      preconditionFailure("\(whole) is no amount: it is not 0…1 000 000 000")
    }
    self = amount
  }

  /// `6.25`, to the nearest thousandth, of 0…1 000 000 000.
  public init(floatLiteral value: Double) {
    let thousandths = (value * 1000).rounded()
    guard let amount = Int64(exactly: thousandths).flatMap({ Amount(thousandths: $0) }) else {
      preconditionFailure("\(value) is no amount: it is not 0…1 000 000 000")
    }
    self = amount
  }
}

extension Day: ExpressibleByStringLiteral {
  /// `"2026-03-01"`.
  public init(stringLiteral text: String) {
    guard let day = Day(text) else {
      preconditionFailure("\"\(text)\" is no day such as 2026-03-01")
    }
    self = day
  }
}
