import Values
public import Avro

/// Makes an invite by which people join a hive (HH-17). Its owner may.
public struct CreateHiveInvite: ColumnCommand {
  /// The hive.
  package var hive: Hive.ID
  /// For how many minutes it is good: at least 1.
  package var minutes: Int
  /// Until when it is good, ten years from now at most; by the minutes unless given.
  package var expires: Instant?
  /// How many may use it: at least 1.
  package var maximumUseCount: Int
  /// Twelve hexadecimal digits, for a test; fresh ones from a secure source unless given.
  package var code: String?

  /// Makes the command.
  public init(
    _ hive: Hive.ID, minutes: Int = 10_080, maximumUseCount: Int = 20, code: String? = nil
  ) {
    self.hive = hive
    self.minutes = minutes
    self.maximumUseCount = maximumUseCount
    self.code = code
  }

  /// "create_hive_invite".
  package static let form = CommandForm(
    "create_hive_invite", "Makes an invite by which people join a hive.", answer: "invite")
  /// To no hive yet.
  public static var defaults: CreateHiveInvite { CreateHiveInvite(.placeholder) }

  /// `p_hive_id`, `p_ttl_minutes`, `expires_at`, `p_max_uses`, `code`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try Hive.visit(&hive, by: &visitor)
    try visitor.column(
      "p_ttl_minutes", &minutes,
      [.doc("for how long it is good, minutes"), .bounds(["minimum": 1, "maximum": 5_256_000])])
    try visitor.column(
      "expires_at", &expires, [.doc("until when it is good, in the place of `p_ttl_minutes`")])
    try visitor.column(
      "p_max_uses", &maximumUseCount,
      [.doc("how many may join by it"), .bounds(["minimum": 1, "maximum": 1_000_000])])
    try visitor.column(
      "code", &code,
      [.doc("for a test; random unless given"), .bounds(["pattern": "^[0-9a-f]{12}$"])])
  }

  /// Decides the command; the answer is the invite's number in the hive, from 1.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<HiveInvite.ID> {
    let found = try state.own(hive, context)
    guard (1...5_256_000).contains(minutes) else { throw .invalidLifetime(minutes) }
    let latest = context.at.advanced(byMilliseconds: 5_256_000 * 60_000)
    let expires = expires ?? context.at.advanced(byMilliseconds: Int64(minutes) * 60_000)
    guard expires > context.at, expires <= latest else { throw .invalidExpiry }
    guard (1...1_000_000).contains(maximumUseCount) else { throw .invalidUses(maximumUseCount) }
    let code = code ?? HiveInvite.code(from: context.freshKey)
    guard HiveInvite.isCode(code) else { throw .malformedCode(code) }
    guard state.indexes.hives.invite(of: code) == nil else { throw .codeTaken(code) }
    return Decision(
      [
        .hiveInviteCreated(
          HiveInviteCreated(
            hive: hive, code: code, expires: expires,
            maximumUseCount: Int32(clamping: maximumUseCount)))
      ], HiveInvite.ID(hive: hive, number: found.invites.count + 1))
  }
}

/// Takes an invite back. The hive's owner may. One that was taken back stays so.
public struct RevokeHiveInvite: ColumnCommand {
  /// The code.
  package var code: String

  /// Makes the command.
  public init(_ code: String) { self.code = code }

  /// "revoke_hive_invite".
  package static let form = CommandForm(
    "revoke_hive_invite", "Takes an invite back.", answer: "invite")
  /// Of no code yet.
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
    // Whoever does not lead the hive is not told whether there is such a code.
    guard let (number, place) = state.indexes.hives.invite(of: HiveInvite.normalised(code)),
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
  /// Which invite: the n-th of a hive.
  public struct ID: Hashable, Sendable {
    /// The hive.
    package var hive: Hive.ID
    /// From 1.
    package var number: Int
  }

  /// The code as it is kept: people type capitals and space.
  static func normalised(_ code: String) -> String { code.trimmingSpace.lowercased() }

  /// Whether it is a code: twelve hexadecimal digits in lower case.
  package static func isCode(_ code: String) -> Bool {
    code.utf8.count == 12
      && code.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A code from a fresh key, whose last six bytes are as random as a UUID's are (RFC 9562, version 4).
  static func code(from key: Key) -> String {
    let digits = String(key.low & 0xFFFF_FFFF_FFFF, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
