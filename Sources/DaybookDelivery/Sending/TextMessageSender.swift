import Avro
public import DaybookAuth
import HTTPTypes
import Values
public import Wire

/// Sends text messages through a webhook: a service of the operator's that forwards them to a carrier.
///
/// ```
/// POST <url>   Authorization: Bearer <secret>   Idempotency-Key: <the message's id>
/// {"id":"<the message's id>","to":"+15551234567","text":"123456 is your code."}
/// ```
///
/// Any status of 200…299 means sent. 408, 409, 425, 429, and 500 and above are retried, after `Retry-After` if that
/// is given in seconds; any other status makes the message a dead letter.
public struct TextMessageSender: MessageSender {
  private let url: String
  private let secret: String
  private let outbound: any Outbound

  /// Makes a sender.
  ///
  /// - Parameters:
  ///   - url: The webhook's address: `https`, or `http` on this machine.
  ///   - secret: The bearer's secret.
  ///   - outbound: Sends requests to other servers.
  /// - Throws: ``SenderSettingsError`` for an address to which a secret must not be sent.
  public init(url: String, secret: String, outbound: any Outbound) throws(SenderSettingsError) {
    guard url.hasPrefix("https://") || Loopback.isMeant(byURL: url) else {
      throw SenderSettingsError("the address of the text message webhook must begin with https://")
    }
    guard secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw SenderSettingsError("the secret of the text message webhook must be visible ASCII")
    }
    self.url = url
    self.secret = secret
    self.outbound = outbound
  }

  /// Posts the message to the webhook.
  ///
  /// - Throws: ``SendFailure``.
  public func send(_ message: OutboxMessage) async throws(SendFailure) {
    let text = try MessageText(of: message)
    let body: JSON = [
      "id": .string(message.id.description), "to": .string(message.recipient),
      "text": .string(text.body),
    ]
    var headers: HTTPFields = [
      .authorization: "Bearer \(secret)", .contentType: "application/json; charset=utf-8",
    ]
    if let name = HTTPField.Name("Idempotency-Key") { headers[name] = message.id.description }
    let answer: WireResponse
    do throws(OutboundFailure) {
      answer = try await outbound.send(
        .post, url, headers: headers, body: Array(body.encoded.utf8))
    } catch { throw .temporary("text message webhook: no answer") }
    guard answer.status.kind != .successful else { return }
    throw SendFailure(answering: answer, "text message webhook")
  }
}

/// Invalid settings for sending messages; the server does not start with them.
public struct SenderSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, in one sentence without secrets.
  public let description: String

  public init(_ description: String) { self.description = description }
}

extension SendFailure {
  /// The failure for an unsuccessful status; busy or broken servers are tried again.
  init(answering answer: WireResponse, _ who: String, _ detail: String? = nil) {
    let status = answer.status.code
    let reason = "\(who): \(status)" + (detail.map { " \($0)" } ?? "")
    let isTemporary = [408, 409, 425, 429].contains(status) || status >= 500
    self =
      isTemporary
      ? .temporary(reason, afterSeconds: answer.headers[.retryAfter].flatMap { Int($0) })
      : .permanent(reason)
  }
}

/// Addresses of this machine, to which traffic cannot be read on the way.
enum Loopback {
  /// Whether a host is this machine.
  static func isMeant(byHost host: String) -> Bool {
    if host == "localhost" || host == "::1" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether an `http` address is on this machine.
  static func isMeant(byURL url: String) -> Bool {
    guard url.hasPrefix("http://") else { return false }
    let authority = url.dropFirst("http://".count).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { return false }
    if authority.hasPrefix("[::1]") { return true }
    return isMeant(byHost: String(authority.prefix { $0 != ":" }))
  }
}
