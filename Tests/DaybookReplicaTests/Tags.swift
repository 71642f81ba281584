import Testing

/// A suite's cost and purpose: each suite has exactly one of these tags. `Docs/Testing.md` explains them.
extension Tag {
  /// Examples: what one rule, one format or one command does. All of them take seconds.
  @Tag static var unit: Self
  /// Laws that hold for all values: properties, models, and comparisons with naive definitions.
  @Tag static var law: Self
  /// Damage that bytes, disks, kills and other writers do to a book.
  @Tag static var damage: Self
}
