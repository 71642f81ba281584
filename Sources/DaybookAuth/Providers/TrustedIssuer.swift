import Avro
import Daybook

/// An issuer whose id tokens are trusted, and the clients they may be for.
struct TrustedIssuer: Sendable {
  /// The source of the issuer's public keys.
  enum Keys: Sendable {
    /// An address to fetch them from.
    case address(String)
    /// A given key set.
    case fixed(JSON)
  }

  let provider: IdentityKind
  /// Its names in `iss`.
  let names: [String]
  /// The accepted values of `aud`.
  let audiences: [String]
  let keys: Keys

  /// Apple, for the given app ids.
  static func apple(_ clients: [String]) -> TrustedIssuer {
    TrustedIssuer(
      provider: .apple, names: ["https://appleid.apple.com"], audiences: clients,
      keys: .address("https://appleid.apple.com/auth/keys"))
  }

  /// Google, for the given client ids.
  static func google(_ clients: [String]) -> TrustedIssuer {
    TrustedIssuer(
      provider: .google, names: ["https://accounts.google.com", "accounts.google.com"],
      audiences: clients, keys: .address("https://www.googleapis.com/oauth2/v3/certs"))
  }
}
