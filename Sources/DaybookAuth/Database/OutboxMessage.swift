public import Avro
public import Calendar
public import Values
import DaybookStore

/// A message that is to be sent.
public struct OutboxMessage: Sendable, Hashable {
  /// By what a message goes.
  public enum Channel: String, Sendable, CaseIterable {
    /// A text message to a phone.
    case sms
    /// A mail.
    case email
    /// A push notification to a device.
    case push
  }

  /// The message's own name.
  public var id: Key
  /// What is the same for what must be sent once only.
  public var deduplicationKey: String
  /// By what it goes.
  public var channel: Channel
  /// A phone (E.164), an e-mail address, or a device's token.
  public var recipient: String
  /// Whose it is, if it is anybody's yet: it goes when they are erased.
  public var account: Key?
  /// What it says, by name: `otp`, `magiclink`, …
  public var template: String
  /// What the template needs, an object.
  public var payload: JSON
  /// When it was put in.
  public var created: Instant
  /// Not to be sent before.
  public var due: Instant
  /// How often sending failed.
  public var attempts = 0
  /// Why the last attempt failed.
  public var lastError: String?
  /// When it was sent.
  public var delivered: Instant?
  /// When it was given up.
  public var dead: Instant?

  /// Makes a message.
  ///
  /// - Parameters:
  ///   - channel: By what it goes.
  ///   - recipient: To whom.
  ///   - account: Whose it is: of whom something is told, or who has it sent.
  ///   - template: What it says.
  ///   - payload: What the template needs.
  ///   - created: The time now.
  ///   - due: Not to be sent before; at once unless given.
  ///   - deduplicationKey: What is the same for what must be sent once only; the message's own name unless given.
  public init(
    _ channel: Channel, to recipient: String, of account: Key? = nil, template: String,
    payload: JSON, created: Instant, due: Instant? = nil, deduplicationKey: String? = nil
  ) {
    let id = Key()
    self.id = id
    self.deduplicationKey = deduplicationKey ?? id.description
    self.channel = channel
    self.recipient = recipient
    self.account = account
    self.template = template
    self.payload = payload
    self.created = created
    self.due = due ?? created
  }
}
