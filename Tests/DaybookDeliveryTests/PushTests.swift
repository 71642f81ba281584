import Avro
import Calendar
import Crypto
import Daybook
import DaybookAuth
import DaybookDelivery
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct PushTests {
  private let clock = HandClock()
  private let key = P256.Signing.PrivateKey()
  private let book: Book
  private let ada: Account.ID

  init() throws {
    let clock = clock
    book = Book.inMemory(clock: BookClock { clock.now })
    ada = try book.record(CreateAccount(key: Key(high: 1, low: 1), name: "Ada"))
    try book.record(UpdateProfile { $0.notificationsAreOn = true }, by: ada)
    try book.record(RegisterDevice(token: "aa/../e%", environment: .sandbox), by: ada)
    try book.record(RegisterDevice(token: "abc1"), by: ada)
  }

  private func sender(_ outbound: any Outbound) throws -> PushSender {
    try PushSender(
      book,
      PushSettings(
        team: "TEAM", keyID: "KEY", privateKey: key.pemRepresentation, topic: "org.example.app"),
      outbound: outbound, now: { [clock] in clock.now })
  }

  private func push(to token: String = "abc1") -> OutboxMessage {
    message(
      .push, to: token, template: "hive_advanced",
      payload: [
        "id": "hive_advanced:x", "account": .string(Key(high: 1, low: 1).description),
        "hive_id": "h", "name": "Readers", "emoji": "📚", "streak": 3,
        "expires_at": .number(clock.now.milliseconds + 3_600_500),
      ], at: clock.now)
  }

  private static func refusal(
    _ status: HTTPResponse.Status, _ body: JSON
  ) -> Result<WireResponse, OutboundFailure> { .success(WireResponse(status, body)) }

  @Test func `a push states its topic, expiry and subject (HH-25)`()
    async throws
  {
    let outbound = ScriptedOutbound()
    let push = push()
    try await sender(outbound).send(push)
    let request = try #require(outbound.requests.first)
    #expect(request.url == "https://api.push.apple.com/3/device/abc1")
    #expect(request.header("apns-id") == push.id.description)
    #expect(request.header("apns-topic") == "org.example.app")
    #expect(request.header("apns-push-type") == "alert")
    #expect(
      request.header("apns-expiration") == String((clock.now.milliseconds + 3_600_000) / 1000))
    #expect(request.header("apns-collapse-id")?.utf8.count == 64)
    #expect(request.json["aps"]?["alert"]?["title"] == "📚 Readers advanced")
    #expect(request.json["aps"]?["alert"]?["body"] == "3 days together.")
    #expect(request.json["hive_id"] == "h")
    #expect(request.json["account"] == nil)
  }

  @Test func `a sandbox device is reached at the sandbox, and no token changes the host`()
    async throws
  {
    let outbound = ScriptedOutbound()
    try await sender(outbound).send(push(to: "aa/../e%"))
    #expect(
      outbound.requests.map(\.url) == [
        "https://api.sandbox.push.apple.com/3/device/aa%2f%2e%2e%2fe%25"
      ])
  }

  @Test func `the provider token is signed with ES256, kept, and renewed before an hour`()
    async throws
  {
    let outbound = ScriptedOutbound()
    let sender = try sender(outbound)
    for minutes in [0, 49, 2, 49] {
      clock.advance(milliseconds: Int64(minutes) * 60_000)
      try await sender.send(push())
    }
    let tokens = outbound.requests.map { $0.header("authorization") ?? "" }
    #expect(tokens[0] == tokens[1])
    #expect(tokens[1] != tokens[2])
    #expect(tokens[2] == tokens[3])
    let parts = tokens[0].dropFirst("bearer ".count).split(separator: ".").map(String.init)
    try #require(parts.count == 3)
    let bytes = try parts.map { try #require(Self.decoded($0)) }
    #expect(
      String(decoding: bytes[0], as: UTF8.self) == #"{"alg":"ES256","kid":"KEY","typ":"JWT"}"#)
    #expect(String(decoding: bytes[1], as: UTF8.self) == #"{"iss":"TEAM","iat":1772452800}"#)
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes[2])
    #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
  }

  private static func decoded(_ text: String) -> Data? {
    let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }.joined()
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
  }

  private static let losses: [(HTTPResponse.Status, JSON)] = [
    (HTTPResponse.Status.gone, ["reason": "Unregistered"]),
    (HTTPResponse.Status.badRequest, ["reason": "BadDeviceToken"]),
  ]

  @Test(arguments: Self.losses)
  func `a device that the service no longer knows is removed from the account (HH-4)`(
    _ status: HTTPResponse.Status, _ body: JSON
  ) async throws {
    let outbound = ScriptedOutbound(Self.refusal(status, body))
    let failure = await #expect(throws: SendFailure.self) {
      try await sender(outbound).send(push())
    }
    #expect(failure?.kind == .permanent)
    #expect(book.read { $0.accounts[ada]?.devices.map(\.token) } == ["aa/../e%"])
  }

  @Test func `a device registered after the service lost it stays`() async throws {
    let body: JSON = [
      "reason": "Unregistered", "timestamp": .number(clock.now.milliseconds - 1),
    ]
    let outbound = ScriptedOutbound(Self.refusal(.gone, body))
    let failure = await #expect(throws: SendFailure.self) {
      try await sender(outbound).send(push())
    }
    #expect(failure?.kind == .temporary(afterSeconds: nil))
    #expect(book.read { $0.accounts[ada]?.devices.count } == 2)
  }

  @Test func `a refused provider token is made again`() async throws {
    let outbound = ScriptedOutbound(
      Self.refusal(.forbidden, ["reason": "ExpiredProviderToken"]), .success(WireResponse(.ok)))
    let sender = try sender(outbound)
    let failure = await #expect(throws: SendFailure.self) { try await sender.send(push()) }
    #expect(failure == .temporary("APNs: 403 ExpiredProviderToken"))
    try await sender.send(push())
    let tokens = outbound.requests.map { $0.header("authorization") }
    #expect(tokens[0] != tokens[1])
  }

  @Test(
    arguments: [
      (HTTPResponse.Status.tooManyRequests, SendFailure.temporary("APNs: 429 TooManyRequests")),
      (.serviceUnavailable, .temporary("APNs: 503 TooManyRequests")),
      (.contentTooLarge, .permanent("APNs: 413 TooManyRequests")),
    ] as [(HTTPResponse.Status, SendFailure)])
  func `a busy service is retried, and a refusal is not`(
    _ status: HTTPResponse.Status, _ expected: SendFailure
  ) async throws {
    let outbound = ScriptedOutbound(Self.refusal(status, ["reason": "TooManyRequests"]))
    let failure = await #expect(throws: SendFailure.self) {
      try await sender(outbound).send(push())
    }
    #expect(failure == expected)
    #expect(book.read { $0.accounts[ada]?.devices.count } == 2)
  }

  @Test func `no push goes to a device of another account, or to an account that disabled them`()
    async throws
  {
    let outbound = ScriptedOutbound()
    let bob = try await book.record(CreateAccount(name: "Bob"))
    try await book.record(RegisterDevice(token: "abc1"), by: bob)
    await #expect(throws: SendFailure.self) { try await sender(outbound).send(push()) }
    try await book.record(RegisterDevice(token: "abc1"), by: ada)
    try await book.record(UpdateProfile { $0.notificationsAreOn = false }, by: ada)
    await #expect(throws: SendFailure.self) { try await sender(outbound).send(push()) }
    #expect(outbound.requests.isEmpty)
  }

  @Test func `an invalid key is refused at the start`() {
    #expect(throws: SenderSettingsError.self) {
      try PushSender(
        book, PushSettings(team: "T", keyID: "K", privateKey: "none", topic: "t"),
        outbound: ScriptedOutbound(), now: { .first })
    }
  }
}
