public import Avro

/// An account added people by their phone numbers (HH-6); the event lists only those that were new.
public struct ContactsUploaded: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The hashes of the numbers, ascending; empty once the account was erased.
  public var hashes: [IdentityHash] = []

  public static var recordName: String { "ContactsUploaded" }
  var rowScope: RowScope { .tables(["contact_hashes"]) }
  var verb: String { "uploaded contacts" }
  var reasonNotToUndo: String? { "only hashes of contacts are kept; upload the contacts again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit(
      "hashes", &hashes,
      [.doc("sha256(pepper ‖ E.164) of each, ascending"), .personal, .neverEmpty])
  }
}

/// An account removed some of its contacts.
public struct ContactsRemoved: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The hashes of the numbers, ascending; empty once the account was erased.
  public var hashes: [IdentityHash] = []

  public static var recordName: String { "ContactsRemoved" }
  var rowScope: RowScope { .tables(["contact_hashes"]) }
  var verb: String { "removed contacts" }
  var reasonNotToUndo: String? { "only hashes of contacts are kept; upload the contacts again" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("hashes", &hashes, [.personal, .neverEmpty])
  }
}

/// An account named one of its contacts (HH-6); a contact that was unknown is added.
public struct ContactNamed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The hash that identifies the contact; none once the account was erased.
  public var hash: IdentityHash?
  /// The client's text for the contact, where that is not the hash itself.
  public var text: String?
  /// The person's name for the contact.
  public var name: String?

  public static var recordName: String { "ContactNamed" }
  var rowScope: RowScope { .tables(["contact_hashes"]) }
  var verb: String { "named a contact" }
  var reasonNotToUndo: String? {
    "the name that was saved last counts; save another name, or remove the contact"
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit(
      "hash", &hash, [.doc("sha256(text), where there is a text"), .personal, .neverEmpty])
    try visitor.visit("text", &text, [.personal])
    try visitor.visit("name", &name, [.personal])
  }
}
