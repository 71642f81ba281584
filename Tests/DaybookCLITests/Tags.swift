import Testing

/// What a suite costs and looks for: each has one of these. `Docs/Testing.md` says what for.
extension Tag {
  /// Examples: what one rule, one format or one command does. All of them take seconds.
  @Tag static var unit: Self
  /// Examples again, told to the built program as a person tells them: a process for each command.
  @Tag static var program: Self
  /// What holds for all values: properties, models, and naive definitions held against ours.
  @Tag static var law: Self
  /// What bytes, disks, kills and other writers do to a book.
  @Tag static var damage: Self
}
