import Avro
import Calendar
import Daybook
import GRDB
import Values

/// A one-time code sent to an address, with a link beside it; both are valid once and for a short
/// time.
///
/// Both are kept as hashes. There is one for each purpose, address and account: a new code voids the one before. A
/// sign-in code is remembered for a day after it expires or is guessed at too often, so that a new one may be sent
/// in its place; a code that changes an account's address is forgotten.
struct OneTimeCode: Sendable {
  /// What a code allows the owner of the address to do.
  enum Purpose: String, Sendable, CaseIterable {
    /// Sign in, or create an account.
    case signIn = "sign_in"
    /// Create the account of a sign-up, with its password.
    case signUp = "sign_up"
    /// Sign in and set a new password.
    case recovery
    /// Sign in with a new phone number from now on.
    case phoneChange = "phone_change"
    /// Sign in with a new e-mail address from now on.
    case emailChange = "email_change"
  }

  /// How long a request for a code is remembered.
  static let rememberedMilliseconds: Int64 = 86_400_000

  let purpose: Purpose
  let address: Address
  /// The account that changes its address; `nil` otherwise.
  var account: Key?
  /// The session that requests the change, which must not have ended when the code is saved.
  var session: Key?
  /// The metadata of an account that this code creates.
  var metadata: JSON = [:]
  /// The address to which the link finally leads.
  var redirect: String
  /// The proof that the client must give after the link is opened.
  var challenge: ProofKey?

  init(_ purpose: Purpose, _ address: Address, redirect: String) {
    self.purpose = purpose
    self.address = address
    self.redirect = redirect
  }

  private init?(row: Row) {
    guard let purpose = Purpose(rawValue: row["purpose"]),
      let kind = IdentityKind(rawValue: row["kind"]), let address = Address(kind, row["address"])
    else { return nil }
    self.purpose = purpose
    self.address = address
    account = Key(row["account"] as String)
    metadata = (try? JSON(parsing: row["metadata"] as String)) ?? [:]
    redirect = row["redirect"]
    challenge = ProofKey(kept: row["challenge"])
  }

  /// Saves the code in place of the one before.
  ///
  /// - Throws: ``AuthFailure/sessionNotFound``, or what the database throws.
  func save(
    code: String, link: String, at now: Instant, expiring expiry: Instant, in database: Database
  ) throws {
    if let session { try Session.check(session, in: database) }
    let salt = Secret.fresh()
    // A request for a new address replaces the one before.
    if let account { try Self.void(purpose, of: account, in: database) }
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO one_time_codes
          (purpose, kind, address, account, salt, code_hash, link_hash, metadata, redirect,
          challenge, wrong_guesses, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
        """,
      arguments: [
        purpose.rawValue, address.kind.rawValue, address.value, account?.description ?? "", salt,
        Secret.digest(code, salt: salt), Secret.digest(link), metadata.encoded, redirect,
        challenge?.kept ?? "", now.milliseconds, expiry.milliseconds,
      ])
  }

  /// Consumes a code that somebody typed. A wrong code counts as a guess at each code that it might have meant;
  /// their links stay valid, because nobody guesses those.
  ///
  /// - Returns: The code; `nil` if it is wrong, used or expired.
  static func consume(
    _ typed: String, sentTo address: Address, for purposes: [Purpose], guesses: Int,
    at now: Instant, in database: Database
  ) throws -> OneTimeCode? {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT rowid, * FROM one_time_codes
        WHERE kind = ? AND address = ? AND expires_at > ? AND wrong_guesses < ?
        """,
      arguments: [address.kind.rawValue, address.value, now.milliseconds, guesses])
    var found: (rowid: Int64, code: OneTimeCode)?
    var missed: [Int64] = []
    for row in rows {
      guard let code = OneTimeCode(row: row), purposes.contains(code.purpose) else { continue }
      let digest = Secret.digest(typed, salt: row["salt"])
      if Secret.areEqual(digest, row["code_hash"]) {
        found = (row["rowid"], code)
      } else {
        missed.append(row["rowid"])
      }
    }
    if let found {
      try delete(found.rowid, in: database)
      return found.code
    }
    for rowid in missed {
      try database.execute(
        sql: "UPDATE one_time_codes SET wrong_guesses = wrong_guesses + 1 WHERE rowid = ?",
        arguments: [rowid])
    }
    return nil
  }

  /// Consumes a code whose link was opened.
  ///
  /// - Returns: The code; `nil` if there is none, or it has expired.
  static func consume(
    link: String, for purposes: [Purpose], at now: Instant, in database: Database
  ) throws -> OneTimeCode? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT rowid, * FROM one_time_codes WHERE link_hash = ? AND expires_at > ?",
        arguments: [Secret.digest(link), now.milliseconds]),
      let code = OneTimeCode(row: row), purposes.contains(code.purpose)
    else { return nil }
    try delete(row["rowid"], in: database)
    return code
  }

  /// The last unused code that was sent to an address for one of the purposes, even if it is no longer valid; but
  /// not an expired code that changes an address.
  static func fetch(
    _ purposes: [Purpose], _ address: Address, at now: Instant, in database: Database
  ) throws -> OneTimeCode? {
    let names = purposes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try Row.fetchOne(
      database,
      sql: """
        SELECT * FROM one_time_codes WHERE purpose IN (\(names)) AND kind = ? AND address = ?
          AND (expires_at > ? OR account = '' AND created_at > ?)
        ORDER BY created_at DESC, rowid DESC
        """,
      arguments: [
        address.kind.rawValue, address.value, now.milliseconds,
        now.milliseconds - rememberedMilliseconds,
      ]
    ).flatMap(OneTimeCode.init(row:))
  }

  /// The codes that would change an account's addresses, and when they were sent.
  static func changes(
    of account: Key, at now: Instant, in database: Database
  ) throws -> [(code: OneTimeCode, at: Instant)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT *, max(created_at) AS sent_at FROM one_time_codes
        WHERE account = ? AND purpose IN ('phone_change', 'email_change') AND expires_at > ?
        GROUP BY purpose
        """,
      arguments: [account.description, now.milliseconds])
    return rows.compactMap { row in
      OneTimeCode(row: row).map { ($0, Instant(clamping: row["sent_at"])) }
    }
  }

  /// Voids the codes that would change an account's addresses, except to the given addresses.
  static func voidChanges(
    of account: Key, butFor addresses: [Address], in database: Database
  ) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT rowid, * FROM one_time_codes WHERE account = ?",
      arguments: [account.description])
    for row in rows {
      guard let code = OneTimeCode(row: row), !addresses.contains(code.address) else { continue }
      try delete(row["rowid"], in: database)
    }
  }

  /// Voids the codes of an account for a purpose.
  static func void(_ purpose: Purpose, of account: Key, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM one_time_codes WHERE account = ? AND purpose = ?",
      arguments: [account.description, purpose.rawValue])
  }

  /// Voids the codes that were sent to addresses for a purpose.
  static func void(
    _ purpose: Purpose, sentTo addresses: [Address], in database: Database
  ) throws {
    for address in addresses {
      try database.execute(
        sql: "DELETE FROM one_time_codes WHERE purpose = ? AND kind = ? AND address = ?",
        arguments: [purpose.rawValue, address.kind.rawValue, address.value])
    }
  }

  private static func delete(_ rowid: Int64, in database: Database) throws {
    try database.execute(sql: "DELETE FROM one_time_codes WHERE rowid = ?", arguments: [rowid])
  }
}
