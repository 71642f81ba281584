package import Avro
package import Crypto
import CryptoExtras

/// A signed token in its compact form (RFC 7515, section 7.1): header, payload and signature, separated by dots.
package struct CompactToken {
  /// The longest token.
  static let largestByteCount = 16_384

  let header: JSON
  let payload: JSON
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Parses a token without verifying it.
  init(_ text: String) throws(TokenError) {
    guard text.utf8.count <= Self.largestByteCount else { throw .malformed }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.object(parts[0]),
      let payload = Self.object(parts[1]), let signature = Base64URL.decoded(parts[2])
    else { throw .malformed }
    self.header = header
    self.payload = payload
    self.signature = signature
    signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
  }

  private static func object(_ text: Substring) -> JSON? {
    guard let bytes = Base64URL.decoded(text), let json = try? JSON(parsing: bytes),
      json.members != nil
    else { return nil }
    return json
  }

  /// Whether a key's owner signed the token (ES256).
  func isSigned(by key: P256.Signing.PublicKey) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
      return false
    }
    return key.isValidSignature(signature, for: signed)
  }

  /// Whether a key's owner signed the token (RS256).
  func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: signed,
      padding: .insecurePKCS1v1_5)
  }

  /// Signs a payload (ES256).
  ///
  /// - Throws: what the key throws; a generated key never does.
  package static func signed(
    _ payload: JSON, by key: P256.Signing.PrivateKey, named kid: String
  ) throws -> String {
    let header: JSON = ["alg": "ES256", "kid": .string(kid), "typ": "JWT"]
    let text =
      Base64URL.encoded(header.encoded.utf8) + "." + Base64URL.encoded(payload.encoded.utf8)
    let signature = try key.signature(for: Array(text.utf8))
    return text + "." + Base64URL.encoded(signature.rawRepresentation)
  }
}
