/// The result of a run of a property.
///
/// Its description has all details, for a test to show. A failed expectation already shows the report, so a
/// comment would only repeat it:
///
/// ```swift
/// let report = check("…", histories) { history in … }
/// #expect(report.passed)
/// ```
public struct Report<Value> {
  /// The ways a run can end.
  public enum Verdict {
    /// Every case satisfied the property, and the required coverage was met.
    case passed
    /// A case did not satisfy the property.
    case falsified(CounterExample<Value>)
    /// The generator threw an error other than ``Discard``; the seed is that of the case, or `nil` when all
    /// values were enumerated.
    case generatorFailed(any Error, seed: UInt64?)
    /// Too few cases belong to a required class; there is one sentence for each such class.
    case notCovered([String])
    /// Too many cases were discarded, most often for the given reason.
    case gaveUp(reason: String)
    /// The generator has more than `limit` values, so they were not all checked.
    case notExhausted(limit: Int)
    /// The run was configured in an impossible way.
    case misconfigured(String)
  }

  /// The name of the property.
  public let name: String
  /// The outcome.
  public let verdict: Verdict
  /// The seed of the run; `nil` when all values were enumerated.
  public let seed: UInt64?
  /// The number of cases that satisfied the property.
  public let cases: Int
  /// The number of discarded cases.
  public let discarded: Int
  /// Statistics about the generated values.
  public let statistics: Statistics
  /// An additional remark.
  let remark: String?

  /// Whether the property holds, as far as it was checked.
  public var passed: Bool {
    if case .passed = verdict { true } else { false }
  }

  /// The shrunk case that does not satisfy the property, if there is one.
  public var counterExample: CounterExample<Value>? {
    if case .falsified(let example) = verdict { example } else { nil }
  }

  /// Throws the report unless the property holds.
  ///
  /// - Throws: ``PropertyFailure``.
  public func require() throws {
    guard passed else { throw PropertyFailure(description: description) }
  }
}

extension Report: Sendable where Value: Sendable {}
extension Report.Verdict: Sendable where Value: Sendable {}

/// A case that does not satisfy a property, shrunk.
public struct CounterExample<Value> {
  /// The simplest failing value found.
  public let minimal: Value
  /// The error that the body threw for it.
  public let error: any Error
  /// The value that failed first.
  public let original: Value
  /// The error that the body threw for that value.
  public let originalError: any Error
  /// The number of the case within its run, from 1.
  public let caseNumber: Int
  /// The seed that makes this case the first of a run; for a guided case, the seed of the run in which it has
  /// its number. `nil` when all values were enumerated, and for a stored or given case.
  public let seed: UInt64?
  /// How often a simpler failing value was found.
  public let shrinks: Int
  /// Whether the same choices failed again; if not, the generator or the body depends on something else.
  public let isReproducible: Bool
  /// Whether shrinking stopped at its limit, so that a simpler value may also fail.
  public let isCutShort: Bool
  /// The origin of the case.
  public let origin: Origin

  /// The origin of a case.
  public enum Origin: Hashable, Sendable {
    /// The generator produced it at random.
    case chance
    /// It was derived from a case with a high score (``Statistics/target(_:_:)``). Its seed is that of the
    /// run.
    case guided
    /// It failed in an earlier run and was stored (`PROPERTY_FAILURES`). It has no number.
    case remembered
    /// It is one of the examples given to the run; its number is its index among them, and it is not shrunk.
    case example
  }

  /// Whether it is one of the examples given to the run; its number is its index among them, and it is not
  /// shrunk.
  public var isGiven: Bool { origin == .example }
}

extension CounterExample: Sendable where Value: Sendable {}

/// A property that does not hold, as an error.
public struct PropertyFailure: Error, CustomStringConvertible, Sendable {
  /// The report.
  public let description: String
}

extension Report: CustomStringConvertible {
  /// The outcome, the counterexample with instructions for replaying it, and the statistics.
  public var description: String {
    var lines: [String]
    switch verdict {
    case .passed:
      lines = ["“\(name)” holds in \(casesText)"]
    case .falsified(let example):
      let place =
        switch example.origin {
        case .chance: "case \(example.caseNumber)"
        case .guided: "case \(example.caseNumber), which was looked for"
        case .remembered: "a case that is remembered"
        case .example: "example \(example.caseNumber)"
        }
      lines = ["“\(name)” is false in \(place)"] + example.lines
    case .generatorFailed(let error, let seed):
      lines = ["“\(name)”: the generator failed: \(error)"] + (seed.map(replayLines) ?? [])
    case .notCovered(let sentences):
      lines = ["“\(name)” holds, but its cases are not varied enough"]
      lines += sentences.map { "  " + $0 }
    case .gaveUp(let reason):
      lines = [
        "“\(name)” gave up: \(discarded) cases were discarded and \(cases) ran",
        "  most often because: \(reason)",
        "  generate fitting values instead of refusing the others",
      ]
    case .notExhausted(let limit):
      lines = [
        "“\(name)” holds in \(casesText), but there are more than \(limit)",
        "  narrow the generator, or raise the limit",
      ]
    case .misconfigured(let sentence):
      lines = ["“\(name)” did not run: \(sentence)"]
    }
    if let seed { lines.append("  seed of the run: \(CaseSeed.text(seed))") }
    if let remark { lines.append("  " + remark) }
    let table = statistics.description
    if !table.isEmpty {
      lines += table.split(separator: "\n").map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  private var casesText: String {
    let text = cases == 1 ? "1 case" : "\(cases) cases"
    return discarded == 0 ? text : text + ", \(discarded) discarded"
  }
}

extension CounterExample {
  fileprivate var lines: [String] {
    var lines = [
      "  counter-example: \(describe(minimal))",
      "  because: \(error)",
    ]
    if shrinks > 0 {
      lines.append("  shrunk \(shrinks) times from: \(describe(original).prefix(2_000))")
    }
    if isCutShort {
      lines.append("  shrinking stopped at its limit; a higher shrinkLimit may find a simpler one")
    }
    if !isReproducible {
      lines.append("  a second run of the same case did not fail: it depends on more than its seed")
    }
    return lines + (seed.map(replayLines) ?? [])
  }
}

private func replayLines(_ seed: UInt64) -> [String] {
  let text = CaseSeed.text(seed)
  return ["  replay: PROPERTY_SEED=\(text), or seed: \(text)"]
}
