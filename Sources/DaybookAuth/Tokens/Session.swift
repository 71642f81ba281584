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

  /// How the person was recognised, as tokens say it (RFC 8176), the latest first.
  var references: [JSON] {
    let first: JSON = [
      "method": .string(method), "timestamp": .number(signedIn.milliseconds / 1000),
    ]
    guard let refreshed else { return [first] }
    return [
      ["method": "token_refresh", "timestamp": .number(refreshed.milliseconds / 1000)], first,
    ]
  }

  /// Makes sure that a session has not ended: a request may have taken its time.
  ///
  /// - Throws: ``AuthFailure/sessionNotFound``, or what the database throws.
  static func check(_ session: Key, in database: Database) throws {
    let found = try Bool.fetchOne(
      database, sql: "SELECT 1 FROM sessions WHERE id = ?", arguments: [session.description])
    guard found == true else { throw AuthFailure.sessionNotFound }
  }

  /// Ends sessions of an account. What others began ends with their sessions: no code that they asked for gives the
  /// account another address.
  ///
  /// - Parameters:
  ///   - scope: Which sessions.
  ///   - account: Whose they are.
  ///   - addresses: Those that the session which stays asks for itself.
  ///   - database: Where they are kept.
  /// - Returns: Which.
  /// - Throws: what the database throws.
  static func end(
    _ scope: Scope, of account: Key, asking addresses: [Address] = [], in database: Database
  ) throws -> [Key] {
    switch scope {
    case .only: break
    case .all, .allBut:
      try OneTimeCode.voidChanges(of: account, butFor: addresses, in: database)
      // What was begun before would be a session otherwise that nobody ended.
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

  /// Which sessions end.
  enum Scope: Sendable {
    case all
    case only(Key)
    case allBut(Key)
  }
}

/// What a session is gone on with: each is used once, and followed by another. They are kept as hashes.
enum RefreshToken {
  /// What came of using one.
  enum Outcome: Sendable {
    /// The session goes on with another one.
    case next(String, Session, account: Key)
    /// It was never there, or its session ended.
    case unknown
    /// It was used before, too long ago for a client that repeats itself: somebody else has it. The session ended.
    case stolen(Key)
  }

  /// Keeps a token.
  static func insert(
    _ token: String, of session: Key, at now: Instant, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO refresh_tokens (hash, session, created_at) VALUES (?, ?, ?)",
      arguments: [Secret.digest(token), session.description, now.milliseconds])
  }

  /// Uses a token. Used again within the grace it answers the one that followed it, for phones repeat what they asked
  /// when the answer was lost.
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
