import Avro
import Calendar
import Crypto
import Daybook
import Synchronization
import Values
import DaybookStore

/// Issues id tokens in development, in place of Apple and Google. Its key is made when the server starts.
final class DevelopmentIssuer: Sendable {
  private static let audience = "development"
  private let name: String
  private let privateKey = P256.Signing.PrivateKey()
  private let kid = "development-" + Key().description
  /// The person of each code with which a browser returns, and the provider.
  private let codes = Mutex<[String: (provider: IdentityKind, subject: String, email: String)]>([:])

  init(name: String) { self.name = name }

  /// The trusted issuers for the server.
  var trusted: [TrustedIssuer] {
    let keys: JSON = ["keys": [privateKey.publicKey.webKey(named: kid)]]
    return [IdentityKind.apple, .google].map { provider in
      TrustedIssuer(
        provider: provider, names: ["\(name)/\(provider.rawValue)"], audiences: [Self.audience],
        keys: .fixed(keys))
    }
  }

  /// An id token.
  ///
  /// - Parameters:
  ///   - provider: The provider that the issuer imitates.
  ///   - subject: The person's id at the provider.
  ///   - email: The e-mail address, as a verified one.
  ///   - nonce: The value of the app's nonce in the token.
  ///   - now: The time now.
  /// - Returns: The token.
  /// - Throws: what signing throws.
  func token(
    _ provider: IdentityKind, subject: String, email: String?, nonce: String?, at now: Instant
  ) throws -> String {
    let seconds = now.milliseconds / 1000
    var members: [JSON.Member] = [
      .init("iss", .string("\(name)/\(provider.rawValue)")), .init("sub", .string(subject)),
      .init("aud", .string(Self.audience)), .init("iat", .number(seconds)),
      .init("exp", .number(seconds + 600)),
    ]
    if let email {
      members += [.init("email", .string(email)), .init("email_verified", true)]
    }
    if let nonce { members.append(.init("nonce", .string(nonce))) }
    return try CompactToken.signed(.object(members), by: privateKey, named: kid)
  }

  /// A code with which a browser returns as a person.
  func code(_ provider: IdentityKind, subject: String, email: String) -> String {
    let code = Secret.fresh()
    codes.withLock { $0[code] = (provider, subject, email) }
    return code
  }

  /// The id token for a code; `nil` if it is unknown or was used.
  func redeem(_ code: String, at now: Instant) -> String? {
    guard let person = codes.withLock({ $0.removeValue(forKey: code) }) else { return nil }
    return try? token(
      person.provider, subject: person.subject, email: person.email, nonce: nil, at: now)
  }
}
