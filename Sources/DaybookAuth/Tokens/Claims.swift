public import Calendar
public import Values

/// Who asks, as an access token says it that was found to be good.
public struct Claims: Sendable, Hashable {
  /// The account, by its key in the book.
  public var account: Key
  /// The session in which the token was made.
  public var session: Key
  /// When the token ends.
  public var expires: Instant

  /// Makes claims.
  public init(account: Key, session: Key, expires: Instant) {
    self.account = account
    self.session = session
    self.expires = expires
  }
}

/// Why an access token is not good.
public enum TokenError: Error, Hashable, Sendable, CaseIterable {
  /// It is no token.
  case malformed
  /// It is signed by nobody (`alg: none`).
  case unsigned
  /// It is signed otherwise than this server signs.
  case wrongAlgorithm
  /// It is signed with a key that this server does not have, or not any more.
  case unknownKey
  /// It was changed, or signed by somebody else.
  case badSignature
  /// Its time is over.
  case expired
  /// The session was ended: signed out, or its refresh token stolen.
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
