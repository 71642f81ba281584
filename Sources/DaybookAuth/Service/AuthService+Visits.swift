package import Avro
import Calendar
import Crypto
import DaybookStore
import GRDB
package import Values

// What a browser on the page needs beside the endpoints of apps: links that sign in, and the tokens of forms.
extension AuthService {
  /// Makes the token of a link that signs an account in, once and for a time. Whoever runs the server hands it out:
  /// nobody proves an address.
  ///
  /// - Parameters:
  ///   - account: The account, which must be in the book.
  ///   - seconds: How long the link is good.
  /// - Returns: The token, of which only a hash is kept.
  /// - Throws: ``DatabaseFailure``.
  package func visitLink(
    for account: Key, seconds: Int = 600
  ) async throws(DatabaseFailure) -> String {
    let (now, token) = (now, Secret.fresh())
    let expiry = now.milliseconds + Int64(seconds) * 1000
    do {
      try await database.write { database in
        if try UserRecord.fetch(account, in: database) == nil {
          try UserRecord(account, at: now).save(in: database)
        }
        // Without a challenge no app can exchange it (RFC 7636).
        try database.execute(
          sql: """
            INSERT INTO authorization_codes (hash, account, method, challenge, expires_at)
            VALUES (?, ?, 'otp', '', ?)
            """,
          arguments: [Secret.digest(token), account.description, expiry])
      }
    } catch { throw DatabaseFailure(error) }
    return token
  }

  /// Opens a session by the token of a link, which is used up.
  ///
  /// - Returns: The answer of every sign-in; `nil` for a token that is unknown, used or over.
  /// - Throws: ``DatabaseFailure``.
  package func openSession(byVisitLink token: String) async throws(DatabaseFailure) -> JSON? {
    let (now, hash) = (now, Secret.digest(token))
    do {
      // A guess costs no write.
      let isKnown = try await database.read { database in
        try Bool.fetchOne(
          database, sql: "SELECT 1 FROM authorization_codes WHERE hash = ?", arguments: [hash])
      }
      guard isKnown == true else { return nil }
      let account = try await database.write { database in
        try String.fetchOne(
          database,
          sql: """
            DELETE FROM authorization_codes WHERE hash = ? AND challenge = '' AND expires_at > ?
            RETURNING account
            """,
          arguments: [hash, now.milliseconds])
      }
      guard let account = account.flatMap({ Key($0) }), accounts.standing(of: account) == .present
      else { return nil }
      return try await openSession(of: account, by: "otp")
    } catch { throw DatabaseFailure(error) }
  }

  /// What each form of a session contains. Only this server can make it: it is keyed with a secret made of the pepper.
  package func formToken(of session: Key) -> String {
    Base64URL.encoded(
      HMAC<SHA256>.authenticationCode(for: Array("form \(session)".utf8), using: formKey))
  }
}
