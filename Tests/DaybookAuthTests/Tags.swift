import Testing

/// What a suite costs and looks for: each has one of these. `Docs/Testing.md` says what for.
extension Tag {
  /// Examples: what one rule or one request does. All of them take seconds.
  @Tag static var unit: Self
  /// What holds for all values: properties, models, and naive definitions held against ours.
  @Tag static var law: Self
}
