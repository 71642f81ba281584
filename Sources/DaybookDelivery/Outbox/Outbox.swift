public import Calendar
public import DaybookAuth
public import Values

/// The messages that are to be sent, and those that were: who sends takes them out here.
///
/// A message that was put in is sent once or more, never less: it stays until it is noted as delivered or given up, also
/// when whoever took it is gone. Who receives one twice knows it by its id.
public protocol Outbox: Sendable {
  /// Puts messages in, without those whose deduplication key was put in before.
  ///
  /// - Parameter messages: The messages.
  /// - Returns: How many of them were new.
  /// - Throws: ``StoreFailure``; then none was put in.
  @discardableResult
  func put(_ messages: [OutboxMessage]) async throws(StoreFailure) -> Int

  /// Takes messages that are due, for a time: until its end nobody else is given them.
  ///
  /// - Parameters:
  ///   - limit: How many at most.
  ///   - now: The time now.
  ///   - end: When those that were neither delivered nor put off are due again.
  /// - Returns: The messages, those first that are due first.
  /// - Throws: ``StoreFailure``.
  func take(
    _ limit: Int, at now: Instant, until end: Instant
  ) async throws(StoreFailure) -> [OutboxMessage]

  /// Notes that a message was sent, and blanks what it said unless that is to be kept.
  ///
  /// - Throws: ``StoreFailure``; then it will be sent again.
  func noteDelivery(
    of message: Key, at now: Instant, keepingPayload: Bool
  ) async throws(StoreFailure)

  /// Notes that sending failed, and puts the message off.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reason: Why, without anything of what the message says.
  ///   - next: When it is due again.
  /// - Throws: ``StoreFailure``.
  func putOff(
    _ message: Key, _ reason: String, until next: Instant
  ) async throws(StoreFailure)

  /// Notes that sending failed, and gives the message up: it is a dead letter until somebody sends it again.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reason: Why, without anything of what the message says.
  ///   - now: The time now.
  /// - Throws: ``StoreFailure``.
  func bury(_ message: Key, _ reason: String, at now: Instant) async throws(StoreFailure)

  /// The messages that were given up, the latest first.
  ///
  /// - Parameter limit: How many at most.
  /// - Returns: The messages.
  /// - Throws: ``StoreFailure``.
  func deadLetters(_ limit: Int) async throws(StoreFailure) -> [OutboxMessage]

  /// Makes a dead letter a message that is due now, with all its attempts before it.
  ///
  /// - Returns: Whether there was such a dead letter.
  /// - Throws: ``StoreFailure``.
  @discardableResult
  func sendAgain(_ message: Key, at now: Instant) async throws(StoreFailure) -> Bool

  /// Forgets messages that were delivered or given up before an instant.
  ///
  /// - Returns: How many were forgotten.
  /// - Throws: ``StoreFailure``.
  @discardableResult
  func forget(settledBefore end: Instant) async throws(StoreFailure) -> Int
}

/// What a server keeps beside the book could not be read or written. Whoever keeps it tells so, once.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in one sentence that repeats nothing of what is kept.
  public let description: String

  public init(_ description: String) { self.description = description }
}
