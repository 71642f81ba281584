import Avro
public import Calendar
import GRDB
public import Values

// The outbox: a sender puts a message in, in the same transaction as its cause if that is in this database;
// delivery takes it out. A message is sent at least once.
extension ServerDatabase {
  /// Puts a message into the outbox, unless it already has one with the same deduplication key.
  ///
  /// - Returns: Whether it was put in.
  /// - Throws: ``DatabaseFailure``.
  @discardableResult
  public func enqueue(_ message: OutboxMessage) async throws(DatabaseFailure) -> Bool {
    do { return try await write { try message.insert(into: $0) } } catch {
      throw DatabaseFailure(error)
    }
  }

  /// The messages due at an instant, earliest first.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func dueMessages(
    at now: Instant, limit: Int = 100
  ) async throws(DatabaseFailure) -> [OutboxMessage] {
    try await messages(
      where:
        "delivered_at IS NULL AND dead_at IS NULL AND due_at <= ? ORDER BY due_at, rowid LIMIT ?",
      [now.milliseconds, limit])
  }

  /// All messages to a recipient, oldest first.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func messages(to recipient: String) async throws(DatabaseFailure) -> [OutboxMessage] {
    try await messages(where: "recipient = ? ORDER BY rowid", [recipient])
  }

  /// When the next message is due that was neither sent nor given up.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func nextDue() async throws(DatabaseFailure) -> Instant? {
    do {
      return try await read { database in
        try Int64.fetchOne(
          database,
          sql: "SELECT min(due_at) FROM outbox WHERE delivered_at IS NULL AND dead_at IS NULL"
        ).map { Instant(clamping: $0) }
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Records that a message was sent. Its content is erased unless it is to be kept, because a delivered code is no
  /// longer needed here.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func noteDelivery(
    of id: Key, at now: Instant, keepingPayload: Bool = false
  ) async throws(DatabaseFailure) {
    try await change(
      """
      UPDATE outbox SET delivered_at = ?, attempts = attempts + 1, last_error = NULL,
        payload = CASE WHEN ? THEN payload ELSE '{}' END
      WHERE id = ?
      """, [now.milliseconds, keepingPayload, id.description])
  }

  /// Records a failed attempt, and when to try again.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - reason: The reason, without the message's content.
  ///   - now: The time now.
  ///   - next: When to try again; `nil` makes it a dead letter.
  /// - Throws: ``DatabaseFailure``.
  public func noteFailure(
    of id: Key, _ reason: String, at now: Instant, tryingAgainAt next: Instant?
  ) async throws(DatabaseFailure) {
    try await change(
      """
      UPDATE outbox SET attempts = attempts + 1, last_error = ?, due_at = coalesce(?, due_at),
        dead_at = ?
      WHERE id = ?
      """,
      [
        reason, next?.milliseconds, next == nil ? now.milliseconds : nil, id.description,
      ])
  }

  private func change(
    _ sql: String, _ arguments: StatementArguments
  ) async throws(DatabaseFailure) {
    do {
      try await write { try $0.execute(sql: sql, arguments: arguments) }
    } catch { throw DatabaseFailure(error) }
  }

  private func messages(
    where condition: String, _ arguments: StatementArguments
  ) async throws(DatabaseFailure) -> [OutboxMessage] {
    do {
      return try await read { database in
        try Row.fetchAll(
          database, sql: "SELECT * FROM outbox WHERE \(condition)", arguments: arguments
        ).compactMap(OutboxMessage.init(row:))
      }
    } catch { throw DatabaseFailure(error) }
  }
}

extension OutboxMessage {
  /// Puts the message into the outbox in the present transaction, unless it already has one with the same
  /// deduplication key.
  @discardableResult
  func insert(into database: Database) throws -> Bool {
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

  init?(row: Row) {
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
