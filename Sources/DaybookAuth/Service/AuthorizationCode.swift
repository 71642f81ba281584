import Calendar
import GRDB
import Values

/// A code with which a browser returns to an app, and which the app exchanges for a session. It is valid once, for
/// five minutes, and only for the client that began the sign-in. It is kept as a hash.
struct AuthorizationCode: Sendable {
  let account: Key
  /// How the person signed in.
  let method: String
  let challenge: ProofKey

  private static let milliseconds: Int64 = 300_000

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

  /// Deletes all codes of an account.
  static func voidAll(of account: Key, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM authorization_codes WHERE account = ?", arguments: [account.description])
  }

  enum Outcome: Sendable {
    case taken(AuthorizationCode)
    case wrongVerifier
    case unknown
  }

  /// Consumes a code. With a wrong verifier the code stays, because its owner may still come.
  static func consume(
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

/// The state of a browser that was sent to a provider; it is valid once, for ten minutes.
struct AuthorizationState: Sendable {
  let provider: String
  /// The address of the app to return to.
  let redirect: String
  let challenge: ProofKey?
  /// The verifier that proves to the provider that this server began the flow.
  let verifier: String

  private static let milliseconds: Int64 = 600_000

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

  /// Consumes a state.
  static func consume(
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
