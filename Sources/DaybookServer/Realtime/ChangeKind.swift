/// The kind of a change to a row.
enum ChangeKind: String, Sendable {
  /// The row is new.
  case insert = "INSERT"
  /// The row changed.
  case update = "UPDATE"
  /// The row is gone.
  case delete = "DELETE"
}
