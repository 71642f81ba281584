#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// What the environment says about a run.
///
/// | variable | meaning |
/// |---|---|
/// | `PROPERTY_SEED` | the seed of every run without one of its own: `0x` and hexadecimal, or decimal |
/// | `PROPERTY_CASES` | the cases of every run: `5000` sets, `x10` multiplies |
/// | `PROPERTY_TRACE` | `1` writes the seed of each case before it runs, to find one that traps |
struct Environment {
  enum Cases: Equatable {
    case set(Int)
    case multiplied(Int)
  }

  /// The text of a variable that cannot be understood.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  var seed: UInt64?
  var cases: Cases?
  var isTracing = false

  /// Reads the variables by `variable`.
  init(variable: (String) -> String?) throws(Malformed) {
    if let text = variable("PROPERTY_SEED"), !text.isEmpty {
      let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
      let digits = isHexadecimal ? text.dropFirst(2) : text[...]
      guard let seed = UInt64(digits, radix: isHexadecimal ? 16 : 10) else {
        throw Malformed(
          description: "PROPERTY_SEED=\(text) is no seed; write it as 0x and hexadecimal digits")
      }
      self.seed = seed
    }
    if let text = variable("PROPERTY_CASES"), !text.isEmpty {
      let isFactor = text.hasPrefix("x")
      guard let number = Int(isFactor ? text.dropFirst() : text[...]), number > 0 else {
        throw Malformed(
          description: "PROPERTY_CASES=\(text) is no count; write 5000 to set it, x10 to multiply")
      }
      cases = isFactor ? .multiplied(number) : .set(number)
    }
    isTracing = variable("PROPERTY_TRACE") == "1"
  }

  /// The environment of this process.
  static func current() throws(Malformed) -> Environment {
    try Environment { name in getenv(name).map { String(cString: $0) } }
  }

  func cases(for count: Int) -> Int {
    switch cases {
    case .set(let number): number
    case .multiplied(let factor):
      count.multipliedReportingOverflow(by: factor).overflow ? .max : count * factor
    case nil: count
    }
  }

  /// Writes to standard error at once: a case that traps leaves no time to flush.
  static func trace(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      _ = write(2, bytes.baseAddress, bytes.count)
    }
  }
}
