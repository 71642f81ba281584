import Avro
import Calendar
import Crypto
import Daybook
@testable import DaybookAuth
import DaybookStore
import HTTPTypes
import Synchronization
import Testing
import Values
import Wire

/// A service on books and databases in memory, with a clock that only tests move, and fake outbound servers.
struct AuthBench: Sendable {
  static let site = "http://auth.test:8080"
  static let verifier = String(repeating: "v", count: 43)

  let service: AuthService
  let database: ServerDatabase
  let book: Book
  let clock: TestClock
  let outbound: TestOutbound

  /// Makes a service on the given book and database, or on new ones.
  init(
    on book: Book? = nil, _ database: ServerDatabase? = nil, clock: TestClock = TestClock(),
    _ change: (inout AuthSettings) -> Void = { _ in }
  ) async throws {
    var settings = AuthSettings(
      siteURL: Self.site, redirects: ["motiv://", "https://app.example.com/*"],
      isDevelopment: true)
    settings.passwordCost = 4
    settings.now = { clock.now }
    change(&settings)
    let pepper = try Pepper("a pepper of the tests, and of nothing else")
    self.book = book ?? Book.inMemory(clock: BookClock(now: { clock.now }), pepper: pepper)
    self.database = try database ?? ServerDatabase()
    self.clock = clock
    outbound = TestOutbound()
    service = try await AuthService(
      settings: settings, database: self.database, book: self.book, pepper: pepper,
      outbound: outbound)
  }

  /// Sends a request as the clients do.
  func send(
    _ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil, bearer: String? = nil,
    bytes: [UInt8]? = nil, version: String? = "2024-01-01", address: String? = nil
  ) async -> Answer {
    let parts = target.split(separator: "?", maxSplits: 1)
    var headers = HTTPFields()
    if let version, let name = AuthFailure.versionHeader { headers[name] = version }
    if let bearer { headers[.authorization] = "Bearer \(bearer)" }
    let request = WireRequest(
      method, (parts.first ?? "").split(separator: "/").map(String.init),
      query: WireQuery(encoded: parts.count > 1 ? String(parts[1]) : ""), headers: headers,
      body: bytes ?? body.map { Array($0.encoded.utf8) } ?? [], address: address)
    return Answer(await service.answer(request))
  }

  func post(
    _ target: String, _ body: JSON, bearer: String? = nil, address: String? = nil
  ) async -> Answer {
    await send(.post, target, body, bearer: bearer, address: address)
  }

  /// The last message sent to an address.
  func message(to recipient: String) async throws -> OutboxMessage {
    try #require(try await database.messages(to: recipient).last)
  }

  func code(to recipient: String) async throws -> String {
    try #require(try await message(to: recipient).payload["code"]?.text)
  }

  /// The target behind `/auth/v1` in the last link sent.
  func link(to recipient: String) async throws -> String {
    let link = try #require(try await message(to: recipient).payload["link"]?.text)
    let start = Self.site + "/auth/v1/"
    #expect(link.hasPrefix(start))
    return String(link.dropFirst(start.count))
  }

  /// Signs in by a code sent to a phone.
  func signIn(phone: String) async throws -> SignedIn {
    #expect(await post("otp", ["phone": .string(phone)]).status == 200)
    let code = try await code(to: phone)
    return try SignedIn(
      await post("verify", ["type": "sms", "phone": .string(phone), "token": .string(code)]))
  }

  /// Signs in by a code sent to an e-mail address.
  func signIn(email: String, data: JSON = .null) async throws -> SignedIn {
    #expect(await post("otp", ["email": .string(email), "data": data]).status == 200)
    let code = try await code(to: email.lowercased())
    return try SignedIn(
      await post("verify", ["type": "email", "email": .string(email), "token": .string(code)]))
  }

  /// Signs up with a password, and proves the address.
  func signUp(
    _ email: String, password: String = "Correct-Horse-9", data: JSON = .null
  ) async throws -> SignedIn {
    let asked = await post(
      "signup", ["email": .string(email), "password": .string(password), "data": data])
    #expect(asked.status == 200)
    let code = try await code(to: email)
    return try SignedIn(
      await post("verify", ["type": "signup", "email": .string(email), "token": .string(code)]))
  }

  func refresh(_ token: String) async -> Answer {
    await post("token?grant_type=refresh_token", ["refresh_token": .string(token)])
  }

  /// The account of a key in the book.
  func account(_ key: Key) -> Account? {
    book.read { state in
      state.accounts.number(of: key).flatMap { state.accounts[$0] }
    }
  }

  var accountCount: Int { book.read { $0.accounts.elements.count } }
}

/// A parsed answer.
struct Answer: Sendable {
  let response: WireResponse
  let json: JSON

  init(_ response: WireResponse) {
    self.response = response
    json = (try? JSON(parsing: response.body)) ?? .null
  }

  var status: Int { response.status.code }
  var code: String? { json["code"]?.text }
  var location: String { response.headers[.location] ?? "" }

  /// The value of a name in the query, or behind the `#`, of a redirect's target.
  func sent(_ name: String, behind sign: Character) -> String? {
    guard let start = location.firstIndex(of: sign) else { return nil }
    let rest = location[location.index(after: start)...]
    return WireQuery(encoded: rest.prefix { $0 != "#" })[name]
  }
}

/// The answer to every sign-in.
struct SignedIn: Sendable {
  let json: JSON
  let token: String
  let refreshToken: String
  let key: Key

  init(_ answer: Answer) throws {
    try #require(answer.status == 200, "\(answer.json.encoded)")
    json = answer.json
    token = try #require(json["access_token"]?.text)
    refreshToken = try #require(json["refresh_token"]?.text)
    key = try #require(json["user"]?["id"]?.text.flatMap { Key($0) })
  }

  var user: JSON { json["user"] ?? .null }
  var claims: JSON { Self.part(1, of: token) }
  var header: JSON { Self.part(0, of: token) }

  static func part(_ place: Int, of token: String) -> JSON {
    let parts = token.split(separator: ".")
    guard parts.count == 3, let bytes = Base64URL.decoded(parts[place]) else { return .null }
    return (try? JSON(parsing: bytes)) ?? .null
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let instant = Mutex(Instant(clamping: 1_767_225_600_000))

  var now: Instant { instant.withLock { $0 } }
  func advance(seconds: Int) {
    instant.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds) * 1000) }
  }
}

/// Outbound servers with scripted answers.
final class TestOutbound: Outbound {
  struct Sent: Sendable {
    let url: String
    let body: String
  }

  private let answers = Mutex<[String: WireResponse]>([:])
  private let log = Mutex<[Sent]>([])

  var sent: [Sent] { log.withLock { $0 } }

  func answer(_ url: String, _ response: WireResponse) {
    answers.withLock { $0[url] = response }
  }

  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    log.withLock { $0.append(Sent(url: url, body: String(decoding: body, as: UTF8.self))) }
    guard let answer = answers.withLock({ $0[url] }) else {
      throw OutboundFailure("There is no such server in the tests.")
    }
    return answer
  }
}
