/// Checks that a property holds for random values.
///
/// The cases grow from small to large. The first failing case is shrunk to the simplest value that fails in
/// the same way: with the same type of error and, for ``Falsified``, at the same line; or with the same
/// sentence.
///
/// ```swift
/// let report = check("reversing twice changes nothing", lists) { list in
///   Array(list.reversed().reversed()) == list
/// }
/// ```
///
/// - Parameters:
///   - name: The property, as a sentence.
///   - generator: The generator of the values.
///   - cases: The number of cases; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Fixes the run and its first case; otherwise the environment variable `PROPERTY_SEED` does, and
///     otherwise the seed is random.
///   - examples: Values to try before the random ones; one that fails is reported without shrinking.
///   - shrinkLimit: The largest number of simpler values to try.
///   - deadline: The time limit of the body for one value; a case that takes longer falsifies the property
///     with ``DeadlineExceeded``.
///   - body: The property. It returns whether it holds, or several sentences and whether each of them holds,
///     or returns nothing and throws unless it holds. Throwing a ``Discard`` discards the case, any other
///     error falsifies. A body that returns `false` gives no reason, so a body that can fail for two reasons
///     should return sentences, or throw.
/// - Returns: The report; the caller must check whether the run passed.
public func check<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  _ body: (Value) throws -> Outcome
) -> Report<Value> {
  check(
    name, generator, cases: cases, seed: seed, examples: examples, shrinkLimit: shrinkLimit,
    deadline: deadline
  ) { value, _ in
    try body(value)
  }
}

/// Checks that a property holds for random values, and collects statistics about them.
///
/// This is the form of `check` whose body also records into ``Statistics``.
public func check<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  _ body: (Value, inout Statistics) throws -> Outcome
) -> Report<Value> {
  withoutActuallyEscaping(body) { body in
    var run = PropertyRun(name: name, generator: generator, shrinkLimit: shrinkLimit) {
      value, statistics in
      try DeadlineExceeded.hold(to: deadline) { try judge(body(value, &statistics)) }
    }
    if let mistake = mistake(in: Outcome.self) { return run.report(.misconfigured(mistake)) }
    do throws(Environment.Malformed) {
      let environment = try Environment.current()
      return run.examples(examples) ?? environment.failures.flatMap { run.remembered(in: $0) }
        ?? run.random(cases: cases, seed: seed, environment: environment)
    } catch {
      return run.report(.misconfigured(error.description))
    }
  }
}

/// Checks that a property holds for every value that a generator can produce.
///
/// The values are enumerated by their choices, starting with the simplest. A rule checked over all histories
/// of a few days leaves no small mistake to chance.
///
/// - Parameters:
///   - name: The property, as a sentence.
///   - generator: The generator of the values. A value that several choices produce is checked several times.
///   - limit: The largest number of values; a run that would need more does not pass.
///   - body: The property, as for random values.
/// - Returns: The report; its `cases` are the values checked.
public func checkExhaustively<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, limit: Int = 100_000,
  _ body: (Value) throws -> Outcome
) -> Report<Value> {
  withoutActuallyEscaping(body) { body in
    var run = PropertyRun(name: name, generator: generator, shrinkLimit: 10_000) { value, _ in
      try judge(body(value))
    }
    if let mistake = mistake(in: Outcome.self) { return run.report(.misconfigured(mistake)) }
    return run.exhaustive(limit: limit)
  }
}

extension Generator {
  /// Every value that the generator can produce, starting with the simplest.
  ///
  /// - Throws: ``PropertyFailure`` when there are more than `limit`, or an error of the generator.
  public func allValues(limit: Int = 100_000) throws -> [Value] {
    var values: [Value] = []
    let report = checkExhaustively("all values", self, limit: limit) { values.append($0) }
    if case .generatorFailed(let error, _) = report.verdict { throw error }
    try report.require()
    return values
  }
}

// A single generic form instead of one for `Bool` and one for `Void`: the compiler cannot choose between
// those two for a closure of several statements without `return`.

/// The error message for an unsupported result type; supported are only `Bool`, sentences and `Void`.
private func mistake<Outcome>(in type: Outcome.Type) -> String? {
  type == Bool.self || type == Void.self || type == Never.self || type == [String: Bool].self
    ? nil : "its body returns \(type); return whether the property holds, or nothing"
}

private func judge<Outcome>(_ outcome: Outcome) throws {
  if let holds = outcome as? Bool, !holds { throw ReturnedFalse() }
  if let sentences = outcome as? [String: Bool] {
    let wrong = sentences.filter { !$0.value }.keys.sorted()
    if !wrong.isEmpty { throw FalseSentences(sentences: wrong) }
  }
}
