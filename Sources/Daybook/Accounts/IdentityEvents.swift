public import Avro

/// An account has an identity by which its person is recognised.
public struct IdentityLinked: IdentityRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// What kind of identity.
  public var kind: IdentityKind = .phone
  /// What is kept of its value; none once the account was erased.
  public var hash: IdentityHash?
  /// Whether it is known to be the person's.
  public var isVerified = false

  public static var recordName: String { "IdentityLinked" }
  /// What was linked, as long as that is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("kind", &kind)
    try visitor.visit(
      "hash", &hash, [.doc("sha256(pepper ‖ the normalised value)"), .personal])
    try visitor.visit("verified", &isVerified)
  }
}

/// An identity of an account is known to be the person's.
public struct IdentityVerified: IdentityRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// What kind of identity.
  public var kind: IdentityKind = .phone
  /// What is kept of its value; none once the account was erased.
  public var hash: IdentityHash?

  public static var recordName: String { "IdentityVerified" }
  /// What was verified, as long as that is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }
}

/// An account has an identity no more: another may have it.
public struct IdentityUnlinked: IdentityRecord {
  /// The account.
  public var account: Account.ID = .placeholder
  /// What kind of identity.
  public var kind: IdentityKind = .phone
  /// What is kept of its value; none once the account was erased.
  public var hash: IdentityHash?

  public static var recordName: String { "IdentityUnlinked" }
  /// What was unlinked, as long as that is known.
  public var identity: Identity? { hash.map { Identity(kind, $0) } }
}

/// What happened to an identity of an account.
protocol IdentityRecord: EventRecord {
  var account: Account.ID { get set }
  var kind: IdentityKind { get set }
  var hash: IdentityHash? { get set }
}

extension IdentityRecord {
  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("account", &account)
    try visitor.visit("kind", &kind)
    try visitor.visit("hash", &hash, [.personal])
  }
}
