public import PropertyTesting
public import Testing

/// Tests that a property holds for random values, inside a Swift Testing test.
///
/// The body states expectations with `#expect` and `#require`, as in any test; it may also throw, or return
/// whether the property holds. A failure is shrunk before it is reported: a property that does not hold is a
/// single issue at the place of the call, however often the body failed.
///
/// ```swift
/// await property("sorting keeps the count", lists) { list in
///   #expect(list.sorted().count == list.count)
/// }
/// ```
///
/// - Parameters:
///   - name: The property, as a sentence.
///   - generator: The generator of the values.
///   - cases: The number of cases; the environment variable `PROPERTY_CASES` sets or multiplies it.
///   - seed: Fixes the run and its first case.
///   - examples: Values to try before the random ones; one that fails is reported without shrinking.
///   - shrinkLimit: The largest number of simpler values to try.
///   - deadline: The time limit of the body for one value.
///   - sourceLocation: The place where the issue is recorded.
///   - body: The property.
/// - Returns: The report, for further checks.
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

/// Tests that a property with an asynchronous body holds.
///
/// This is the form of `property` for an asynchronous body; the cases run one after the other.
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
