public import Avro
public import Calendar
public import Values
import DaybookStore

/// A message to send.
public struct OutboxMessage: Sendable, Hashable {
  /// The channel of a message.
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
  /// A key that is equal for messages of which only one may be sent.
  public var deduplicationKey: String
  /// The channel.
  public var channel: Channel
  /// A phone (E.164), an e-mail address, or a device's token.
  public var recipient: String
  /// The account that it belongs to, if any yet; erasing the account deletes it.
  public var account: Key?
  /// The name of its text: `otp`, `magiclink`, …
  public var template: String
  /// The template's values, an object.
  public var payload: JSON
  /// When it was put into the outbox.
  public var created: Instant
  /// The earliest time to send it.
  public var due: Instant
  /// The number of failed attempts.
  public var attempts = 0
  /// The reason why the last attempt failed.
  public var lastError: String?
  /// When it was sent.
  public var delivered: Instant?
  /// When it became a dead letter.
  public var dead: Instant?

  /// Makes a message.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - recipient: The recipient.
  ///   - account: The account that it belongs to: the one it is about, or the one that sends it.
  ///   - template: The name of its text.
  ///   - payload: The template's values.
  ///   - created: The time now.
  ///   - due: The earliest time to send it; now by default.
  ///   - deduplicationKey: A key that is equal for messages of which only one may be sent; the message's id by
  ///     default.
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
