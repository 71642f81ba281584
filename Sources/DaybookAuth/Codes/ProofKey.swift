import Crypto
import Wire

/// A proof that the client that exchanges a code also began the sign-in (PKCE, RFC 7636).
struct ProofKey: Hashable, Sendable {
  private enum Method: String {
    case s256
    case plain
  }

  private let method: Method
  private let challenge: String

  /// Reads a challenge and its method, whose name may be in any case.
  ///
  /// - Returns: The key; `nil` if neither is given.
  init?(challenge: String?, method: String?) throws(AuthFailure) {
    if challenge == nil, method == nil { return nil }
    guard let challenge, let method = method.flatMap({ Method(rawValue: $0.lowercased()) }) else {
      throw .invalid("code_challenge and code_challenge_method (s256 or plain) must both be set")
    }
    guard Self.isSane(challenge) else {
      throw .invalid("code_challenge must be 43 to 128 unreserved characters")
    }
    self.method = method
    self.challenge = challenge
  }

  /// Reads a stored key; `nil` for an empty text.
  init?(kept text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let method = Method(rawValue: String(parts[0])) else { return nil }
    self.method = method
    challenge = String(parts[1])
  }

  /// The stored form.
  var kept: String { "\(method.rawValue):\(challenge)" }

  /// Whether the challenge was made from a verifier.
  func isProven(by verifier: String) -> Bool {
    guard Self.isSane(verifier) else { return false }
    switch method {
    case .plain: return Secret.areEqual(verifier, challenge)
    case .s256: return Secret.areEqual(Self.challenge(of: verifier), challenge)
    }
  }

  /// The challenge of a verifier (`S256`).
  static func challenge(of verifier: String) -> String {
    Base64URL.encoded(SHA256.hash(data: Array(verifier.utf8)))
  }

  private static func isSane(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(PercentCode.isUnreserved)
  }
}
