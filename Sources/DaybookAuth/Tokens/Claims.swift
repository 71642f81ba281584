public import Calendar
public import Values

/// The claims of a verified access token.
public struct Claims: Sendable, Hashable {
  /// The account, by its key in the book.
  public var account: Key
  /// The session that issued the token.
  public var session: Key
  /// When the token expires.
  public var expires: Instant

  /// Makes claims.
  public init(account: Key, session: Key, expires: Instant) {
    self.account = account
    self.session = session
    self.expires = expires
  }
}

/// The reason why an access token is invalid.
public enum TokenError: Error, Hashable, Sendable, CaseIterable {
  /// It does not have the form of a token.
  case malformed
  /// It is not signed (`alg: none`).
  case unsigned
  /// It uses another algorithm than this server.
  case wrongAlgorithm
  /// It is signed with a key that this server does not have, or no longer has.
  case unknownKey
  /// It was altered, or signed by somebody else.
  case badSignature
  /// It has expired.
  case expired
  /// Its session has ended: its person signed out, or its refresh token was stolen.
  case endedSession
  /// The account was erased.
  case erasedAccount
}

extension TokenError: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .malformed: "The token is malformed."
    case .unsigned: "The token is not signed."
    case .wrongAlgorithm: "The token is signed in a way that is not accepted."
    case .unknownKey: "The token is signed with an unknown key."
    case .badSignature: "The token's signature is wrong."
    case .expired: "The token has expired."
    case .endedSession: "The session has ended; sign in again."
    case .erasedAccount: "The account was erased."
    }
  }
}
