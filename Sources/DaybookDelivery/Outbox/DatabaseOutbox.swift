public import Calendar
public import DaybookAuth
import GRDB
public import Values

/// The outbox in a server's database, with the other data of delivery.
///
/// A message that is being sent becomes due again when its lease ends, so a message whose worker died is sent again
/// by itself.
public struct DatabaseOutbox: Outbox, DueProgressStore {
  private let database: ServerDatabase

  /// Uses a database.
  public init(_ database: ServerDatabase) { self.database = database }

  /// Puts messages into the outbox in one transaction, except those whose deduplication key it
  /// already has.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func enqueue(_ messages: [OutboxMessage]) async throws(StoreFailure) -> Int {
    try await write { database in try messages.count { try $0.insert(into: database) } }
  }

  /// Leases due messages for a time.
  ///
  /// - Throws: ``StoreFailure``.
  public func lease(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(StoreFailure) -> [OutboxMessage] {
    try await write { database in
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
  }

  /// Records that a message was sent. Its content is erased unless it is to be kept, because a delivered code is no
  /// longer needed here.
  ///
  /// - Throws: ``StoreFailure``.
  public func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) async throws(StoreFailure) {
    try await change(
      """
      UPDATE outbox SET delivered_at = ?, attempts = attempts + 1, last_error = NULL,
        payload = CASE WHEN ? THEN payload ELSE '{}' END
      WHERE id = ?
      """, [now.milliseconds, keepingPayload, message.description])
  }

  /// Records a failed attempt and postpones the message.
  ///
  /// - Throws: ``StoreFailure``.
  public func postpone(
    _ message: Key, _ reason: String, until next: Instant
  ) async throws(StoreFailure) {
    try await change(
      """
      UPDATE outbox SET attempts = attempts + 1, last_error = ?, due_at = ?, dead_at = NULL
      WHERE id = ?
      """, [reason, next.milliseconds, message.description])
  }

  /// Records a failed attempt and makes the message a dead letter.
  ///
  /// - Throws: ``StoreFailure``.
  public func bury(
    _ message: Key, _ reason: String, at now: Instant
  ) async throws(StoreFailure) {
    try await change(
      "UPDATE outbox SET attempts = attempts + 1, last_error = ?, dead_at = ? WHERE id = ?",
      [reason, now.milliseconds, message.description])
  }

  /// The dead letters, newest first.
  ///
  /// - Throws: ``StoreFailure``.
  public func deadLetters(_ limit: Int) async throws(StoreFailure) -> [OutboxMessage] {
    try await read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM outbox WHERE dead_at IS NOT NULL AND delivered_at IS NULL
          ORDER BY dead_at DESC, rowid DESC LIMIT ?
          """, arguments: [max(0, limit)]
      ).compactMap(OutboxMessage.init(row:))
    }
  }

  /// Makes a dead letter due again, as if it had never been tried.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func sendAgain(_ message: Key, at now: Instant) async throws(StoreFailure) -> Bool {
    try await change(
      """
      UPDATE outbox SET dead_at = NULL, due_at = ?, attempts = 0
      WHERE id = ? AND dead_at IS NOT NULL AND delivered_at IS NULL
      """, [now.milliseconds, message.description]) > 0
  }

  /// Deletes messages that were delivered or became dead letters before an instant.
  ///
  /// - Throws: ``StoreFailure``.
  @discardableResult
  public func forget(settledBefore end: Instant) async throws(StoreFailure) -> Int {
    try await change(
      "DELETE FROM outbox WHERE coalesce(delivered_at, dead_at) < ?", [end.milliseconds])
  }

  /// The scheduler's progress.
  ///
  /// - Throws: ``StoreFailure``.
  public func progress() async throws(StoreFailure) -> DueProgress? {
    try await read { database in
      try Row.fetchOne(
        database, sql: "SELECT position, at FROM progress WHERE work = ?",
        arguments: [Self.schedule]
      ).map { DueProgress(position: $0["position"], at: Instant(clamping: $0["at"])) }
    }
  }

  /// Saves the scheduler's progress.
  ///
  /// - Throws: ``StoreFailure``.
  public func save(_ progress: DueProgress) async throws(StoreFailure) {
    try await change(
      "INSERT OR REPLACE INTO progress (work, position, at) VALUES (?, ?, ?)",
      [Self.schedule, progress.position, progress.at.milliseconds])
  }

  private static let schedule = "schedule"

  /// Executes a statement and returns the number of rows that it changed.
  @discardableResult
  private func change(
    _ sql: String, _ arguments: StatementArguments
  ) async throws(StoreFailure) -> Int {
    try await write { database in
      try database.execute(sql: sql, arguments: arguments)
      return database.changesCount
    }
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreFailure) -> Value {
    do { return try await database.read(body) } catch { throw StoreFailure(error) }
  }

  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreFailure) -> Value {
    do { return try await database.write(body) } catch { throw StoreFailure(error) }
  }
}

extension StoreFailure {
  fileprivate init(_ error: any Error) { self.init(DatabaseFailure(error).description) }
}
