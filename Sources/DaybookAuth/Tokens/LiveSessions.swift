import Calendar
import Synchronization
import Values

/// The sessions that have not ended, and the access tokens that were found to be good lately: a token that comes again
/// costs a look into a dictionary.
final class LiveSessions: Sendable {
  private struct Known {
    /// The account of each session.
    var accounts: [Key: Key] = [:]
    var sessions: [Key: Set<Key>] = [:]
    var tokens: [String: Claims] = [:]
  }

  /// How many tokens are remembered; then all are forgotten, for each is soon found to be good again.
  private static let tokenCapacity = 20_000
  private let known = Mutex(Known())

  /// What a token says that was found to be good before; nothing when it was not, or does not last.
  func claims(of token: String, at now: Instant) -> Claims? {
    known.withLock { known in
      guard let claims = known.tokens[token], now < claims.expires,
        known.accounts[claims.session] == claims.account
      else { return nil }
      return claims
    }
  }

  /// Remembers what a token says.
  func remember(_ claims: Claims, of token: String) {
    known.withLock { known in
      if known.tokens.count >= Self.tokenCapacity { known.tokens.removeAll() }
      known.tokens[token] = claims
    }
  }

  /// Whether a session is an account's and has not ended.
  func isLive(_ session: Key, of account: Key) -> Bool {
    known.withLock { $0.accounts[session] == account }
  }

  /// Notes a session that began.
  func begin(_ session: Key, of account: Key) {
    known.withLock { known in
      known.accounts[session] = account
      known.sessions[account, default: []].insert(session)
    }
  }

  /// Notes that sessions ended.
  func end(_ sessions: [Key]) {
    known.withLock { known in
      for session in sessions {
        guard let account = known.accounts.removeValue(forKey: session) else { continue }
        known.sessions[account]?.remove(session)
        if known.sessions[account]?.isEmpty == true { known.sessions[account] = nil }
      }
    }
  }

  /// Notes that all sessions of an account ended.
  func endAll(of account: Key) {
    known.withLock { known in
      for session in known.sessions.removeValue(forKey: account) ?? [] {
        known.accounts[session] = nil
      }
    }
  }
}
