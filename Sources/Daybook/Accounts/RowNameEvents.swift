public import Avro
public import Values

/// An account's app calls a row by a name of its own, of which the book has another.
public struct RowNamed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The row's name that follows from what it holds; none once the account was erased.
  public var row: Key?
  /// What the app calls it; none once the account was erased.
  public var name: Key?

  /// "RowNamed".
  public static var recordName: String { "RowNamed" }

  /// The fields in their order.
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("row", &row, [.personal])
    try visitor.visit("name", &name, [.personal])
  }
}
