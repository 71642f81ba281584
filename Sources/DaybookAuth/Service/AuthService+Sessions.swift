import Avro
import Calendar
import Crypto
import Daybook
import DaybookStore
import GRDB
import HTTPTypes
public import Values
import Wire

extension AuthService {
  /// The claims of the access token after `Bearer`.
  ///
  /// A token that was verified before costs only a dictionary lookup.
  ///
  /// - Throws: ``TokenError``.
  public func claims(of bearer: String) throws(TokenError) -> Claims {
    let now = now
    if let claims = live.claims(of: bearer, at: now) { return claims }
    let token = try CompactToken(bearer)
    switch token.header["alg"]?.text {
    case "ES256": break
    case let name? where name.lowercased() == "none": throw .unsigned
    case nil: throw .malformed
    default: throw .wrongAlgorithm
    }
    guard let kid = token.header["kid"]?.text, let key = keys.key(named: kid) else {
      throw .unknownKey
    }
    guard token.isSigned(by: key.privateKey.publicKey) else { throw .badSignature }
    guard let account = token.payload["sub"]?.text.flatMap({ Key($0) }),
      let session = token.payload["session_id"]?.text.flatMap({ Key($0) }),
      let seconds = token.payload["exp"]?.integer,
      token.payload["aud"]?.text == "authenticated", token.payload["iss"]?.text == settings.issuer
    else { throw .malformed }
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflow, now.milliseconds < milliseconds else { throw .expired }
    let standing = accounts.standing(of: account)
    if standing == .erased { throw .erasedAccount }
    // An account that the book has lost is made again by a sign-in or a refresh.
    guard standing == .present, live.isLive(session, of: account) else { throw .endedSession }
    let claims = Claims(
      account: account, session: session, expires: Instant(clamping: milliseconds))
    live.remember(claims, of: bearer)
    return claims
  }

  /// Whether a token's session still lives: nobody signed out or was erased since.
  public func isLive(_ claims: Claims) -> Bool { live.isLive(claims.session, of: claims.account) }

