import Foundation
package import GRDB
import Synchronization

/// The server's database beside the book: secrets of accounts, sessions, and messages to send.
///
/// It is one SQLite file, `server.sqlite`, in WAL mode. It holds nothing that people recorded: whoever loses it
/// signs in again, and finds everything. Opening it creates or migrates the tables.
public final class ServerDatabase: Sendable {
  let writer: any DatabaseWriter
  let (reading, writing) = (LockWait(), LockWait())
  let condition = Mutex(Health())
  let report: @Sendable (DatabaseFailure?) -> Void

  /// Opens the database at a path, or creates it; waits for a lock of another process.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - report: Receives each failure once, and `nil` when all is well again.
  /// - Throws: ``DatabaseFailure`` if the file cannot be opened, or is not a database of this server.
  public init(
    at path: String, report: @escaping @Sendable (DatabaseFailure?) -> Void = { _ in }
  ) throws(DatabaseFailure) {
    self.report = report
    do {
      // Only the server's user may read it; SQLite gives the files beside it the same permissions.
      if !FileManager.default.fileExists(atPath: path) {
        _ = FileManager.default.createFile(
          atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      // Deleted content is overwritten, so that no data of an erased account remains in free pages.
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA secure_delete = ON")
        if database.configuration.readonly { try database.execute(sql: Self.noWait) }
      }
      writer = try DatabasePool(path: path, configuration: configuration)
      try Self.migrations.migrate(writer)
      try writer.writeWithoutTransaction { try $0.execute(sql: Self.noWait) }
    } catch { throw DatabaseFailure(error) }
  }

  /// An open database never waits inside SQLite, where it would block others; ``LockWait`` does the
  /// waiting.
  private static let noWait = "PRAGMA busy_timeout = 0"

  /// Makes a database in memory for tests and previews; it ends with its last reference.
  ///
  /// - Throws: ``DatabaseFailure``.
  public init() throws(DatabaseFailure) {
    report = { _ in }
    do {
      writer = try DatabaseQueue()
      try Self.migrations.migrate(writer)
    } catch { throw DatabaseFailure(error) }
  }

  /// Reads a consistent snapshot.
  ///
  /// - Throws: ``DatabaseFailure`` for a failure of the database, or what `body` throws.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      return try await reading.retrying(
        { try await writer.read { try body($0) } }, whileLocked: DatabaseFailure.isLock)
    } catch { throw noted(error) }
  }

  /// Writes in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: ``DatabaseFailure`` for a failure of the database, or what `body` throws.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      let value = try await writing.retrying(
        { try await writer.write { try body($0) } }, whileLocked: DatabaseFailure.isLock)
      await recheck()
      return value
    } catch { throw noted(error) }
  }

  /// Whether a mark equals the one stored under a name; if there is none, it is stored.
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

  /// Checkpoints the write-ahead log and truncates it. While others read, part of the log stays until the next
  /// time.
  func emptyLog() async {
    _ = try? await writing.retrying(
      { try await writer.writeWithoutTransaction { try $0.checkpoint(.truncate) } },
      whileLocked: DatabaseFailure.isLock)
  }
}
