import Avro
import Daybook

/// Who may say by an id token who somebody is, and for whom.
struct TrustedIssuer: Sendable {
  /// Where the issuer's public keys are.
  enum Keys: Sendable {
    /// At an address.
    case address(String)
    /// Here.
    case fixed(JSON)
  }

  let provider: IdentityKind
  /// The names by which it goes in `iss`.
  let names: [String]
  /// For whom tokens must be made out: `aud`.
  let audiences: [String]
  let keys: Keys

  /// Apple, for some app ids.
  static func apple(_ clients: [String]) -> TrustedIssuer {
    TrustedIssuer(
      provider: .apple, names: ["https://appleid.apple.com"], audiences: clients,
      keys: .address("https://appleid.apple.com/auth/keys"))
  }

  /// Google, for some client ids.
  static func google(_ clients: [String]) -> TrustedIssuer {
    TrustedIssuer(
      provider: .google, names: ["https://accounts.google.com", "accounts.google.com"],
      audiences: clients, keys: .address("https://www.googleapis.com/oauth2/v3/certs"))
  }
}
