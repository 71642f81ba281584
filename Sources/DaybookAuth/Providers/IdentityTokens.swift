import Avro
import Calendar
import Crypto
import Daybook

/// Verifies id tokens (OpenID Connect Core, section 2).
struct IdentityTokens: Sendable {
  /// The facts about a person in a token.
  struct Facts: Sendable {
    let provider: IdentityKind
    let subject: String
    /// The e-mail address, if the provider vouches for it.
    let email: Address?
    /// The data kept with the identity: an object.
    let data: JSON
  }

  let issuers: [TrustedIssuer]
  let keys: ProviderKeys

  /// The facts in a token.
  ///
  /// - Parameters:
  ///   - text: The token.
  ///   - provider: The provider that is said to have issued it.
  ///   - nonce: The app's nonce itself; the token holds its SHA-256 in hexadecimal. Either both exist, or neither.
  ///   - now: The time now.
  /// - Returns: The facts.
  /// - Throws: ``AuthFailure/badIdentityToken``, or ``AuthFailure/unexpected`` if the provider's keys are not
  ///   available.
  func facts(
    in text: String, from provider: IdentityKind, nonce: String?, at now: Instant
  ) async throws -> Facts {
    guard let token = try? CompactToken(text), let kid = token.header["kid"]?.text,
      ["RS256", "ES256"].contains(token.header["alg"]?.text), token.header["crit"] == nil,
      let name = token.payload["iss"]?.text,
      let issuer = issuers.first(where: { $0.provider == provider && $0.names.contains(name) }),
      Self.audiences(of: token.payload).contains(where: issuer.audiences.contains),
      let expiry = Self.seconds(token.payload["exp"]), now.milliseconds / 1000 < expiry,
      Self.nonceFits(token.payload["nonce"], nonce)
    else { throw AuthFailure.badIdentityToken }
    guard let key = try await keys.key(named: kid, of: issuer.keys, at: now), key.verifies(token),
      let subject = token.payload["sub"]?.text, (try? provider.normalised(subject)) != nil
    else { throw AuthFailure.badIdentityToken }
    return Self.facts(token.payload, provider, subject)
  }

  private static func audiences(of payload: JSON) -> [String] {
    if let one = payload["aud"]?.text { return [one] }
    return (payload["aud"]?.elements ?? []).compactMap(\.text)
  }

  private static func seconds(_ json: JSON?) -> Int64? {
    guard case .number(let text) = json, let number = Double(text) else { return nil }
    return Int64(exactly: number.rounded(.down))
  }

  private static func nonceFits(_ claimed: JSON?, _ nonce: String?) -> Bool {
    switch (claimed, nonce) {
    case (nil, nil), (.null, nil): return true
    case (.string(let claimed), let nonce?):
      let digest = AvroBytes(Array(SHA256.hash(data: Array(nonce.utf8)))).formText
      return Secret.areEqual(claimed.lowercased(), digest)
    default: return false
    }
  }

  private static func facts(
    _ payload: JSON, _ provider: IdentityKind, _ subject: String
  ) -> Facts {
    // Apple sometimes writes booleans as texts.
    let isVerified =
      payload["email_verified"]?.boolean ?? (payload["email_verified"]?.text == "true")
    let email = payload["email"]?.text.flatMap { Address(.email, $0) }
    var members: [JSON.Member] = [
      .init("sub", .string(subject)), .init("provider_id", .string(subject)),
      .init("iss", payload["iss"] ?? .null),
      .init("email_verified", .bool(isVerified)),
    ]
    if let email { members.append(.init("email", .string(email.value))) }
    if let name = payload["name"]?.text, name.utf8.count <= 256 {
      members += [.init("name", .string(name)), .init("full_name", .string(name))]
    }
    if let picture = payload["picture"]?.text, picture.utf8.count <= 1024 {
      members += [.init("avatar_url", .string(picture)), .init("picture", .string(picture))]
    }
    return Facts(
      provider: provider, subject: subject, email: isVerified ? email : nil,
      data: .object(members))
  }
}
