import DaybookAuth

/// Reads tokens for sockets, and knows which were revoked early.
protocol TokenReader: Sendable {
  /// The claims of a token; `nil` for the public key, which belongs to nobody.
  ///
  /// - Throws: `TokenError`.
  func claims(of token: String) throws(TokenError) -> Claims?

  /// Whether a token that was read is still valid.
  func isLive(_ claims: Claims) -> Bool
}
