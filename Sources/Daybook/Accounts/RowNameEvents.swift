public import Avro
public import Values

/// An account's app uses a name of its own for a row that has another name in the book.
public struct RowNamed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The table of the row.
  public var table: NamedTable = .habitLogs
  /// The row's derived key; none once the account was erased.
  public var row: Key?
  /// The app's name for it; none once the account was erased.
  public var name: Key?

  public static var recordName: String { "RowNamed" }
  var verb: String { "named a row" }
  /// It names rows of an app's tables.
  var rowScope: RowScope { .tables([]) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("table", &table)
    try visitor.visit("row", &row, [.personal, .neverEmpty])
    try visitor.visit("name", &name, [.personal])
  }
}

/// The tables whose rows have only derived keys in the book.
public enum NamedTable: String, AvroEnumeration {
  /// Days of habits.
  case habitLogs = "habit_logs"
  /// Days of habits, as Digit has them.
  case habitProgress = "habit_progress"
  /// Devices that receive pushes.
  case deviceTokens = "device_tokens"
  /// Contacts.
  case contactHashes = "contact_hashes"
  /// Members' days in hives.
  case hiveMemberDays = "hive_member_days"
  /// Join codes of hives.
  case hiveInvites = "hive_invites"

  public static var enumerationName: String { "NamedTable" }
}
