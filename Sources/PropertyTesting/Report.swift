/// How a run of a property ended.
///
/// Its description is the whole story, for a test to show. An expectation shows the report by itself; a comment
/// would tell it again:
///
/// ```swift
/// let report = check("…", histories) { history in … }
/// #expect(report.passed)
/// ```
public struct Report<Value> {
  /// The ways a run ends.
  public enum Verdict {
    /// Every case satisfied the property, and the required coverage was met.
    case passed
    /// A case did not.
    case falsified(CounterExample<Value>)
    /// The generator threw an error that is no ``Discard``; the seed is that of the
    /// case, `nil` when every value was enumerated instead.
    case generatorFailed(any Error, seed: UInt64?)
    /// Too few cases belong to a required class; one sentence for each.
    case notCovered([String])
    /// Too many cases were discarded, most often for the given reason.
    case gaveUp(reason: String)
    /// The generator has more than `limit` values, too many to check them all.
    case notExhausted(limit: Int)
    /// The run was asked for what it cannot do.
    case misconfigured(String)
  }

  /// The name of the property.
  public let name: String
  /// The outcome.
  public let verdict: Verdict
  /// The seed of the run; `nil` when every value was enumerated instead.
  public let seed: UInt64?
  /// The cases that satisfied the property.
  public let cases: Int
  /// The cases that were given up.
  public let discarded: Int
  /// What was generated.
  public let statistics: Statistics
  /// What is to be said besides.
  let remark: String?

  /// Whether the property holds as far as was checked.
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
  /// The simplest value found that fails.
  public let minimal: Value
  /// What the body threw on it.
  public let error: any Error
  /// The value that failed first.
  public let original: Value
  /// What the body threw on that.
  public let originalError: any Error
  /// The number of the case within its run, from 1.
  public let caseNumber: Int
  /// The seed that makes this case the first of a run, or its number of one where it was looked for; `nil` when every
  /// value was enumerated, and of a case that is remembered or was given.
  public let seed: UInt64?
  /// How many times a simpler failing value was found.
  public let shrinks: Int
  /// Whether the same choices failed again; if not, generator or body depend on something else.
  public let isReproducible: Bool
  /// Whether shrinking stopped at its limit: a simpler value may fail, too.
  public let isCutShort: Bool
  /// Where it came from.
  public let origin: Origin

  /// Where a case came from.
  public enum Origin: Hashable, Sendable {
    /// The generator made it.
    case chance
    /// It was looked for: made from a case of a high score (``Statistics/target(_:_:)``). Its seed is that of the run.
    case guided
    /// It failed in an earlier run, and is remembered (`PROPERTY_FAILURES`). It has no number.
    case remembered
    /// It is one of the examples given to the run; its number counts them, and it is not shrunk.
    case example
  }

  /// Whether it is one of the examples given to the run; its number counts them, and it is not shrunk.
  public var isGiven: Bool { origin == .example }
}

extension CounterExample: Sendable where Value: Sendable {}

/// A property that does not hold, as an error.
public struct PropertyFailure: Error, CustomStringConvertible, Sendable {
  /// The report.
  public let description: String
}

extension Report: CustomStringConvertible {
  /// The outcome, the counter-example with the way to replay it, and the statistics.
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
