import Avro
import Calendar
package import GRDB
import Values

// Sign-in puts a message into the outbox in the transaction of its cause; delivery takes it out.
extension OutboxMessage {
  /// Puts the message into the outbox in the present transaction, unless it already has one with the same
  /// deduplication key.
  ///
  /// - Returns: Whether it was put in.
  @discardableResult
  package func insert(into database: Database) throws -> Bool {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO outbox
          (id, deduplication_key, channel, recipient, account, template, payload, created_at, due_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.description, deduplicationKey, channel.rawValue, recipient, account?.description,
        template, payload.encoded, created.milliseconds, due.milliseconds,
      ])
    return database.changesCount > 0
  }

  /// Reads a message; `nil` for a row that no message was written to.
  package init?(row: Row) {
    guard let id = Key(row["id"] as String), let channel = Channel(rawValue: row["channel"])
    else { return nil }
    self.init(
      channel, to: row["recipient"], of: (row["account"] as String?).flatMap { Key($0) },
      template: row["template"],
      payload: (try? JSON(parsing: row["payload"] as String)) ?? [:],
      created: Instant(clamping: row["created_at"]), due: Instant(clamping: row["due_at"]),
      deduplicationKey: row["deduplication_key"])
    self.id = id
    attempts = row["attempts"]
    lastError = row["last_error"]
    delivered = (row["delivered_at"] as Int64?).map { Instant(clamping: $0) }
    dead = (row["dead_at"] as Int64?).map { Instant(clamping: $0) }
  }
}

extension ServerDatabase {
  /// All messages to a recipient, oldest first.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func messages(to recipient: String) async throws(DatabaseFailure) -> [OutboxMessage] {
    do {
      return try await read { database in
        try Row.fetchAll(
          database, sql: "SELECT * FROM outbox WHERE recipient = ? ORDER BY rowid",
          arguments: [recipient]
        ).compactMap(OutboxMessage.init(row:))
      }
    } catch { throw DatabaseFailure(error) }
  }
}
