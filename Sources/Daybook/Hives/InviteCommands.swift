import Values
public import Avro

/// Makes an invite to a hive (HH-17). Only its owner may.
public struct CreateHiveInvite: ColumnCommand {
  package var hive: Hive.ID
  /// The lifetime in minutes: at least 1.
  package var minutes: Int
  /// The expiry, at most ten years from now; if not given, the lifetime decides.
  package var expires: Instant?
  /// The maximum number of uses: at least 1.
  package var maximumUseCount: Int
  /// The code, twelve hexadecimal digits, for a test; if not given, a fresh one from a secure source.
  package var code: String?

  public init(
    _ hive: Hive.ID, minutes: Int = 10_080, maximumUseCount: Int = 20, code: String? = nil
  ) {
    self.hive = hive
    self.minutes = minutes
    self.maximumUseCount = maximumUseCount
    self.code = code
  }

  package static let form = CommandForm(
    "create_hive_invite", "Creates an invite to a hive.", answer: "invite")
  /// The defaults; no hive is named yet.
  public static var defaults: CreateHiveInvite { CreateHiveInvite(.placeholder) }

  /// `p_hive_id`, `p_ttl_minutes`, `expires_at`, `p_max_uses`, `code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.column(
      "p_ttl_minutes", &minutes,
      [.doc("how long it is valid, in minutes"), JoinCode.lifetimeBounds])
    try visitor.column(
      "expires_at", &expires, [.doc("when it expires; replaces `p_ttl_minutes`")])
    try visitor.column(
      "p_max_uses", &maximumUseCount,
      [.doc("how many people may use it"), .bounds(["minimum": 1, "maximum": 1_000_000])])
    try visitor.column(
      "code", &code,
      [.doc("for a test; random unless given"), JoinCode.bounds])
  }

  /// Decides the command; the answer is the invite's number in the hive, from 1.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveInvite.ID> {
    let found = try state.own(hive, context)
    let end = try JoinCode.end(after: minutes, from: context.at, "p_ttl_minutes")
    let latest = try JoinCode.end(
      after: JoinCode.lifetime.upperBound, from: context.at, "p_ttl_minutes")
    let expires = expires ?? end
    guard expires > context.at, expires <= latest else { throw .invalidExpiry }
    guard (1...1_000_000).contains(maximumUseCount) else { throw .invalidUses(maximumUseCount) }
    let code = try JoinCode.given(code, orFrom: context.freshKey)
    guard state.indexes.hives.invite(of: code) == nil else { throw .codeTaken(code, "invite") }
    return Decision(
      [
        .hiveInviteCreated(
          HiveInviteCreated(
            hive: hive, code: code, expires: expires,
            maximumUseCount: Int32(clamping: maximumUseCount)))
      ], HiveInvite.ID(hive: hive, number: found.invites.count + 1))
  }
}

/// Revokes an invite. Only the hive's owner may. A revoked invite stays so.
public struct RevokeHiveInvite: ColumnCommand {
  package var code: String

  public init(_ code: String) { self.code = code }

  package static let form = CommandForm(
    "revoke_hive_invite", "Revokes an invite.", answer: "invite")
  /// The defaults; no code is named yet.
  public static var defaults: RevokeHiveInvite { RevokeHiveInvite("") }

  /// `p_code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.column("p_code", &code, [.needed])
  }

  /// Decides the command; the answer is the invite's number in the hive, from 1.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveInvite.ID> {
    let (actor, _) = try state.actor(context)
    // Anyone but the hive's owner must not learn whether such a code exists.
    guard let (number, place) = state.indexes.hives.invite(of: JoinCode.normalised(code)),
      let hive = state.hives[number], !hive.isDeleted, hive.owner == actor
    else { throw .invalidCode }
    let answer = HiveInvite.ID(hive: number, number: place + 1)
    guard !hive.invites[place].isRevoked else { return Decision([], answer) }
    return Decision(
      [
        .hiveInviteRevoked(
          HiveInviteRevoked(hive: number, invite: Int32(clamping: place + 1)))
      ], answer)
  }
}

extension HiveInvite {
  /// The id of an invite: the n-th of a hive.
  public struct ID: Hashable, Sendable {
    package var hive: Hive.ID
    /// The number, from 1.
    package var number: Int
  }
}
