import Avro
import Calendar
import Daybook
import GRDB
import Values

/// A sign-up with a password whose address is not proven yet: a row of `sign_ups`. There is no account yet.
struct SignUp: Sendable {
  let address: Address
  /// The key of the future account.
  let account: Key
  /// `nil` if another password was chosen for the address before, because nobody knows yet which choice is the
  /// owner's.
  let passwordHash: String?
  let metadata: JSON

  static func fetch(_ address: Address, in database: Database) throws -> SignUp? {
    guard
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM sign_ups WHERE kind = ? AND address = ?",
        arguments: [address.kind.rawValue, address.value]),
      let account = Key(row["account"] as String)
    else { return nil }
    let hash: String = row["password_hash"]
    return SignUp(
      address: address, account: account, passwordHash: hash.isEmpty ? nil : hash,
      metadata: (try? JSON(parsing: row["metadata"] as String)) ?? [:])
  }

  /// Saves the sign-up in place of the one before.
  func save(at now: Instant, in database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO sign_ups
          (kind, address, account, password_hash, metadata, created_at) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        address.kind.rawValue, address.value, account.description, passwordHash ?? "",
        metadata.encoded, now.milliseconds,
      ])
  }

  /// Deletes the sign-up of an address once its owner has come, so that a password chosen by somebody else is never
  /// set.
  static func drop(_ address: Address, in database: Database) throws {
    let arguments: StatementArguments = [address.kind.rawValue, address.value]
    try database.execute(
      sql: "DELETE FROM sign_ups WHERE kind = ? AND address = ?", arguments: arguments)
    try database.execute(
      sql: "DELETE FROM one_time_codes WHERE purpose = 'sign_up' AND kind = ? AND address = ?",
      arguments: arguments)
  }
}
