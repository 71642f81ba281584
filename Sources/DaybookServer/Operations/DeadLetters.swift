import Calendar
public import DaybookAuth
import DaybookDelivery
import DaybookStore
import Foundation
public import Values

/// The messages that a server gave up, for whoever runs it. It may run meanwhile.
public struct DeadLetters: Sendable {
  private let outbox: DatabaseOutbox

  /// Finds those of the server of a book.
  ///
  /// - Parameter book: The book's directory.
  /// - Throws: ``SettingsError`` when nobody served that book, `DatabaseFailure` when its database cannot be read.
  public init(ofBookAt book: String) throws {
    let path = book + "/server.sqlite"
    guard FileManager.default.fileExists(atPath: path) else {
      throw SettingsError(
        "\(path) is not there: nobody has served this book. Name another by --book.")
    }
    outbox = DatabaseOutbox(try ServerDatabase(at: path))
  }

  /// The latest of them, the latest first.
  ///
  /// - Throws: `StoreFailure` when the database cannot be read.
  public func list(atMost limit: Int = 1000) async throws -> [OutboxMessage] {
    try await outbox.deadLetters(limit)
  }

  /// Whether nobody wants to read a message any more: a code that is over, a reminder of another day.
  public func isOver(_ message: OutboxMessage) -> Bool {
    message.expiry.map { $0 <= BookClock.system.now() } ?? false
  }

  /// Has the server send one as if it had never been tried: within seconds when it runs, else when it is begun.
  ///
  /// - Returns: Whether there was such a one.
  /// - Throws: `StoreFailure` when the database cannot be written.
  public func sendAgain(_ id: Key) async throws -> Bool {
    try await outbox.sendAgain(id, at: BookClock.system.now())
  }
}
