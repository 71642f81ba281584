public import DaybookAuth

/// A sender of one channel: mail, text messages, or pushes.
public protocol MessageSender: Sendable {
  /// Whether a sent message keeps its content.
  var keepsPayload: Bool { get }

  /// Sends a message. It may be called again for a message that was sent, which then has the same id.
  ///
  /// - Parameter message: The message.
  /// - Throws: ``SendFailure`` if the message was not sent, or if that is unknown.
  func send(_ message: OutboxMessage) async throws(SendFailure)
}

extension MessageSender {
  /// By default, a sent message loses its content, which is no longer needed.
  public var keepsPayload: Bool { false }
}

/// A message was not sent, or may not have been sent.
public struct SendFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether trying again helps.
  public enum Kind: Hashable, Sendable {
    /// It may help, after so many seconds if they are given.
    case temporary(afterSeconds: Int?)
    /// It does not help.
    case permanent
  }

  /// Whether trying again helps.
  public var kind: Kind
  /// The reason: codes and statuses, without the message's content or recipient.
  public var reason: String

  /// The reason, such as "SMTP 550 5.1.1".
  public var description: String { reason }

  /// A failure after which trying again may help.
  public static func temporary(_ reason: String, afterSeconds: Int? = nil) -> SendFailure {
    SendFailure(kind: .temporary(afterSeconds: afterSeconds), reason: reason)
  }

  /// A failure after which trying again does not help.
  public static func permanent(_ reason: String) -> SendFailure {
    SendFailure(kind: .permanent, reason: reason)
  }
}
