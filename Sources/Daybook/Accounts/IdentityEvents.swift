public import Avro

/// An identity was linked to an account.
public struct IdentityLinked: IdentityEventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The kind of identity.
  public var kind: IdentityKind = .phone
  /// The hash of its value; none once the account was erased.
  public var hash: IdentityHash?
  /// Whether the identity is proven to be the person's.
  public var isVerified = false

  public static var recordName: String { "IdentityLinked" }
  var verb: String { "linked an identity" }
  /// The identity that was linked, as long as it is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("kind", &kind)
    try visitor.visit(
      "hash", &hash, [.doc("sha256(pepper ‖ the normalised value)"), .personal, .neverEmpty])
    try visitor.visit("verified", &isVerified)
  }
}

/// An account's identity was proven to be the person's.
public struct IdentityVerified: IdentityEventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The kind of identity.
  public var kind: IdentityKind = .phone
  /// The hash of its value; none once the account was erased.
  public var hash: IdentityHash?

  public static var recordName: String { "IdentityVerified" }
  var verb: String { "verified an identity" }
  /// The identity that was verified, as long as it is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }
}

/// An identity was unlinked from an account; another account may have it now.
public struct IdentityUnlinked: IdentityEventRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// The kind of identity.
  public var kind: IdentityKind = .phone
  /// The hash of its value; none once the account was erased.
  public var hash: IdentityHash?

  public static var recordName: String { "IdentityUnlinked" }
  var verb: String { "unlinked an identity" }
  /// The identity that was unlinked, as long as it is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }
}

/// An event about an identity of an account.
protocol IdentityEventRecord: EventRecord {
  var account: Account.ID { get set }
  var kind: IdentityKind { get set }
  var hash: IdentityHash? { get set }
}

extension IdentityEventRecord {
  var rowScope: RowScope { .tables(["identities", "household_members"]) }
  var reasonNotToUndo: String? {
    "identities are verified elsewhere; link or unlink the identity again instead"
  }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("kind", &kind)
    try visitor.visit("hash", &hash, [.personal, .neverEmpty])
  }
}
