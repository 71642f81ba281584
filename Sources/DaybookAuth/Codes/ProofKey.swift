import Crypto
import Wire

/// What a client must prove to exchange a code for a session: that it is the one who began (PKCE, RFC 7636).
struct ProofKey: Hashable, Sendable {
  private enum Method: String {
    case s256
    case plain
  }

  private let method: Method
  private let challenge: String

  /// Takes a challenge, and by what it is made of the verifier; the method's name may be in any case.
  ///
  /// - Returns: Nothing when neither is given.
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

  /// Reads what was kept; nothing of an empty text.
  init?(kept text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let method = Method(rawValue: String(parts[0])) else { return nil }
    self.method = method
    challenge = String(parts[1])
  }

  /// What is kept of it.
  var kept: String { "\(method.rawValue):\(challenge)" }

  /// Whether a verifier is the one from which the challenge was made.
  func isProven(by verifier: String) -> Bool {
    guard Self.isSane(verifier) else { return false }
    switch method {
    case .plain: return Secret.areEqual(verifier, challenge)
    case .s256: return Secret.areEqual(Self.challenge(of: verifier), challenge)
    }
  }

  /// The challenge that a verifier meets (`S256`).
  static func challenge(of verifier: String) -> String {
    Base64URL.encoded(SHA256.hash(data: Array(verifier.utf8)))
  }

  private static func isSane(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(PercentCode.isUnreserved)
  }
}
