import Testing

@testable import PropertyTesting

extension Trait where Self == ConditionTrait {
  /// For suites that pin counts and seeds, which the environment of a longer run would change.
  static var pinnedRuns: Self {
    .enabled("PROPERTY_SEED or PROPERTY_CASES changes what is pinned here") {
      let environment = try Environment.current()
      return environment.seed == nil && environment.cases == nil && environment.failures == nil
    }
  }
}

/// Like `check`, but without the environment: for tests with their own counts and seeds.
func checkUndisturbed<Value>(
  _ generator: Generator<Value>, cases: Int, seed: UInt64, shrinkLimit: Int = 10_000,
  _ holds: (Value) throws -> Bool
) -> Report<Value> {
  withoutActuallyEscaping(holds) { holds in
    var run = PropertyRun(name: "false", generator: generator, shrinkLimit: shrinkLimit) {
      value, _ in
      if try !holds(value) { throw ReturnedFalse() }
    }
    // Nothing is set, so nothing can be malformed.
    guard let environment = try? Environment(variable: { _ in nil }) else {
      return run.report(.misconfigured("an empty environment was refused"))
    }
    return run.random(cases: cases, seed: seed, environment: environment)
  }
}
