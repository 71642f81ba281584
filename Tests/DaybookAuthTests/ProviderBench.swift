import Avro
import Crypto
import CryptoExtras
@testable import DaybookAuth
import HTTPTypes
import Testing
import Wire

/// Keys of a fake provider.
struct ProviderBench: Sendable {
  static let appleKeys = "https://appleid.apple.com/auth/keys"
  static let googleKeys = "https://www.googleapis.com/oauth2/v3/certs"
  static let googleToken = "https://oauth2.googleapis.com/token"

  let elliptic = P256.Signing.PrivateKey()
  let rsa: _RSA.Signing.PrivateKey

  init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

  /// The keys, in the form that a provider publishes.
  func keys(named kids: [String] = ["ec", "rsa"]) throws -> JSON {
    let point = Array(elliptic.publicKey.rawRepresentation)
    let parts = try rsa.publicKey.getKeyPrimitives()
    return [
      "keys": [
        [
          "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(kids[0]),
          "x": .string(Base64URL.encoded(point.prefix(32))),
          "y": .string(Base64URL.encoded(point.suffix(32))),
        ],
        [
          "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(kids[1]),
          "n": .string(Base64URL.encoded(parts.modulus)),
          "e": .string(Base64URL.encoded(parts.publicExponent)),
        ],
        ["kty": "oct", "kid": "secret", "k": "AAAA"], ["kid": "odd"], 7,
      ]
    ]
  }

  func answer(_ kids: [String] = ["ec", "rsa"], maxAge: Int = 3600) throws -> WireResponse {
    var response = WireResponse(.ok, try keys(named: kids))
    response.headers[.cacheControl] = "public, max-age=\(maxAge), must-revalidate"
    return response
  }

  /// A token with the claims of Apple's.
  func token(
    _ change: [String: JSON] = [:], alg: String = "RS256", kid: String = "rsa"
  ) throws -> String {
    var claims: [String: JSON] = [
      "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": "001.a",
      "exp": 1_767_226_000, "iat": 1_767_225_500, "email": "Ada@example.com",
      "email_verified": "true",
    ]
    for (name, value) in change { claims[name] = value == .null ? nil : value }
    let payload = JSON.object(
      claims.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
    let header: JSON = ["alg": .string(alg), "kid": .string(kid), "typ": "JWT"]
    let text =
      Base64URL.encoded(header.encoded.utf8) + "." + Base64URL.encoded(payload.encoded.utf8)
    let signature: [UInt8] =
      if alg == "ES256" {
        Array(try elliptic.signature(for: Array(text.utf8)).rawRepresentation)
      } else {
        Array(
          try rsa.signature(for: Array(text.utf8), padding: .insecurePKCS1v1_5)
            .rawRepresentation)
      }
    return text + "." + Base64URL.encoded(signature)
  }
}
