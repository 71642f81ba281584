import Avro
import Calendar
import Daybook
import DaybookStore
import GRDB
import Values

/// One of the ways in which a person signs in: a row of `identities`.
struct IdentityRecord: Sendable {
  let provider: IdentityKind
  /// Who it is at the provider; for a phone and an e-mail address the account's own key.
  let subject: String
  let id: Key
  let account: Key
  /// What the provider says: an object.
  var data: JSON
  let created: Instant
  var updated: Instant
  var lastSignIn: Instant

  /// A way that was not there yet.
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

  /// Whether it is an address that was never shown to be theirs.
  var isMereClaim: Bool { data["\(provider.rawValue)_verified"]?.boolean == false }

  /// Whether a provider says that an e-mail address is theirs.
  func vouches(for email: String) -> Bool {
    provider != .email && data["email"]?.text?.lowercased() == email
      && data["email_verified"]?.boolean == true
  }

  /// Those of an account, in the order in which they came.
  static func fetchAll(of account: Key, in database: Database) throws -> [IdentityRecord] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM identities WHERE account = ? ORDER BY created_at, rowid",
      arguments: [account.description]
    ).compactMap(IdentityRecord.init(row:))
  }

  /// Writes the row; one that is there keeps its name and age, and tells whose it is now.
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

  /// As clients are told of it.
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
