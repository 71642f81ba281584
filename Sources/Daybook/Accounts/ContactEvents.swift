public import Avro

/// An account knows people by their phone numbers (HH-6): those that it did not know before.
public struct ContactsUploaded: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// What is kept of the numbers, ascending; nothing once the account was erased.
  public var hashes: [IdentityHash] = []

  public static var recordName: String { "ContactsUploaded" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit(
      "hashes", &hashes, [.doc("sha256(pepper ‖ E.164) of each, ascending"), .personal])
  }
}

/// An account knows some of its contacts no more.
public struct ContactsRemoved: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// What was kept of the numbers, ascending; nothing once the account was erased.
  public var hashes: [IdentityHash] = []

  public static var recordName: String { "ContactsRemoved" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("hashes", &hashes, [.personal])
  }
}

/// An account says what it calls one of its contacts (HH-6); one that it did not know before, it knows from now on.
public struct ContactNamed: EventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// By what the contact is found; none once the account was erased.
  public var hash: IdentityHash?
  /// What the client says for the contact, where that is not the hash itself.
  public var text: String?
  /// What the person calls the contact.
  public var name: String?

  public static var recordName: String { "ContactNamed" }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("hash", &hash, [.doc("sha256(text), where there is a text"), .personal])
    try visitor.visit("text", &text, [.personal])
    try visitor.visit("name", &name, [.personal])
  }
}
