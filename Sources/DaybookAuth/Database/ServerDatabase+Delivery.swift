package import Calendar
import GRDB
package import Values

// The outbox operations for delivery. A message that is being sent becomes due again when its lease ends, so a
// message whose worker died is sent again by itself.
extension ServerDatabase {
  /// Puts messages into the outbox in one transaction, except those whose deduplication key it
  /// already has.
  ///
  /// - Returns: The number of new messages.
  /// - Throws: ``DatabaseFailure``.
  package func enqueue(_ messages: [OutboxMessage]) async throws(DatabaseFailure) -> Int {
    do {
      return try await write { database in
        try messages.count { try $0.insert(into: database) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Leases due messages, which become due again at the lease's end.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func leaseMessages(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(DatabaseFailure) -> [OutboxMessage] {
    do {
      return try await write { database in
        let rows = try Row.fetchAll(
          database,
          sql: """
            SELECT * FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= ?
            ORDER BY due_at, rowid LIMIT ?
            """, arguments: [now.milliseconds, max(0, limit)])
        for row in rows {
          try database.execute(
            sql: "UPDATE outbox SET due_at = ? WHERE id = ?",
            arguments: [end.milliseconds, row["id"] as String])
        }
        return rows.compactMap(OutboxMessage.init(row:))
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// The dead letters, newest first.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func deadLetters(_ limit: Int) async throws(DatabaseFailure) -> [OutboxMessage] {
    do {
      return try await read { database in
        try Row.fetchAll(
          database,
          sql: """
            SELECT * FROM outbox WHERE dead_at IS NOT NULL AND delivered_at IS NULL
            ORDER BY dead_at DESC, rowid DESC LIMIT ?
            """, arguments: [max(0, limit)]
        ).compactMap(OutboxMessage.init(row:))
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Makes a dead letter due again, as if it had never been tried.
  ///
  /// - Returns: Whether there was such a dead letter.
  /// - Throws: ``DatabaseFailure``.
  package func reviveMessage(_ id: Key, at now: Instant) async throws(DatabaseFailure) -> Bool {
    try await count(
      """
      UPDATE outbox SET dead_at = NULL, due_at = ?, attempts = 0
      WHERE id = ? AND dead_at IS NOT NULL AND delivered_at IS NULL
      """, [now.milliseconds, id.description]) > 0
  }

  /// Deletes the messages that were sent or became dead letters before an instant.
  ///
  /// - Returns: The number of deleted messages.
  /// - Throws: ``DatabaseFailure``.
  package func deleteMessages(settledBefore end: Instant) async throws(DatabaseFailure) -> Int {
    try await count(
      "DELETE FROM outbox WHERE coalesce(delivered_at, dead_at) < ?", [end.milliseconds])
  }

  /// The progress of work that is done once for every entry and every instant.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func progress(
    of work: String
  ) async throws(DatabaseFailure) -> (position: Int64, at: Instant)? {
    do {
      return try await read { database in
        try Row.fetchOne(
          database, sql: "SELECT position, at FROM progress WHERE work = ?", arguments: [work]
        ).map { row in (row["position"], Instant(clamping: row["at"])) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Records the progress of work.
  ///
  /// - Throws: ``DatabaseFailure``.
  package func noteProgress(
    of work: String, _ position: Int64, at instant: Instant
  ) async throws(DatabaseFailure) {
    _ = try await count(
      "INSERT OR REPLACE INTO progress (work, position, at) VALUES (?, ?, ?)",
      [work, position, instant.milliseconds])
  }

  private func count(
    _ sql: String, _ arguments: StatementArguments
  ) async throws(DatabaseFailure) -> Int {
    do {
      return try await write { database in
        try database.execute(sql: sql, arguments: arguments)
        return database.changesCount
      }
    } catch { throw DatabaseFailure(error) }
  }
}
