import GRDB
import Synchronization

// Whether the database is well: what fails in it is told once, until it is well again.
extension ServerDatabase {
  /// What is known of how it is.
  struct Condition {
    /// What failed last, unless it has been found well since.
    var failure: DatabaseFailure?
    /// Which failures were told since it was well.
    var told: Set<DatabaseFailure> = []
    /// When it was last looked whether it is well again.
    var looked: ContinuousClock.Instant?
  }

  /// Finds out whether everything in the database can be read and written.
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
            // To begin takes the lock. Whether there is room, only what is written tells.
            guard failure != nil else { return }
            try database.execute(
              sql: "INSERT OR REPLACE INTO marks (name, value) VALUES ('check', '')")
          }
        }, whileLocked: DatabaseFailure.isLock)
    } catch { throw DatabaseFailure(noted(error)) }
    let wasFailing = condition.withLock { condition in
      defer { condition = Condition() }
      return condition.failure != nil
    }
    if wasFailing { report(nil) }
  }

  /// An error as it is thrown on: trouble of the database as a ``DatabaseFailure``, which is told once.
  func noted(_ error: any Error) -> any Error {
    guard let failure = DatabaseFailure(trouble: error) else { return error }
    let isNews = condition.withLock { condition in
      condition.failure = failure
      return condition.told.insert(failure).inserted
    }
    if isNews { report(failure) }
    return failure
  }

  /// Looks whether the database is well again where something failed, once a second.
  func lookAgain() async {
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

  /// The columns that there are to be, each as `table.column`.
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
