import Avro
import Crypto

extension P256.Signing.PublicKey {
  /// The key as others read it who are to check what was signed with it (RFC 7517; RFC 7518, section 6.2.1).
  func webKey(named kid: String) -> JSON {
    let point = Array(rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encoded(point.prefix(32))),
      "y": .string(Base64URL.encoded(point.suffix(32))), "alg": "ES256", "use": "sig",
      "key_ops": ["verify"], "kid": .string(kid),
    ]
  }
}
