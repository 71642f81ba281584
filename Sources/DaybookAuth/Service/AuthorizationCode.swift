import Calendar
import GRDB
import Values

/// A code with which a browser comes back to an app, and which the app exchanges for a session: good once, for five
/// minutes, and for who began the sign-in. It is kept as a hash.
struct AuthorizationCode: Sendable {
  let account: Key
  /// How the person signed in.
  let method: String
  let challenge: ProofKey

  private static let milliseconds: Int64 = 300_000

  /// Keeps the code.
  func save(_ code: String, at now: Instant, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO authorization_codes (hash, account, method, challenge, expires_at)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        Secret.digest(code), account.description, method, challenge.kept,
        now.milliseconds + Self.milliseconds,
      ])
  }

  /// Forgets all codes of an account.
  static func voidAll(of account: Key, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM authorization_codes WHERE account = ?", arguments: [account.description])
  }

  /// What came of an exchange.
  enum Outcome: Sendable {
    case taken(AuthorizationCode)
    case wrongVerifier
    case unknown
  }

  /// Takes a code, so that it is gone. With a wrong verifier it stays: it is another's who may still come.
  static func take(
    _ code: String, verifier: String, at now: Instant, in database: Database
  ) throws -> Outcome {
    let hash = Secret.digest(code)
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM authorization_codes WHERE hash = ? AND expires_at > ?",
        arguments: [hash, now.milliseconds]),
      let account = Key(row["account"] as String), let challenge = ProofKey(kept: row["challenge"])
    else { return .unknown }
    guard challenge.isProven(by: verifier) else { return .wrongVerifier }
    try database.execute(
      sql: "DELETE FROM authorization_codes WHERE hash = ?", arguments: [hash])
    return .taken(
      AuthorizationCode(account: account, method: row["method"], challenge: challenge))
  }
}

/// A browser that was sent to a provider, and is to come back: good once, for ten minutes.
struct AuthorizationState: Sendable {
  let provider: String
  /// Where the app waits.
  let redirect: String
  let challenge: ProofKey?
  /// What proves to the provider that it is this server that comes for the token.
  let verifier: String

  private static let milliseconds: Int64 = 600_000

  /// Keeps the state.
  func save(_ state: String, at now: Instant, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO authorization_states
          (hash, provider, redirect, challenge, verifier, expires_at) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        Secret.digest(state), provider, redirect, challenge?.kept ?? "", verifier,
        now.milliseconds + Self.milliseconds,
      ])
  }

  /// Takes a state, so that it is gone.
  static func take(
    _ state: String, at now: Instant, in database: Database
  ) throws -> AuthorizationState? {
    try Row.fetchOne(
      database,
      sql: "DELETE FROM authorization_states WHERE hash = ? AND expires_at > ? RETURNING *",
      arguments: [Secret.digest(state), now.milliseconds]
    ).map { row in
      AuthorizationState(
        provider: row["provider"], redirect: row["redirect"],
        challenge: ProofKey(kept: row["challenge"]), verifier: row["verifier"])
    }
  }
}
