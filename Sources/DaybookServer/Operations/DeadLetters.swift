import Calendar
public import DaybookAuth
import DaybookDelivery
import DaybookStore
import Foundation
public import Values

/// The dead letters of a server: messages that it gave up on. The server may run meanwhile.
public struct DeadLetters: Sendable {
  private let outbox: DatabaseOutbox

  /// Opens the dead letters of the server of a book.
  ///
  /// - Parameter book: The book's directory.
  /// - Throws: ``SettingsError`` if the book was never served, `DatabaseFailure` if its database cannot be read.
  public init(ofBookAt book: String) throws {
    let path = book + "/server.sqlite"
    guard FileManager.default.fileExists(atPath: path) else {
      throw SettingsError(
        "\(path) does not exist: this book was never served. Name another with --book.")
    }
    outbox = DatabaseOutbox(try ServerDatabase(at: path))
  }

  /// The most recent dead letters, newest first.
  ///
  /// - Throws: `StoreFailure` if the database cannot be read.
  public func list(atMost limit: Int = 1000) async throws -> [OutboxMessage] {
    try await outbox.deadLetters(limit)
  }

  /// Whether a message is out of date: an expired code, or a reminder of another day.
  public func isOver(_ message: OutboxMessage) -> Bool {
    message.expiry.map { $0 <= BookClock.system.now() } ?? false
  }

  /// Requeues a message as if it had never been tried. The server sends it within seconds if it runs, or once it
  /// starts.
  ///
  /// - Returns: Whether there was such a message.
  /// - Throws: `StoreFailure` if the database cannot be written.
  public func sendAgain(_ id: Key) async throws -> Bool {
    try await outbox.sendAgain(id, at: BookClock.system.now())
  }
}
