import Calendar
import Synchronization
import Values

/// The sessions that have not ended, and recently verified access tokens, so that a token that comes again costs
/// only a dictionary lookup.
final class LiveSessions: Sendable {
  private struct Known {
    /// The account of each session.
    var accounts: [Key: Key] = [:]
    var sessions: [Key: Set<Key>] = [:]
    var tokens: [String: Claims] = [:]
  }

  /// The most tokens that are kept. A full cache is emptied, because each token is soon verified again.
  private static let tokenCapacity = 20_000
  private let known = Mutex(Known())

  /// The claims of a token that was verified before; `nil` for any other token, or one that has
  /// ended.
  func claims(of token: String, at now: Instant) -> Claims? {
    known.withLock { known in
      guard let claims = known.tokens[token], now < claims.expires,
        known.accounts[claims.session] == claims.account
      else { return nil }
      return claims
    }
  }

  /// Remembers the claims of a verified token.
  func remember(_ claims: Claims, of token: String) {
    known.withLock { known in
      if known.tokens.count >= Self.tokenCapacity { known.tokens.removeAll() }
      known.tokens[token] = claims
    }
  }

  /// Whether a session of an account has not ended.
  func isLive(_ session: Key, of account: Key) -> Bool {
    known.withLock { $0.accounts[session] == account }
  }

  /// Adds a session.
  func begin(_ session: Key, of account: Key) {
    known.withLock { known in
      known.accounts[session] = account
      known.sessions[account, default: []].insert(session)
    }
  }

  /// Removes ended sessions.
  func end(_ sessions: [Key]) {
    known.withLock { known in
      for session in sessions {
        guard let account = known.accounts.removeValue(forKey: session) else { continue }
        known.sessions[account]?.remove(session)
        if known.sessions[account]?.isEmpty == true { known.sessions[account] = nil }
      }
    }
  }

  /// Removes all sessions of an account.
  func endAll(of account: Key) {
    known.withLock { known in
      for session in known.sessions.removeValue(forKey: account) ?? [] {
        known.accounts[session] = nil
      }
    }
  }
}
