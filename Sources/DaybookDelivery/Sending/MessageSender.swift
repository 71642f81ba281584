public import DaybookAuth

/// A way by which messages go: mail, text messages, pushes.
public protocol MessageSender: Sendable {
  /// Whether what a message said stays readable once it was sent.
  var keepsPayload: Bool { get }

  /// Sends a message. It may be asked again for one that it has sent: the message then has the same id.
  ///
  /// - Parameter message: The message.
  /// - Throws: ``SendFailure`` when it was not sent, or when that is not known.
  func send(_ message: OutboxMessage) async throws(SendFailure)
}

extension MessageSender {
  /// What was sent is nobody's business here any more.
  public var keepsPayload: Bool { false }
}

/// A message was not sent, or it is not known whether it was.
public struct SendFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether trying again helps.
  public enum Kind: Hashable, Sendable {
    /// It may: not before so many seconds, if that is said.
    case temporary(afterSeconds: Int?)
    /// It does not.
    case permanent
  }

  /// Whether trying again helps.
  public var kind: Kind
  /// Why: codes and statuses, nothing of what the message says, nor to whom.
  public var reason: String

  /// "SMTP 550 5.1.1".
  public var description: String { reason }

  /// Something that trying again may help.
  public static func temporary(_ reason: String, afterSeconds: Int? = nil) -> SendFailure {
    SendFailure(kind: .temporary(afterSeconds: afterSeconds), reason: reason)
  }

  /// Something that trying again does not help.
  public static func permanent(_ reason: String) -> SendFailure {
    SendFailure(kind: .permanent, reason: reason)
  }
}
