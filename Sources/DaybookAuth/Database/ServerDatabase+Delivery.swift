package import Calendar
import GRDB
package import Values

// What delivery asks of the outbox. A message that is being sent is due again when its lease is over: so one that is
// lost with whoever took it comes again by itself.
extension ServerDatabase {
  /// Puts messages in, in one transaction, without those whose deduplication key was put in before.
  ///
  /// - Returns: How many were new.
  /// - Throws: ``DatabaseFailure``.
  package func enqueue(_ messages: [OutboxMessage]) async throws(DatabaseFailure) -> Int {
    do {
      return try await write { database in
        try messages.count { try $0.insert(into: database) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Takes messages that are due, and makes them due again at the lease's end.
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

  /// The messages that were given up, the latest first.
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

  /// Makes a message that was given up due again, as if it had never been tried.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``DatabaseFailure``.
  package func reviveMessage(_ id: Key, at now: Instant) async throws(DatabaseFailure) -> Bool {
    try await count(
      """
      UPDATE outbox SET dead_at = NULL, due_at = ?, attempts = 0
      WHERE id = ? AND dead_at IS NOT NULL AND delivered_at IS NULL
      """, [now.milliseconds, id.description]) > 0
  }

  /// Deletes the messages that were sent or given up before an instant.
  ///
  /// - Returns: How many.
  /// - Throws: ``DatabaseFailure``.
  package func deleteMessages(settledBefore end: Instant) async throws(DatabaseFailure) -> Int {
    try await count(
      "DELETE FROM outbox WHERE coalesce(delivered_at, dead_at) < ?", [end.milliseconds])
  }

  /// How far a piece of work has come, that is done once for every entry and every instant.
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

  /// Notes how far a piece of work has come.
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
