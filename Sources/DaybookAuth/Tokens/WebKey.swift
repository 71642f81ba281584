import Avro
import Crypto
import CryptoExtras

extension P256.Signing.PublicKey {
  /// The public key as a JSON Web Key, for verifying signatures (RFC 7517; RFC 7518, section 6.2.1).
  func webKey(named kid: String) -> JSON {
    let point = Array(rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encoded(point.prefix(32))),
      "y": .string(Base64URL.encoded(point.suffix(32))), "alg": "ES256", "use": "sig",
      "key_ops": ["verify"], "kid": .string(kid),
    ]
  }
}

/// A public key of another server, which verifies the tokens that the server signed.
enum WebKey: Sendable {
  case rsa(_RSA.Signing.PublicKey)
  case elliptic(P256.Signing.PublicKey)

  /// Reads a JSON Web Key (RFC 7517); `nil` for a key that verifies neither RS256 nor ES256, or that is too short.
  init?(_ json: JSON) {
    func bytes(_ name: String) -> [UInt8] {
      json[name]?.text.flatMap { Base64URL.decoded($0) } ?? []
    }
    switch (json["kty"]?.text, json["alg"]?.text) {
    case ("RSA", "RS256"), ("RSA", nil):
      guard let key = try? _RSA.Signing.PublicKey(n: bytes("n"), e: bytes("e")),
        key.keySizeInBits >= 2048
      else { return nil }
      self = .rsa(key)
    case ("EC", "ES256"), ("EC", nil):
      guard let key = try? P256.Signing.PublicKey(rawRepresentation: bytes("x") + bytes("y"))
      else { return nil }
      self = .elliptic(key)
    default: return nil
    }
  }

  /// Whether the key's owner signed a token in the way that the token's header names.
  func verifies(_ token: CompactToken) -> Bool {
    switch (self, token.header["alg"]?.text) {
    case (.rsa(let key), "RS256"): token.isSigned(by: key)
    case (.elliptic(let key), "ES256"): token.isSigned(by: key)
    default: false
    }
  }
}
