import Avro
import Calendar
import DaybookAuth
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookDelivery

@Suite(.tags(.unit)) struct TextTests {
  private let clock = HandClock()

  private func sms() -> OutboxMessage {
    message(.sms, to: "+15551234567", template: "otp", at: clock.now)
  }

  @Test func `a text message goes to the webhook with its id (HH-2)`() async throws {
    let outbound = ScriptedOutbound(.success(WireResponse(.accepted)))
    let sms = sms()
    try await TextMessageSender(
      url: "https://sms.example.org/send", secret: "s3cret", outbound: outbound
    ).send(sms)
    let request = try #require(outbound.requests.first)
    #expect(request.url == "https://sms.example.org/send")
    #expect(request.header("authorization") == "Bearer s3cret")
    #expect(request.header("idempotency-key") == sms.id.description)
    #expect(
      request.json == [
        "id": .string(sms.id.description), "to": "+15551234567",
        "text": "123456 is your code to sign in.",
      ])
  }

  @Test(
    arguments: [
      (HTTPResponse.Status.internalServerError, SendFailure.temporary("text message webhook: 500")),
      (.tooManyRequests, .temporary("text message webhook: 429", afterSeconds: 30)),
      (.unauthorized, .permanent("text message webhook: 401")),
      (.found, .permanent("text message webhook: 302")),
    ] as [(HTTPResponse.Status, SendFailure)])
  func `a busy webhook is retried, and a refusal is not`(
    _ status: HTTPResponse.Status, _ expected: SendFailure
  ) async throws {
    var answer = WireResponse(status, ["to": "+15551234567"])
    if status == .tooManyRequests { answer.headers[.retryAfter] = "30" }
    let sender = try TextMessageSender(
      url: "https://sms.example.org", secret: "s", outbound: ScriptedOutbound(.success(answer)))
    let failure = await #expect(throws: SendFailure.self) { try await sender.send(sms()) }
    #expect(failure == expected)
    let nobody = try TextMessageSender(
      url: "https://sms.example.org", secret: "s",
      outbound: ScriptedOutbound(.failure(OutboundFailure("+15551234567 is down"))))
    let silence = await #expect(throws: SendFailure.self) { try await nobody.send(sms()) }
    #expect(silence == .temporary("text message webhook: no answer"))
  }

  @Test(arguments: [
    "http://sms.example.org", "http://localhost.example.org", "http://localhost@evil.example",
    "ftp://x", "",
  ])
  func `a secret is sent only over https`(_ url: String) {
    #expect(throws: SenderSettingsError.self) {
      try TextMessageSender(url: url, secret: "s", outbound: ScriptedOutbound())
    }
  }

  @Test(
    arguments: [
      ("otp", OutboxMessage.Channel.sms), ("magiclink", .email), ("signup", .email),
      ("recovery", .email), ("email_change", .email), ("phone_change", .sms),
    ] as [(String, OutboxMessage.Channel)])
  func `every template with a code contains it (HH-2, DG-12)`(
    _ template: String, _ channel: OutboxMessage.Channel
  ) throws {
    let message = message(
      channel, template: template,
      payload: ["code": "042042", "link": "https://x.example/verify?token=t"], at: clock.now)
    let text = try MessageText(of: message)
    #expect(text.body.contains("042042"))
    #expect(text.body.contains("https://x.example/verify?token=t") == (channel == .email))
    #expect(!text.title.isEmpty)
  }

  private static let notifications: [(String, JSON, String)] = [
    ("daily", ["open": 1], "Today: One habit is open."),
    ("daily", ["open": 3], "Today: 3 habits are open."),
    ("reminder", ["name": "Read"], "Read: It is time."),
    (
      "hive_at_risk", ["hive_id": "h", "name": "Readers", "emoji": ""],
      "Readers is at risk: Others are done today. The hive waits for you."
    ),
    (
      "hive_advanced", ["hive_id": "h", "name": "Readers", "streak": 1],
      "Readers advanced: 1 day together."
    ),
    (
      "streak_milestone", ["habit_id": "h", "name": "Read", "streak": 7],
      "Read: 7 days: A streak to be proud of."
    ),
    (
      "streak_milestone", ["hive_id": "h", "name": "Readers", "emoji": "📚", "streak": 7],
      "📚 Readers: 7 days: The hive has kept its streak together."
    ),
  ]

  @Test(arguments: Self.notifications)
  func `every notification has its sentence (HH-25, DG-8)`(
    _ template: String, _ payload: JSON, _ expected: String
  ) throws {
    let message = message(.push, template: template, payload: payload, at: clock.now)
    let text = try MessageText(of: message)
    #expect("\(text.title): \(text.body)" == expected)
  }

  private static let incomplete: [(String, JSON)] = [
    ("unknown", ["code": "1"]), ("otp", [:]), ("otp", ["code": 5]), ("note", [:]),
    ("note", ["subject": "x"]), ("hive_advanced", ["name": "x"]), ("daily", [:]), ("otp", .null),
  ]

  @Test(arguments: Self.incomplete)
  func `a template without its data yields no text, and the reason repeats no data`(
    _ template: String, _ payload: JSON
  ) {
    for channel in OutboxMessage.Channel.allCases {
      let message = message(channel, template: template, payload: payload, at: clock.now)
      let failure = #expect(throws: SendFailure.self) { try MessageText(of: message) }
      #expect(failure == .permanent("no sentences for \(template) by \(channel.rawValue)"))
    }
  }
}
