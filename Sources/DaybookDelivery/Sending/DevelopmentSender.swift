public import DaybookAuth

/// Sends nothing: messages count as delivered, and what they say stays in the outbox, where developers read it. Never
/// for people.
public struct DevelopmentSender: MessageSender {
  /// Codes are read from the outbox.
  public var keepsPayload: Bool { true }

  /// Makes one.
  public init() {}

  /// Does nothing.
  public func send(_ message: OutboxMessage) async throws(SendFailure) {}
}
