extension AuthService {
  /// Whether what a token said still holds, as far as its session goes: nobody signed out since, or was erased.
  public func isLive(_ claims: Claims) -> Bool { live.isLive(claims.session, of: claims.account) }
}
