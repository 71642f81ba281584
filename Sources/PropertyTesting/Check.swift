/// Checks that a property holds for random values.
///
/// The cases grow from small to large. The first that fails is shrunk to the simplest value that
/// fails in the same way: by the same type of error and, for ``Falsified``, at the same line; or
/// by the same sentence.
///
/// ```swift
/// let report = check("reversing twice changes nothing", lists) { list in
///   Array(list.reversed().reversed()) == list
/// }
/// ```
///
/// - Parameters:
///   - name: What holds, as a sentence.
///   - generator: The values.
///   - cases: How many; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Makes the run, and its first case, a given one; otherwise the environment variable
///     `PROPERTY_SEED` does, and otherwise chance.
///   - examples: Values that are tried before the random ones; one that fails is told as it is.
///   - shrinkLimit: How many simpler values are tried at most.
///   - deadline: How long the body may take for one value; a case that takes longer falsifies the property, by
///     ``DeadlineExceeded``.
///   - body: The property. It returns whether it holds, or several sentences and whether each of them
///     holds, or returns nothing and throws unless it holds. Throwing a ``Discard`` gives the case up,
///     any other error falsifies. That a body returned `false` says nothing of why: one that can fail for
///     two reasons returns sentences, or throws.
/// - Returns: The report; to ask it whether the run passed is the caller's duty.
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

/// Checks that a property holds for random values, and counts what they are like.
///
/// As the form whose body takes the value alone; this one also records into ``Statistics``.
public func check<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  _ body: (Value, inout Statistics) throws -> Outcome
) -> Report<Value> {
  withoutActuallyEscaping(body) { body in
    var run = Run(name: name, generator: generator, shrinkLimit: shrinkLimit) {
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

/// Checks that a property holds for every value that a generator can make.
///
/// The values are enumerated by their choices, from the simplest on; a rule checked over all
/// histories of a few days leaves no small mistake to chance.
///
/// - Parameters:
///   - name: What holds, as a sentence.
///   - generator: The values. A value that can be chosen in two ways is checked twice.
///   - limit: How many values are checked at most; a run that needs more does not pass.
///   - body: The property, as for random values.
/// - Returns: The report; its `cases` are the values checked.
public func checkExhaustively<Value, Outcome>(
  _ name: String, _ generator: Generator<Value>, limit: Int = 100_000,
  _ body: (Value) throws -> Outcome
) -> Report<Value> {
  withoutActuallyEscaping(body) { body in
    var run = Run(name: name, generator: generator, shrinkLimit: 10_000) { value, _ in
      try judge(body(value))
    }
    if let mistake = mistake(in: Outcome.self) { return run.report(.misconfigured(mistake)) }
    return run.exhaustive(limit: limit)
  }
}

extension Generator {
  /// Every value that the generator can make, from the simplest on.
  ///
  /// - Throws: ``PropertyFailure`` when there are more than `limit`, or what the generator throws.
  public func allValues(limit: Int = 100_000) throws -> [Value] {
    var values: [Value] = []
    let report = checkExhaustively("all values", self, limit: limit) { values.append($0) }
    if case .generatorFailed(let error, _) = report.verdict { throw error }
    try report.require()
    return values
  }
}

// One generic form instead of one for `Bool` and one for `Void`: between those two the compiler
// cannot choose for a closure of several statements and no `return`.

/// What is wrong with a body of that result; only `Bool`, sentences and nothing at all are understood.
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
