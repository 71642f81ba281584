import Testing

@testable import PropertyTesting

extension Trait where Self == ConditionTrait {
  /// For suites that pin counts and seeds, which the environment of a longer run would change.
  static var pinnedRuns: Self {
    .enabled("PROPERTY_SEED or PROPERTY_CASES changes what is pinned here") {
      let environment = try Environment.current()
      return environment.seed == nil && environment.cases == nil
    }
  }
}
