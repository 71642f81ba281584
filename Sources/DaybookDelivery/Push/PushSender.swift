import Avro
public import Calendar
import Crypto
import Daybook
public import DaybookAuth
public import DaybookStore
import HTTPTypes
import Values
public import Wire

/// Sends pushes through Apple's push service (APNs) over HTTP/2.
///
/// A push goes to a device only while the device belongs to the account and the account wants notifications. A
/// device that the service no longer knows is removed from its account by a command.
public struct PushSender: MessageSender {
  private let book: Book
  private let settings: PushSettings
  private let token: ProviderToken
  private let outbound: any Outbound
  private let now: @Sendable () -> Instant

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - book: The book of devices.
  ///   - settings: The credentials at the service.
  ///   - outbound: Sends requests to other servers, over HTTP/2.
  ///   - now: The time now.
  /// - Throws: ``SenderSettingsError`` for an invalid key.
  public init(
    _ book: Book, _ settings: PushSettings, outbound: any Outbound,
    now: @escaping @Sendable () -> Instant
  ) throws(SenderSettingsError) {
    self.book = book
    self.settings = settings
    self.outbound = outbound
    self.now = now
    token = try ProviderToken(settings)
  }

  /// Sends the push.
  ///
  /// - Throws: ``SendFailure``.
  public func send(_ message: OutboxMessage) async throws(SendFailure) {
    guard let (account, device) = device(for: message) else {
      throw .permanent(
        "APNs: the device is not the account's, or the account wants no notifications")
    }
    let bearer = try token.text(at: now())
    let site = device.environment == .prod ? settings.productionURL : settings.sandboxURL
    let body = try body(of: message)
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(
        .post, "\(site)/3/device/\(Self.pathPiece(device.token))",
        headers: headers(of: message, bearer), body: Array(body.encoded.utf8))
    } catch { throw .temporary("APNs: no answer") }
    guard answer.status != .ok else { return }
    let said = try? JSON(parsing: answer.body)
    try await handle(
      PushRefusal(answer, said), device, of: account, failure: bearer)
  }

  /// The device of the message, while its account may receive pushes there.
  private func device(for message: OutboxMessage) -> (Account.ID, Account.Device)? {
    guard let key = message.payload["account"]?.text.flatMap({ Key($0) }) else { return nil }
    return book.read { state in
      guard let number = state.accounts.number(of: key), let account = state.accounts[number],
        !account.isErased, account.notifications.isOn,
        let device = account.devices.first(where: { $0.token == message.recipient })
      else { return nil }
      return (number, device)
    }
  }

  private func headers(of message: OutboxMessage, _ bearer: String) -> HTTPFields {
    var headers: HTTPFields = [
      .authorization: "bearer \(bearer)", .contentType: "application/json",
    ]
    let seconds = message.expiry.map { max(0, $0.milliseconds / 1000) } ?? 0
    // At most 64 bytes; equal for pushes that replace one another while in transit.
    let subject = message.payload["id"]?.text ?? message.deduplicationKey
    let collapse = SHA256.hash(data: Array(subject.utf8)).map(Self.digits).joined()
    let fields = [
      ("apns-topic", settings.topic), ("apns-id", message.id.description),
      ("apns-collapse-id", collapse), ("apns-expiration", String(seconds)),
      ("apns-push-type", "alert"), ("apns-priority", "10"),
    ]
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }

  private func body(of message: OutboxMessage) throws(SendFailure) -> JSON {
    let text = try MessageText(of: message)
    let about = message.payload["hive_id"] ?? message.payload["habit_id"] ?? .null
    var aps: [JSON.Member] = [
      .init("alert", ["title": .string(text.title), "body": .string(text.body)]),
      .init("sound", "default"),
    ]
    if about != .null { aps.append(.init("thread-id", about)) }
    var members: [JSON.Member] = [
      .init("aps", .object(aps)), .init("type", .string(message.template)),
    ]
    for name in ["habit_id", "hive_id", "day"] {
      if let value = message.payload[name] { members.append(.init(name, value)) }
    }
    return .object(members)
  }

  private func handle(
    _ refusal: PushRefusal, _ device: Account.Device, of account: Account.ID,
    failure bearer: String
  ) async throws(SendFailure) -> Never {
    switch refusal.meaning {
    case .staleToken:
      token.forget(bearer)
      throw .temporary(refusal.failure.reason)
    case .deviceIsGone(let since):
      // The device may have been registered again since the service dropped it.
      if let since, since < device.updated { throw .temporary(refusal.failure.reason) }
      do {
        try await book.record(UnregisterDevice(token: device.token), by: account)
      } catch { throw .temporary("\(refusal.failure.reason); the device cannot be taken off") }
      throw .permanent(refusal.failure.reason)
    case .other: throw refusal.failure
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }

  /// A token as one component of a path, encoded so that it cannot lead elsewhere.
  private static func pathPiece(_ token: String) -> String {
    var piece = ""
    for byte in token.utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80, scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) {
        piece.unicodeScalars.append(scalar)
      } else {
        piece += "%" + digits(byte)
      }
    }
    return piece
  }
}

/// A refusal by the push service.
struct PushRefusal {
  enum RefusalMeaning: Equatable {
    /// The server's token is too old or unknown; a new one may work.
    case staleToken
    /// The device no longer has the app, since an instant if that is given.
    case deviceIsGone(since: Instant?)
    /// As the status says.
    case other
  }

  let meaning: RefusalMeaning
  let failure: SendFailure

  init(_ answer: WireResponse, _ body: JSON?) {
    // Reasons are words like "BadDeviceToken"; any other text is not repeated.
    let reason = body?["reason"]?.text.flatMap { text in
      text.utf8.count <= 64 && text.utf8.allSatisfy { (0x41...0x7A).contains($0) } ? text : nil
    }
    failure = SendFailure(answering: answer, "APNs", reason)
    switch (answer.status.code, reason) {
    case (403, "ExpiredProviderToken"), (403, "InvalidProviderToken"): meaning = .staleToken
    case (410, _):
      let since = body?["timestamp"]?.integer.map { Instant(clamping: Int64($0)) }
      meaning = .deviceIsGone(since: since)
    case (_, "BadDeviceToken"), (_, "Unregistered"): meaning = .deviceIsGone(since: nil)
    default: meaning = .other
    }
  }
}
