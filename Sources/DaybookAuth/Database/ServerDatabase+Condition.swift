import GRDB
import Synchronization

// The health of the database: a failure is reported once, until the database is well again.
extension ServerDatabase {
  /// The known health of the database.
  struct Health {
    /// The last failure, unless the database has been well since.
    var failure: DatabaseFailure?
    /// The failures reported since the database was last well.
    var told: Set<DatabaseFailure> = []
    /// When recovery was last checked.
    var looked: ContinuousClock.Instant?
  }

  /// Checks whether the whole database can be read and written.
  ///
  /// - Throws: ``DatabaseFailure`` that says what is wrong.
  public func check() async throws(DatabaseFailure) {
    let failure = condition.withLock { $0.failure }
    do {
      let columns = try await reading.retrying(
        {
          try await writer.read { database in
            if failure?.isDamage == true { try Self.checkPages(database) }
            return try Self.columns(in: database)
          }
        }, whileLocked: DatabaseFailure.isLock)
      if let lost = Self.columns.subtracting(columns).min() {
        throw DatabaseFailure(reason: "\(lost) is missing")
      }
      try await writing.retrying(
        {
          try await writer.write { database in
            // Beginning a transaction takes the lock; only a write shows whether there is space.
            guard failure != nil else { return }
            try database.execute(
              sql: "INSERT OR REPLACE INTO marks (name, value) VALUES ('check', '')")
          }
        }, whileLocked: DatabaseFailure.isLock)
    } catch { throw DatabaseFailure(noted(error)) }
    let wasFailing = condition.withLock { condition in
      defer { condition = Health() }
      return condition.failure != nil
    }
    if wasFailing { report(nil) }
  }

  /// The error to rethrow: a failure of the database becomes a ``DatabaseFailure`` and is reported once.
  func noted(_ error: any Error) -> any Error {
    guard let failure = DatabaseFailure(trouble: error) else { return error }
    let isNews = condition.withLock { condition in
      condition.failure = failure
      return condition.told.insert(failure).inserted
    }
    if isNews { report(failure) }
    return failure
  }

  /// Checks, at most once a second, whether a failed database is well again.
  func recheck() async {
    let isTime = condition.withLock { condition in
      let now = ContinuousClock.now
      guard condition.failure != nil, condition.looked.map({ now - $0 > .seconds(1) }) ?? true
      else { return false }
      condition.looked = now
      return true
    }
    if isTime { try? await check() }
  }

  private static func checkPages(_ database: Database) throws {
    let said = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
    if let said, said != "ok" { throw DatabaseFailure(reason: said, isDamage: true) }
  }

  /// The expected columns, each as `table.column`.
  private static let columns: Set<String> = {
    guard let empty = try? DatabaseQueue(), (try? migrations.migrate(empty)) != nil else {
      return []
    }
    return (try? empty.read { try columns(in: $0) }) ?? []
  }()

  private static func columns(in database: Database) throws -> Set<String> {
    try String.fetchSet(
      database,
      sql: """
        SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
        """)
  }
}
