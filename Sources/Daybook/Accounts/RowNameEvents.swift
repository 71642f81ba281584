public import Avro
public import Values

/// An account's app calls a row by a name of its own, of which the book has another.
public struct RowNamed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// In which table the row is.
  public var table: NamedTable = .habitLogs
  /// The row's name that follows from what it holds; none once the account was erased.
  public var row: Key?
  /// What the app calls it; none once the account was erased.
  public var name: Key?

  public static var recordName: String { "RowNamed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("table", &table)
    try visitor.visit("row", &row, [.personal])
    try visitor.visit("name", &name, [.personal])
  }
}

/// The tables of whose rows the book has no keys but those that follow from what they hold.
public enum NamedTable: String, AvroEnumeration {
  /// Days of habits.
  case habitLogs = "habit_logs"
  /// Days of habits, as Digit has them.
  case habitProgress = "habit_progress"
  /// Where pushes go.
  case deviceTokens = "device_tokens"
  /// Whom one knows.
  case contactHashes = "contact_hashes"
  /// Members' days in hives.
  case hiveMemberDays = "hive_member_days"
  /// Codes by which one joins hives.
  case hiveInvites = "hive_invites"

  public static var enumerationName: String { "NamedTable" }
}
