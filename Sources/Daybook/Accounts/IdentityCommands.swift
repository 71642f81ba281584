import Values
public import Avro

/// Links an identity to the actor (HH-2, DM-11). An identity that the actor already has changes nothing, except that it
/// may become verified; one that any other account has is refused.
public struct LinkIdentity: IdentityCommand {
  package var identity: Identity
  /// Whether it is proven to be the actor's: by a one-time code, a link in a mail or an id token.
  package var isVerified: Bool

  public init(_ identity: Identity, isVerified: Bool = false) {
    self.identity = identity
    self.isVerified = isVerified
  }

  package static let form = CommandForm(
    "link_identity", "Links an identity that recognises the account's person.",
    answer: "identity")
  /// No identity yet.
  public static var defaults: LinkIdentity { LinkIdentity(.placeholder) }

  /// `kind`, `value` or `hash`, `verified`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(IdentityCodec(), &identity)
    try visitor.column("verified", &isVerified)
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    if let link = account.link(to: identity) {
      guard isVerified, !link.isVerified else { return [] }
      return try VerifyIdentity(identity).events(number, account, state, context)
    }
    guard state.account(having: identity) == nil else { throw .identityTaken }
    try Limit.identities.check(account.identities.count + 1, "value")
    return [
      .identityLinked(
        IdentityLinked(
          account: number, kind: identity.kind, hash: identity.hash, isVerified: isVerified))
    ]
  }
}

/// Marks one of the actor's identities as verified (DG-1). An identity that is verified stays so.
public struct VerifyIdentity: IdentityCommand {
  package var identity: Identity

  public init(_ identity: Identity) { self.identity = identity }

  package static let form = CommandForm(
    "verify_identity", "Marks an identity as verified.", answer: "identity")
  /// No identity yet.
  public static var defaults: VerifyIdentity { VerifyIdentity(.placeholder) }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    guard let link = account.link(to: identity) else { throw .identityNotFound }
    guard !link.isVerified else { return [] }
    return [
      .identityVerified(
        IdentityVerified(account: number, kind: identity.kind, hash: identity.hash))
    ]
  }
}

/// Unlinks an identity from the actor. One that the actor does not have changes nothing.
public struct UnlinkIdentity: IdentityCommand {
  package var identity: Identity

  public init(_ identity: Identity) { self.identity = identity }

  package static let form = CommandForm(
    "unlink_identity", "Unlinks an identity from the account.", answer: "user_id, kind, deleted")
  /// No identity yet.
  public static var defaults: UnlinkIdentity { UnlinkIdentity(.placeholder) }

  /// The identity that is gone.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    [
      "user_id": .key(state.accounts[answer]?.key), "kind": .string(identity.kind.rawValue),
      "deleted": true,
    ]
  }

  func events(
    _ number: Account.ID, _ account: Account, _ state: BookState, _ context: Context
  ) -> [Event] {
    guard account.link(to: identity) != nil else { return [] }
    return [
      .identityUnlinked(
        IdentityUnlinked(account: number, kind: identity.kind, hash: identity.hash))
    ]
  }
}

/// A command about one of the actor's identities.
protocol IdentityCommand: OwnAccountCommand {
  var identity: Identity { get set }
}

extension IdentityCommand {
  /// `kind`, `value` or `hash`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(IdentityCodec(), &identity)
  }

  /// The identity's row.
  package func row(of answer: Account.ID, in state: BookState) -> JSON {
    state.identityRow(identity, of: answer)
  }
}
