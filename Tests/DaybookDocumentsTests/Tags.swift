import Testing

/// A suite's cost and purpose: each suite has exactly one of these tags. `Docs/Testing.md` explains them.
extension Tag {
  /// Examples: what one rule, one format or one command does. All of them take seconds.
  @Tag static var unit: Self
  /// Laws that hold for all values: properties, models, and comparisons with naive definitions.
  @Tag static var law: Self
  /// What a book does when bytes are damaged, a disk fails, its process is killed or another writer interferes.
  @Tag static var damage: Self
}
