// Literals for use in source code. An impossible value is a programming error and traps; use the failable
// initialisers for values from elsewhere.

extension Amount: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// `30` is thirty; allowed are 0…1 000 000 000.
  public init(integerLiteral whole: Int) {
    guard let amount = Amount(whole) else {
      preconditionFailure("\(whole) is not an amount: it is not 0…1 000 000 000")
    }
    self = amount
  }

  /// `6.25`, rounded to the nearest thousandth; allowed are 0…1 000 000 000.
  public init(floatLiteral value: Double) {
    let thousandths = (value * 1000).rounded()
    guard let amount = Int64(exactly: thousandths).flatMap({ Amount(thousandths: $0) }) else {
      preconditionFailure("\(value) is not an amount: it is not 0…1 000 000 000")
    }
    self = amount
  }
}

extension Day: ExpressibleByStringLiteral {
  /// `"2026-03-01"`.
  public init(stringLiteral text: String) {
    guard let day = Day(text) else {
      preconditionFailure("\"\(text)\" is not a day such as 2026-03-01")
    }
    self = day
  }
}
