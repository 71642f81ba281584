import Avro
import Calendar
import GRDB
import Values

/// A sign-in that has not ended: a row of `sessions`.
struct Session: Sendable {
  let key: Key
  /// How the person signed in: `otp`, `password` or `oauth`.
  let method: String
  let signedIn: Instant
  var refreshed: Instant?

  /// The person's authentication methods, as tokens contain them (RFC 8176), newest first.
  var references: [JSON] {
    let first: JSON = [
      "method": .string(method), "timestamp": .number(signedIn.milliseconds / 1000),
    ]
    guard let refreshed else { return [first] }
    return [
      ["method": "token_refresh", "timestamp": .number(refreshed.milliseconds / 1000)], first,
    ]
  }

  /// Checks that a session has not ended while its request was in progress.
  ///
  /// - Throws: ``AuthFailure/sessionNotFound``, or what the database throws.
  static func check(_ session: Key, in database: Database) throws {
    let found = try Bool.fetchOne(
      database, sql: "SELECT 1 FROM sessions WHERE id = ?", arguments: [session.description])
    guard found == true else { throw AuthFailure.sessionNotFound }
  }

  /// Ends sessions of an account. Requests made in other sessions end with them: no code that they requested
  /// changes the account's addresses.
  ///
  /// - Parameters:
  ///   - scope: The sessions to end.
  ///   - account: Their account.
  ///   - addresses: The addresses that the remaining session itself requests.
  ///   - database: The database.
  /// - Returns: The ended sessions.
  /// - Throws: what the database throws.
  static func end(
    _ scope: Scope, of account: Key, asking addresses: [Address] = [], in database: Database
  ) throws -> [Key] {
    switch scope {
    case .only: break
    case .all, .allBut:
      try OneTimeCode.voidChanges(of: account, butFor: addresses, in: database)
      // An authorization code from before would otherwise open a new session.
      try AuthorizationCode.voidAll(of: account, in: database)
    }
    let (condition, session): (String, Key?) =
      switch scope {
      case .all: ("", nil)
      case .only(let session): (" AND id = ?", session)
      case .allBut(let session): (" AND id <> ?", session)
      }
    var arguments: StatementArguments = [account.description]
    if let session { arguments += [session.description] }
    return try String.fetchAll(
      database, sql: "DELETE FROM sessions WHERE account = ?\(condition) RETURNING id",
      arguments: arguments
    ).compactMap { Key($0) }
  }

  /// The sessions to end.
  enum Scope: Sendable {
    case all
    case only(Key)
    case allBut(Key)
  }
}

/// Refresh tokens, which continue a session: each is used once and replaced by another. They are kept as hashes.
enum RefreshToken {
  /// The result of using a token.
  enum Outcome: Sendable {
    /// The session continues with another token.
    case next(String, Session, account: Key)
    /// The token never existed, or its session has ended.
    case unknown
    /// The token was used before, too long ago for a repeated request: somebody else has it. The session is ended.
    case stolen(Key)
  }

  static func insert(
    _ token: String, of session: Key, at now: Instant, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO refresh_tokens (hash, session, created_at) VALUES (?, ?, ?)",
      arguments: [Secret.digest(token), session.description, now.milliseconds])
  }

  /// Uses a token. Used again within the grace period, it answers with its successor, because phones repeat
  /// requests whose answers were lost.
  static func use(
    _ token: String, grace: Int, at now: Instant, in database: Database
  ) throws -> Outcome {
    let hash = Secret.digest(token)
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT t.used_at, t.successor, s.id, s.account, s.method, s.signed_in_at
          FROM refresh_tokens t JOIN sessions s ON s.id = t.session WHERE t.hash = ?
          """, arguments: [hash]),
      let key = Key(row["id"] as String), let account = Key(row["account"] as String)
    else { return .unknown }
    let session = Session(
      key: key, method: row["method"], signedIn: Instant(clamping: row["signed_in_at"]),
      refreshed: now)
    if let used = row["used_at"] as Int64? {
      guard now.milliseconds - used <= Int64(grace) * 1000,
        let sealed = row["successor"] as String?,
        let successor = Secret.opened(sealed, with: token)
      else {
        _ = try Session.end(.only(key), of: account, in: database)
        return .stolen(key)
      }
      return .next(successor, session, account: account)
    }
    let successor = Secret.fresh()
    try database.execute(
      sql: "UPDATE refresh_tokens SET used_at = ?, successor = ? WHERE hash = ?",
      arguments: [now.milliseconds, try Secret.sealed(successor, with: token), hash])
    try insert(successor, of: key, at: now, in: database)
    try database.execute(
      sql: "UPDATE sessions SET refreshed_at = ? WHERE id = ?",
      arguments: [now.milliseconds, key.description])
    return .next(successor, session, account: account)
  }
}
