import DaybookAuth

/// Reads tokens for sockets, and knows which have ended before their time.
protocol TokenReader: Sendable {
  /// Whose a token is; nothing for the public key, which is nobody's.
  ///
  /// - Throws: `TokenError`.
  func claims(of token: String) throws(TokenError) -> Claims?

  /// Whether a token that was read may still be used.
  func isLive(_ claims: Claims) -> Bool
}
