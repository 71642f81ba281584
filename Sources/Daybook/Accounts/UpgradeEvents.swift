public import Avro

/// A person asked for the paid version (MO-7). Nothing is unlocked by it.
public struct UpgradeRequested: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The price that the person saw; empty once the account was erased.
  public var price: String = ""

  public static var recordName: String { "UpgradeRequested" }
  var rowScope: RowScope { .tables(["profiles"]) }
  var verb: String { "asked for the paid version" }
  var reasonNotToUndo: String? { "the request stays on record and has no other effect" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit(
      "price", &price, [.doc("as the person was shown it"), .personal, .neverEmpty])
  }
}