  /// Deletes the data of an account that was erased in the book, and ends its tokens.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func forget(account: Key) async throws(DatabaseFailure) {
    live.endAll(of: account)
    do {
      try await database.write { database in
        let user = try UserRecord.fetch(account, in: database)
        for (kind, value) in [("email", user?.email), ("phone", user?.phone)] {
          guard let value else { continue }
          for sql in [
            "DELETE FROM one_time_codes WHERE kind = ? AND address = ?",
            "DELETE FROM sign_ups WHERE kind = ? AND address = ?",
          ] {
            try database.execute(sql: sql, arguments: [kind, value])
          }
          try database.execute(
            sql: "DELETE FROM outbox WHERE recipient = ?", arguments: [value])
        }
        for table in ["outbox", "one_time_codes", "users"] {
          try database.execute(
            sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account.description])
        }
      }
    } catch { throw DatabaseFailure(error) }
    await database.emptyLog()
    // Ends a session that began meanwhile.
    live.endAll(of: account)
    people.forget(account)
  }

  /// Deletes the data of accounts erased in the book, and expired data; call it from time to time.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func sweep() async throws(DatabaseFailure) {
    let (now, grace) = (now, Int64(settings.refreshGraceSeconds) * 1000)
    let ahead = now.milliseconds + 2 * 86_400_000
    let known: [String]
    do {
      try await rotateKeys()
      known = try await database.read { database in
        try String.fetchAll(
          database,
          sql: """
            SELECT account FROM users UNION SELECT account FROM one_time_codes
            UNION SELECT account FROM outbox WHERE account IS NOT NULL
            """)
      }
      try await database.write { database in
        for (table, end) in [
          ("one_time_codes", now.milliseconds - OneTimeCode.rememberedMilliseconds),
          ("authorization_codes", now.milliseconds), ("authorization_states", now.milliseconds),
          ("limits", now.milliseconds),
        ] {
          // A row with an impossibly late expiry was made while the clock was ahead; it would otherwise hold for
          // years.
          try database.execute(
            sql: "DELETE FROM \(table) WHERE expires_at <= ? OR expires_at > ?",
            arguments: [end, ahead])
        }
        try database.execute(
          sql: """
            UPDATE outbox SET due_at = ?
            WHERE due_at > ? AND delivered_at IS NULL AND dead_at IS NULL
            """,
          arguments: [now.milliseconds, ahead])
        // After the grace period, the token only serves to detect its theft, for which the hash is
        // enough.
        try database.execute(
          sql: "UPDATE refresh_tokens SET successor = NULL WHERE used_at < ?",
          arguments: [now.milliseconds - grace])
        try database.execute(
          sql: "DELETE FROM sign_ups WHERE created_at < ?",
          arguments: [now.milliseconds - 7 * 86_400_000])
        let month = now.milliseconds - 30 * 86_400_000
        try database.execute(
          sql: "DELETE FROM refresh_tokens WHERE used_at < ?", arguments: [month])
      }
    } catch { throw DatabaseFailure(error) }
    for account in known.compactMap({ Key($0) }) where accounts.standing(of: account) == .erased {
      try await forget(account: account)
    }
  }

  /// Loads the sessions that have not ended.
  func loadSessions() async throws {
    let sessions = try await database.read { database in
      try Row.fetchAll(database, sql: "SELECT id, account FROM sessions").compactMap { row in
        Key(row["id"] as String).flatMap { id in
          Key(row["account"] as String).map { (id: id, account: $0) }
        }
      }
    }
    for session in sessions { live.begin(session.id, of: session.account) }
  }

  /// Makes a new signing key, if it is time.
  func rotateKeys() async throws {
    try await keys.rotate(
      at: now, every: settings.signingKeyDays, tokenSeconds: tokenSeconds)
  }

  /// The lifetime of an access token; clients refresh continuously if it is too short.
  var tokenSeconds: Int { min(max(settings.tokenSeconds, 300), 86_400) }

  /// Opens a session of an account in the database.
  ///
  /// - Returns: The answer of every sign-in.
  func openSession(
    of account: Key, by method: String, proving passwordHash: String? = nil
  ) async throws -> JSON {
    let (now, session, token) = (now, Key(), Secret.fresh())
    let live = live
    let person = try await database.write { database in
      // Registers the session at commit, so that a later transaction that ends it finds it registered.
      database.afterNextTransaction { _ in live.begin(session, of: account) }
      guard var person = try Person.fetch(account, at: now, in: database) else {
        throw AuthFailure.userNotFound
      }
      // Comparing a password takes time, in which it may have been changed.
      if let passwordHash, person.user.passwordHash != passwordHash {
        throw AuthFailure.invalidCredentials
      }
      person.user.lastSignIn = now
      try person.user.save(in: database)
      try database.execute(
        sql: "INSERT INTO sessions (id, account, method, signed_in_at) VALUES (?, ?, ?, ?)",
        arguments: [session.description, account.description, method, now.milliseconds])
      try RefreshToken.insert(token, of: session, at: now, in: database)
      return person
    }
    people.note(person.user)
    let signedIn = Session(key: session, method: method, signedIn: now)
    return try await answer(of: signedIn, person, refreshToken: token)
  }

  /// The answer with a session: an access token, a refresh token, and the user.
  func answer(of session: Session, _ person: Person, refreshToken: String) async throws -> JSON {
    try await rotateKeys()
    guard let key = keys.newest else { throw AuthFailure.unexpected }
    let seconds = now.milliseconds / 1000
    let expiry = seconds + Int64(tokenSeconds)
    let claims: JSON = [
      "iss": .string(settings.issuer), "sub": .string(person.user.account.description),
      "aud": "authenticated", "exp": .number(expiry), "iat": .number(seconds),
      "email": .string(person.user.email ?? ""),
      "phone": .string(Address.shown(phone: person.user.phone)),
      "app_metadata": person.appMetadata, "user_metadata": person.user.metadata,
      "role": "authenticated", "aal": "aal1", "amr": .array(session.references),
      "session_id": .string(session.key.description), "is_anonymous": false,
    ]
    let token = try CompactToken.signed(claims, by: key.privateKey, named: key.kid)
    return [
      "access_token": .string(token), "token_type": "bearer",
      "expires_in": .number(tokenSeconds), "expires_at": .number(expiry),
      "refresh_token": .string(refreshToken), "user": person.json,
    ]
  }
}
