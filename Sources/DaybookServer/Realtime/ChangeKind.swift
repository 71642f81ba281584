/// What became of a row.
enum ChangeKind: String, Sendable {
  /// It is there now.
  case insert = "INSERT"
  /// It is another now.
  case update = "UPDATE"
  /// It is gone.
  case delete = "DELETE"
}
