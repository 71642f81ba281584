import Foundation
import GRDB
import Synchronization

/// What a server keeps beside the book: secrets of accounts, sessions, and messages that are to be sent.
///
/// It is one SQLite file, `server.sqlite`, in WAL mode. Nothing that people did is in it: whoever loses it signs in
/// again, and finds everything. The tables are made, and brought up to date, on opening.
public final class ServerDatabase: Sendable {
  let writer: any DatabaseWriter
  let (reading, writing) = (LockWait(), LockWait())
  let condition = Mutex(Condition())
  let report: @Sendable (DatabaseFailure?) -> Void

  /// Opens the database at a path, and makes it when nothing is there. Another process that has it locked is waited for.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - report: Is told once what fails, and with nothing when all is well again.
  /// - Throws: ``DatabaseFailure`` when the file cannot be opened, or is no database of this server's.
  public init(
    at path: String, report: @escaping @Sendable (DatabaseFailure?) -> Void = { _ in }
  ) throws(DatabaseFailure) {
    self.report = report
    do {
      // Only who runs the server may read it; SQLite gives the files beside it the same permissions.
      if !FileManager.default.fileExists(atPath: path) {
        _ = FileManager.default.createFile(
          atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      // What is deleted is overwritten: who was erased is not to be found in pages that are free.
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA secure_delete = ON")
        if database.configuration.readonly { try database.execute(sql: Self.noWait) }
      }
      writer = try DatabasePool(path: path, configuration: configuration)
      try Self.migrations.migrate(writer)
      try writer.writeWithoutTransaction { try $0.execute(sql: Self.noWait) }
    } catch { throw DatabaseFailure(error) }
  }

  /// Once it is open nobody waits in SQLite, and holds up those behind them: ``LockWait`` does it.
  private static let noWait = "PRAGMA busy_timeout = 0"

  /// Makes a database in memory, which is gone with its last holder: for tests and previews.
  ///
  /// - Throws: ``DatabaseFailure``.
  public init() throws(DatabaseFailure) {
    report = { _ in }
    do {
      writer = try DatabaseQueue()
      try Self.migrations.migrate(writer)
    } catch { throw DatabaseFailure(error) }
  }

  /// Reads, as of one moment.
  ///
  /// - Throws: ``DatabaseFailure`` where the database is in trouble, or what `body` throws.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await reading.retrying(
        { try await writer.read { try body($0) } }, whileLocked: DatabaseFailure.isLock)
    } catch { throw noted(error) }
  }

  /// Changes, all of it or nothing: what `body` throws, nothing of it is kept.
  ///
  /// - Throws: ``DatabaseFailure`` where the database is in trouble, or what `body` throws.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      let value = try await writing.retrying(
        { try await writer.write { try body($0) } }, whileLocked: DatabaseFailure.isLock)
      await lookAgain()
      return value
    } catch { throw noted(error) }
  }

  /// Whether a mark is the one that is kept under a name; where there is none yet, it is kept from now on.
  ///
  /// - Throws: ``DatabaseFailure``.
  public func keeps(_ mark: String, as name: String) async throws(DatabaseFailure) -> Bool {
    do {
      return try await write { database in
        try database.execute(
          sql: "INSERT OR IGNORE INTO marks (name, value) VALUES (?, ?)", arguments: [name, mark])
        let kept = try String.fetchOne(
          database, sql: "SELECT value FROM marks WHERE name = ?", arguments: [name])
        return kept == mark
      }
    } catch { throw DatabaseFailure(error) }
  }

  /// Brings what was written into the database's own file, and empties the log before it. While others read, some of it
  /// stays there until the next time.
  func emptyLog() async {
    _ = try? await writing.retrying(
      { try await writer.writeWithoutTransaction { try $0.checkpoint(.truncate) } },
      whileLocked: DatabaseFailure.isLock)
  }
}
