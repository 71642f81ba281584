public import PropertyTesting
public import Testing

/// Tests that a property holds for random values, within a test of Swift Testing.
///
/// The body says what must hold by `#expect` and `#require`, as any test does; it may also throw, or return whether
/// the property holds. What fails in it is shrunk before it is told: a property that does not hold is one issue, at
/// the place of the call, however often the body failed.
///
/// ```swift
/// await property("sorting keeps the count", lists) { list in
///   #expect(list.sorted().count == list.count)
/// }
/// ```
///
/// - Parameters:
///   - name: What holds, as a sentence.
///   - generator: The values.
///   - cases: How many; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Makes the run, and its first case, a given one.
///   - examples: Values that are tried before the random ones; one that fails is told as it is.
///   - shrinkLimit: How many simpler values are tried at most.
///   - deadline: How long the body may take for one value.
///   - sourceLocation: Where the issue is recorded.
///   - body: The property.
/// - Returns: The report, for what else is to be asked of it.
@discardableResult
public func property<Value: Sendable, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (Value) throws -> Outcome
) async -> Report<Value> {
  let issues = CaseIssues()
  let report = await issues.captured {
    check(
      name, generator, cases: cases, seed: seed, examples: examples, shrinkLimit: shrinkLimit,
      deadline: deadline
    ) { value in
      try issues.outcome { try body(value) }
    }
  }
  report.record(at: sourceLocation)
  return report
}

/// Tests that a property holds whose body waits.
///
/// As the form whose body does not; one case runs after the other.
@discardableResult
public func property<Value: Sendable, Outcome>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 100, seed: UInt64? = nil,
  examples: [Value] = [], shrinkLimit: Int = 10_000, deadline: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable (Value) async throws -> Outcome
) async -> Report<Value> {
  let issues = CaseIssues()
  let report = await issues.captured {
    await checkAwaiting(
      name, generator, cases: cases, seed: seed, examples: examples, shrinkLimit: shrinkLimit,
      deadline: deadline
    ) { value in
      try await issues.outcome { try await body(value) }
    }
  }
  report.record(at: sourceLocation)
  return report
}

extension Report {
  /// Records an issue unless the property holds.
  fileprivate func record(at sourceLocation: SourceLocation) {
    guard !passed else { return }
    Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
  }
}
