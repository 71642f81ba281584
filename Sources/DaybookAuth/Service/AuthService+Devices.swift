package import Calendar
import DaybookStore
import GRDB
package import Values

/// A sign-in that has not ended, as its owner sees it (HH-30).
package struct OpenSession: Sendable, Hashable {
  package let key: Key
  /// How the person signed in: `otp`, `password` or `oauth`.
  package let method: String
  package let signedIn: Instant
  /// When its tokens were last replaced, which a client does about every hour of use.
  package let lastUsed: Instant
  /// The browser in which it began, if it began on the page.
  package let device: String?
}

// The sessions of an account, for its owner.
extension AuthService {
  /// The sessions of an account that have not ended, the last used first.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func sessions(of account: Key) async throws(DatabaseFailure) -> [OpenSession] {
    do {
      return try await database.read { database in
        try Row.fetchAll(
          database, sql: "SELECT * FROM sessions WHERE account = ?",
          arguments: [account.description]
        ).compactMap { row in
          guard let key = Key(row["id"] as String) else { return nil }
          let signedIn = row["signed_in_at"] as Int64
          return OpenSession(
            key: key, method: row["method"], signedIn: Instant(clamping: signedIn),
            lastUsed: Instant(clamping: row["refreshed_at"] as Int64? ?? signedIn),
            device: row["device"])
        }.sorted { ($1.lastUsed, $1.key) < ($0.lastUsed, $0.key) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Notes in which browser a session began.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func note(device: String, of session: Key) async throws(DatabaseFailure) {
    do {
      try await database.write { database in
        try database.execute(
          sql: "UPDATE sessions SET device = ? WHERE id = ?",
          arguments: [device, session.description])
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Ends one session of an account; one that has ended already, or is another account's, stays as it is.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func end(_ session: Key, of account: Key) async throws(DatabaseFailure) {
    do {
      live.end(
        try await database.write { try Session.end(.only(session), of: account, in: $0) })
    } catch { throw DatabaseFailure(error) }
  }
}
