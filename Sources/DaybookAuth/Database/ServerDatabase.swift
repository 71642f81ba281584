import Foundation
import GRDB

/// What a server keeps beside the book: secrets of accounts, sessions, and messages that are to be sent.
///
/// It is one SQLite file, `server.sqlite`, in WAL mode. Nothing that people did is in it: whoever loses it signs in
/// again, and finds everything. The tables are made, and brought up to date, on opening.
public final class ServerDatabase: Sendable {
  let writer: any DatabaseWriter

  /// Opens the database at a path, and makes it when nothing is there.
  ///
  /// - Throws: ``DatabaseFailure`` when the file cannot be opened, or is no database of this server's.
  public init(at path: String) throws(DatabaseFailure) {
    do {
      // Only who runs the server may read it; SQLite gives the files beside it the same permissions.
      if !FileManager.default.fileExists(atPath: path) {
        _ = FileManager.default.createFile(
          atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      }
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      // What is deleted is overwritten: who was erased is not to be found in pages that are free.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
      writer = try DatabasePool(path: path, configuration: configuration)
      try Self.migrations.migrate(writer)
    } catch { throw DatabaseFailure(error) }
  }

  /// Makes a database in memory, which is gone with its last holder: for tests and previews.
  ///
  /// - Throws: ``DatabaseFailure``.
  public init() throws(DatabaseFailure) {
    do {
      writer = try DatabaseQueue()
      try Self.migrations.migrate(writer)
    } catch { throw DatabaseFailure(error) }
  }

  /// Reads, as of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writer.read { try body($0) }
  }

  /// Changes, all of it or nothing: what `body` throws, nothing of it is kept.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await writer.write { try body($0) }
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
    _ = try? await writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }
}

/// The server's database could not be opened, read or written.
public struct DatabaseFailure: Error, Sendable, CustomStringConvertible {
  /// What SQLite says; it repeats no values.
  public let description: String

  init(_ error: any Error) {
    if let error = error as? DatabaseError {
      let name = String(describing: error.extendedResultCode)
      description = "server.sqlite: \(name): \(error.message ?? "no message")"
    } else {
      description = "server.sqlite: \(type(of: error))"
    }
  }
}
