import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookStore
import HTTPTypes
import Logging
import Values
import Wire

/// Puts a mail that an app requests into the outbox: to the caller's own address or, with an open template, to
/// anybody (DG-10).
///
/// ```
/// {"subject":"Your week","text":"Five days of seven."}       or "body", "message", "html"
/// {"template":"welcome","data":{"name":"Ada"}}               with "to" where the template is open
/// ```
struct MailRequest: Sendable {
  private let outbox: any Outbox
  private let settings: FunctionSettings
  private let logger: Logger
  private let emailOf: @Sendable (Key) async -> String?
  private let limit: HourlyLimit

  init(
    _ outbox: any Outbox, _ settings: FunctionSettings, _ logger: Logger,
    _ emailOf: @escaping @Sendable (Key) async -> String?
  ) {
    self.outbox = outbox
    self.settings = settings
    self.logger = logger
    self.emailOf = emailOf
    limit = HourlyLimit(settings.mailsPerHour)
  }

  /// Answers `{"id": …}`, the message's id.
  func answer(
    _ body: JSON, _ request: WireRequest, for caller: EdgeFunctions.FunctionCaller
  ) async -> WireResponse {
    let named = body["template"]?.text
    let template = named ?? "note"
    let payload: JSON
    if named == nil {
      guard let note = Self.note(body) else {
        return .functionRefusal(
          .badRequest, "subject and text are required; a subject is one line.")
      }
      payload = note
    } else {
      payload = body["data"] ?? [:]
    }
    guard payload.members != nil, named == nil || Self.templates.contains(template),
      (try? MessageText(of: message("", template, payload))) != nil
    else {
      return .functionRefusal(
        .badRequest, "There is no such template, or data lacks a value that it needs.")
    }
    let own = await emailOf(caller.key)
    let asked: String?
    switch Self.recipients(body) {
    case []: asked = nil
    case let addresses? where addresses.count == 1: asked = addresses[0].lowercased()
    default: return .functionRefusal(.badRequest, "to must be one e-mail address.")
    }
    guard let recipient = asked ?? own else {
      return .functionRefusal(.badRequest, "The account has no e-mail address.")
    }
    let isOwn = recipient == own?.lowercased()
    guard isOwn || named != nil && settings.openTemplates.contains(template) else {
      return .functionRefusal(.forbidden, "Mails can go only to your own address.")
    }
    guard MailAddress(recipient) != nil else {
      return .functionRefusal(.badRequest, "to is not an e-mail address.")
    }
    return await put(message(recipient, template, payload), request, caller)
  }

  /// The templates that an app may name; those with codes are reserved for sign-in.
  private static let templates: Set<String> = ["welcome"]

  private func message(_ recipient: String, _ template: String, _ payload: JSON) -> OutboxMessage {
    OutboxMessage(
      .email, to: recipient, template: template, payload: payload, created: settings.now())
  }

  private func put(
    _ message: OutboxMessage, _ request: WireRequest, _ caller: EdgeFunctions.FunctionCaller
  ) async -> WireResponse {
    guard limit.takes(caller.key, at: settings.now()) else {
      var answer = WireResponse.functionRefusal(
        .tooManyRequests, "Too many mails; try again in an hour.")
      answer.headers[.retryAfter] = "3600"
      return answer
    }
    var message = message
    message.account = caller.key
    if let name = HTTPField.Name("Idempotency-Key"), let repeated = request.headers[name] {
      // A repeated call is answered with the mail of the first one.
      message.id = Key(derivedFrom: ["send-email", caller.key.description, repeated])
      message.deduplicationKey = "send-email:\(message.id)"
    }
    do throws(StoreFailure) { try await outbox.enqueue([message]) } catch {
      logger.debug("mail not queued", metadata: ["reason": "\(error)"])
      var answer = WireResponse.functionRefusal(
        .serviceUnavailable, "The mail could not be taken; try again in a moment.")
      answer.headers[.retryAfter] = "1"
      return answer
    }
    return WireResponse(.ok, ["id": .string(message.id.description)])
  }

  /// The recipients that an app requests: one address, or a list of them; empty if none is given, `nil` if the
  /// value is invalid.
  private static func recipients(_ body: JSON) -> [String]? {
    guard let value = body["to"], value != .null else { return [] }
    if let address = value.text { return [address] }
    guard let elements = value.elements else { return nil }
    let addresses = elements.compactMap(\.text)
    return addresses.count == elements.count ? addresses : nil
  }

  private static func note(_ body: JSON) -> JSON? {
    guard let subject = body["subject"]?.text, !subject.isEmpty,
      subject.unicodeScalars.count <= 200,
      !subject.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    let text = ["text", "body", "message"].lazy.compactMap { body[$0]?.text }.first
    let texts = [("text", text), ("html", body["html"]?.text)].compactMap { name, text in
      text.map { JSON.Member(name, .string($0)) }
    }
    guard !texts.isEmpty else { return nil }
    return .object([.init("subject", .string(subject))] + texts)
  }
}
