import Avro
import Calendar
import Daybook
import DaybookStore
import GRDB
import Values

/// A way in which a person signs in: a row of `identities`.
struct IdentityRecord: Sendable {
  let provider: IdentityKind
  /// The person's id at the provider; for a phone or an e-mail address, the account's key.
  let subject: String
  let id: Key
  let account: Key
  /// The provider's data about the person: an object.
  var data: JSON
  let created: Instant
  var updated: Instant
  var lastSignIn: Instant

  /// An identity that did not exist before.
  init(_ provider: IdentityKind, _ subject: String, of account: Key, data: JSON, at now: Instant) {
    self.provider = provider
    self.subject = subject
    id = Key()
    self.account = account
    self.data = data
    created = now
    updated = now
    lastSignIn = now
  }

  private init?(row: Row) {
    guard let provider = IdentityKind(rawValue: row["provider"]),
      let id = Key(row["id"] as String), let account = Key(row["account"] as String)
    else { return nil }
    self.provider = provider
    subject = row["subject"]
    self.id = id
    self.account = account
    data = (try? JSON(parsing: row["data"] as String)) ?? [:]
    created = Instant(clamping: row["created_at"])
    updated = Instant(clamping: row["updated_at"])
    lastSignIn = Instant(clamping: row["last_sign_in_at"])
  }

  /// Whether it is an address that was never proven.
  var isMereClaim: Bool { data["\(provider.rawValue)_verified"]?.boolean == false }

  /// Whether the provider vouches that an e-mail address belongs to the person.
  func vouches(for email: String) -> Bool {
    provider != .email && data["email"]?.text?.lowercased() == email
      && data["email_verified"]?.boolean == true
  }

  /// The identities of an account, oldest first.
  static func fetchAll(of account: Key, in database: Database) throws -> [IdentityRecord] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM identities WHERE account = ? ORDER BY created_at, rowid",
      arguments: [account.description]
    ).compactMap(IdentityRecord.init(row:))
  }

  /// Saves the row; an existing row keeps its id and age, and gets the new account.
  func save(in database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO identities
          (provider, subject, id, account, data, created_at, updated_at, last_sign_in_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (provider, subject) DO UPDATE SET
          account = excluded.account, data = excluded.data, updated_at = excluded.updated_at,
          last_sign_in_at = excluded.last_sign_in_at
        """,
      arguments: [
        provider.rawValue, subject, id.description, account.description, data.encoded,
        created.milliseconds, updated.milliseconds, lastSignIn.milliseconds,
      ])
  }

  /// The form shown to clients.
  var json: JSON {
    [
      "identity_id": .string(id.description), "id": .string(subject),
      "user_id": .string(account.description), "provider": .string(provider.rawValue),
      "identity_data": data, "created_at": .string(created.description),
      "updated_at": .string(updated.description),
      "last_sign_in_at": .string(lastSignIn.description),
    ]
  }
}
