import Avro
import Crypto

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
