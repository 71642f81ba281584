import Avro
import Calendar
import Daybook
import GRDB
import Values

/// The server's record of a person: a row of `users`.
struct UserRecord: Sendable {
  /// The account in the book.
  let account: Key
  var email: String?
  var phone: String?
  var emailConfirmed: Instant?
  var phoneConfirmed: Instant?
  var passwordHash: String?
  /// The data that apps keep about the person: an object.
  var metadata: JSON
  var created: Instant
  var updated: Instant
  var lastSignIn: Instant?

  /// A record without any addresses.
  init(_ account: Key, at now: Instant) {
    self.account = account
    metadata = [:]
    created = now
    updated = now
  }

  private init?(row: Row) {
    guard let account = Key(row["account"] as String) else { return nil }
    self.account = account
    email = row["email"]
    phone = row["phone"]
    emailConfirmed = Self.instant(row["email_confirmed_at"])
    phoneConfirmed = Self.instant(row["phone_confirmed_at"])
    passwordHash = row["password_hash"]
    metadata = (try? JSON(parsing: row["metadata"] as String)) ?? [:]
    created = Instant(clamping: row["created_at"])
    updated = Instant(clamping: row["updated_at"])
    lastSignIn = Self.instant(row["last_sign_in_at"])
  }

  var addresses: [Address] {
    [email.flatMap { Address(.email, $0) }, phone.flatMap { Address(.phone, $0) }].compactMap(
      \.self)
  }

  private static func instant(_ milliseconds: Int64?) -> Instant? {
    milliseconds.map { Instant(clamping: $0) }
  }

  static func fetchAll(_ database: Database) throws -> [UserRecord] {
    try Row.fetchAll(database, sql: "SELECT * FROM users").compactMap(UserRecord.init(row:))
  }

  static func fetch(_ account: Key, in database: Database) throws -> UserRecord? {
    try Row.fetchOne(
      database, sql: "SELECT * FROM users WHERE account = ?", arguments: [account.description]
    ).flatMap(UserRecord.init(row:))
  }

  static func fetch(_ address: Address, in database: Database) throws -> UserRecord? {
    let column = address.kind == .phone ? "phone" : "email"
    return try Row.fetchOne(
      database, sql: "SELECT * FROM users WHERE \(column) = ?", arguments: [address.value]
    ).flatMap(UserRecord.init(row:))
  }

  /// Saves the row in place of an existing one.
  func save(in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO users
          (account, email, phone, email_confirmed_at, phone_confirmed_at, password_hash, metadata,
          created_at, updated_at, last_sign_in_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (account) DO UPDATE SET
          email = excluded.email, phone = excluded.phone,
          email_confirmed_at = excluded.email_confirmed_at,
          phone_confirmed_at = excluded.phone_confirmed_at,
          password_hash = excluded.password_hash, metadata = excluded.metadata,
          updated_at = excluded.updated_at, last_sign_in_at = excluded.last_sign_in_at
        """,
      arguments: [
        account.description, email, phone, emailConfirmed?.milliseconds,
        phoneConfirmed?.milliseconds, passwordHash, metadata.encoded, created.milliseconds,
        updated.milliseconds, lastSignIn?.milliseconds,
      ])
  }

  /// Gives the person a proven address, and takes it from any other record: the book decides whose it is.
  ///
  /// - Returns: The accounts that had it.
  mutating func claim(
    _ address: Address, at now: Instant, in database: Database
  ) throws -> [Key] {
    let (column, kind) = (address.kind == .phone ? "phone" : "email", address.kind.rawValue)
    let holders = try String.fetchAll(
      database, sql: "SELECT account FROM users WHERE \(column) = ? AND account <> ?",
      arguments: [address.value, account.description])
    for holder in holders {
      try database.execute(
        sql: "UPDATE users SET \(column) = NULL, \(column)_confirmed_at = NULL WHERE account = ?",
        arguments: [holder])
      try database.execute(
        sql: "DELETE FROM identities WHERE provider = ? AND account = ?",
        arguments: [kind, holder])
    }
    // Messages sent to the address before it had an owner now belong to the person.
    try database.execute(
      sql: "UPDATE outbox SET account = ? WHERE recipient = ? AND account IS NULL",
      arguments: [account.description, address.value])
    switch address.kind {
    case .phone:
      if phone != address.value { phoneConfirmed = nil }
      phone = address.value
      phoneConfirmed = phoneConfirmed ?? now
    default:
      if email != address.value { emailConfirmed = nil }
      email = address.value
      emailConfirmed = emailConfirmed ?? now
    }
    updated = now
    return holders.compactMap { Key($0) }
  }

  /// Adds a provider's data about the person, without replacing what they set themselves.
  mutating func complete(_ more: JSON) {
    let members = metadata.members ?? []
    let unsaid = (more.members ?? []).filter { metadata[$0.name] == nil }
    let completed = JSON.object(members + unsaid)
    guard completed.encoded.utf8.count <= AuthRequest.largestMetadataByteCount else { return }
    metadata = completed
  }

  /// Merges new metadata: each given name replaces the existing one, and `null` removes it.
  mutating func merge(_ more: JSON) {
    var members = metadata.members ?? []
    for member in more.members ?? [] {
      members.removeAll { $0.name == member.name }
      if member.value != .null { members.append(member) }
    }
    metadata = .object(members)
  }
}
