import Calendar
import DaybookStore
import GRDB
package import Values

/// The outcome of using the secret of a personal token.
package enum TokenUse: Sendable, Hashable {
  case accepted(PersonalToken)
  /// The secret never existed, its token was revoked, or its account is gone.
  case unknown
  /// The token was used too often in the last hour.
  case tooOften
}

// Personal tokens. Of their secrets only hashes are stored.
extension AuthService {
  /// Makes a token.
  ///
  /// - Parameters:
  ///   - name: What its owner calls it.
  ///   - scopes: What it permits, at least one.
  ///   - account: Its owner.
  /// - Returns: The token with its secret, which is shown once; `nil` if the account has the most tokens already.
  /// - Throws: ``DatabaseFailure``.
  package func makePersonalToken(
    named name: String, _ scopes: [TokenScope], for account: Key
  ) async throws(DatabaseFailure) -> (token: PersonalToken, secret: String)? {
    let (now, key, secret) = (now, Key(), PersonalToken.prefix + Secret.fresh())
    do {
      let token = try await database.write { database -> PersonalToken? in
        let count = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM personal_tokens WHERE account = ?",
          arguments: [account.description])
        guard (count ?? 0) < PersonalToken.mostCount else { return nil }
        return try Row.fetchOne(
          database,
          sql: """
            INSERT INTO personal_tokens (id, account, hash, name, scopes, created_at)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING *
            """,
          arguments: [
            key.description, account.description, Secret.digest(secret), name,
            scopes.map(\.text).joined(separator: " "), now.milliseconds,
          ]
        ).flatMap { PersonalToken($0) }
      }
      return token.map { ($0, secret) }
    } catch { throw DatabaseFailure(error) }
  }

  /// The tokens of an account, in the order in which they were made.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func personalTokens(of account: Key) async throws(DatabaseFailure) -> [PersonalToken] {
    do {
      return try await database.read { database in
        try Row.fetchAll(
          database,
          sql: "SELECT * FROM personal_tokens WHERE account = ? ORDER BY created_at, id",
          arguments: [account.description]
        ).compactMap { PersonalToken($0) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Revokes a token of an account.
  ///
  /// - Returns: Whether the account had it.
  /// - Throws: ``DatabaseFailure``.
  package func revokePersonalToken(
    _ token: Key, of account: Key
  ) async throws(DatabaseFailure) -> Bool {
    do {
      return try await database.write { database in
        try database.execute(
          sql: "DELETE FROM personal_tokens WHERE id = ? AND account = ?",
          arguments: [token.description, account.description])
        return database.changesCount > 0
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Finds the token of a secret, and counts the use. An unknown secret costs no write.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func usePersonalToken(_ secret: String) async throws(DatabaseFailure) -> TokenUse {
    let (now, hash, most) = (now, Secret.digest(secret), settings.limits.usesPerToken)
    let count = "uses of \(hash)"
    do {
      let found = try await database.read { database -> TokenUse in
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM personal_tokens WHERE hash = ?", arguments: [hash])
        guard let token = row.flatMap({ PersonalToken($0) }) else { return .unknown }
        guard try RateLimit.allows(count, most: most, at: now, in: database) else {
          return .tooOften
        }
        return .accepted(token)
      }
      guard case .accepted(let token) = found else { return found }
      guard accounts.standing(of: token.account) == .present else { return .unknown }
      return try await database.write { database in
        // It may have been revoked meanwhile.
        try database.execute(
          sql: "UPDATE personal_tokens SET used_at = ? WHERE hash = ?",
          arguments: [now.milliseconds / 60_000 * 60_000, hash])
        guard database.changesCount > 0 else { return .unknown }
        let isFew = try RateLimit.count(count, most: most, within: 3600, at: now, in: database)
        return isFew ? .accepted(token) : .tooOften
      }
    } catch { throw DatabaseFailure(error) }
  }
}
