#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The settings that the environment gives for a run.
///
/// | variable | meaning |
/// |---|---|
/// | `PROPERTY_SEED` | the seed of every run that has no seed of its own: `0x` and hexadecimal, or decimal |
/// | `PROPERTY_CASES` | the cases of every run: `5000` sets, `x10` multiplies, `x0.1` takes a tenth |
/// | `PROPERTY_FAILURES` | a folder that stores failures, which are tried first |
/// | `PROPERTY_TRACE` | `1` prints the seed of a case that traps |
struct Environment {
  enum Cases: Equatable {
    case set(Int)
    case multiplied(Double)
  }

  /// An error for a variable that cannot be parsed.
  struct Malformed: Error, CustomStringConvertible {
    let description: String
  }

  var seed: UInt64?
  var cases: Cases?
  /// The folder that stores failures.
  var failures: String?
  var isTracing = false

  /// Reads the variables with a function.
  init(variable: (String) -> String?) throws(Malformed) {
    if let text = variable("PROPERTY_SEED"), !text.isEmpty {
      let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
      let digits = isHexadecimal ? text.dropFirst(2) : text[...]
      guard let seed = UInt64(digits, radix: isHexadecimal ? 16 : 10) else {
        throw Malformed(
          description: "PROPERTY_SEED=\(text) is not a seed; write it as 0x and hexadecimal digits")
      }
      self.seed = seed
    }
    if let text = variable("PROPERTY_CASES"), !text.isEmpty {
      guard let cases = Self.cases(text) else {
        throw Malformed(
          description: """
            PROPERTY_CASES=\(text) is not a count; write 5000 to set it, x10 to multiply it, x0.1 for \
            a tenth
            """)
      }
      self.cases = cases
    }
    failures = variable("PROPERTY_FAILURES").flatMap { $0.isEmpty ? nil : $0 }
    isTracing = variable("PROPERTY_TRACE") == "1"
  }

  /// The environment of this process.
  static func current() throws(Malformed) -> Environment {
    try Environment { name in getenv(name).map { String(cString: $0) } }
  }

  private static func cases(_ text: String) -> Cases? {
    guard text.hasPrefix("x") else { return Int(text).flatMap { $0 > 0 ? .set($0) : nil } }
    guard let factor = Double(text.dropFirst()), factor > 0, factor.isFinite else { return nil }
    return .multiplied(factor)
  }

  /// The number of cases for a property that requests `count`.
  func cases(for count: Int) -> Int {
    if case .set(let number) = cases { return number }
    return scaled(count)
  }

  /// A loop count, multiplied like cases, but at least one.
  ///
  /// A setting that gives an absolute number of cases does not apply to loops, whose turns may cost a
  /// thousand times as much.
  func scaled(_ count: Int) -> Int {
    guard case .multiplied(let factor) = cases, count > 0 else { return count }
    return max(1, Int(exactly: (Double(count) * factor).rounded()) ?? .max)
  }

  /// The scaled sampling step, where one in `step` elements is usual.
  func step(_ step: Int) -> Int {
    guard case .multiplied(let factor) = cases else { return step }
    return max(1, Int(exactly: (Double(step) / factor).rounded(.down)) ?? .max)
  }
}
