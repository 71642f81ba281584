public import Calendar
public import DaybookAuth
public import Values

/// The queue of messages to send, with those that were sent.
///
/// A message is sent at least once: it stays until it is recorded as delivered or as a dead letter, even if the
/// worker that leased it dies. A recipient of a duplicate can recognise it by its id.
public protocol Outbox: Sendable {
  /// Puts messages into the outbox, except those whose deduplication key it already has.
  ///
  /// - Parameter messages: The messages.
  /// - Returns: The number of new messages.
  /// - Throws: ``StoreFailure``; then no message was put in.
  @discardableResult
  func enqueue(_ messages: [OutboxMessage]) async throws(StoreFailure) -> Int

  /// Leases due messages: until the lease ends, nobody else receives them.
  ///
  /// - Parameters:
  ///   - limit: The most messages.
  ///   - now: The time now.
  ///   - end: The end of the lease, when messages that were neither delivered nor postponed are due
  ///     again.
  /// - Returns: The messages, earliest due first.
  /// - Throws: ``StoreFailure``.
  func lease(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(StoreFailure) -> [OutboxMessage]

  /// Records that a message was sent, and erases its content unless it is to be kept.
  ///
  /// - Throws: ``StoreFailure``; then the message will be sent again.
  func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) async throws(StoreFailure)

  /// Records a failed attempt and postpones the message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reason: The reason, without the message's content.
  ///   - next: When the message is due again.
  /// - Throws: ``StoreFailure``.
  func postpone(
    _ message: Key, _ reason: String, until next: Instant
  ) async throws(StoreFailure)

  /// Records a failed attempt and makes the message a dead letter, until somebody sends it again.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reason: The reason, without the message's content.
  ///   - now: The time now.
  /// - Throws: ``StoreFailure``.
  func bury(_ message: Key, _ reason: String, at now: Instant) async throws(StoreFailure)

  /// The dead letters, newest first.
  ///
  /// - Parameter limit: The most messages.
  /// - Returns: The messages.
  /// - Throws: ``StoreFailure``.
  func deadLetters(_ limit: Int) async throws(StoreFailure) -> [OutboxMessage]

  /// Makes a dead letter due now, with all its attempts ahead of it.
  ///
  /// - Returns: Whether there was such a dead letter.
  /// - Throws: ``StoreFailure``.
  @discardableResult
  func sendAgain(_ message: Key, at now: Instant) async throws(StoreFailure) -> Bool

  /// Deletes messages that were delivered or became dead letters before an instant.
  ///
  /// - Returns: The number of deleted messages.
  /// - Throws: ``StoreFailure``.
  @discardableResult
  func forget(settledBefore end: Instant) async throws(StoreFailure) -> Int
}

/// A failure to read or write the server's database beside the book. The database itself reports it, once.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in one sentence without stored data.
  public let description: String

  public init(_ description: String) { self.description = description }
}
