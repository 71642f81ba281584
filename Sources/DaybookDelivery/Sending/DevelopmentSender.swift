public import DaybookAuth

/// Sends nothing: messages count as delivered, and their content stays in the outbox for developers to read. Never
/// in production.
public struct DevelopmentSender: MessageSender {
  /// Codes are read from the outbox.
  public var keepsPayload: Bool { true }

  /// Makes one.
  public init() {}

  /// Does nothing.
  public func send(_ message: OutboxMessage) async throws(SendFailure) {}
}
