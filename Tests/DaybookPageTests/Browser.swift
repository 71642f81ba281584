import Avro
import Calendar
import Daybook
import DaybookAPI
import DaybookAuth
@testable import DaybookPage
import DaybookStore
import Foundation
import HTTPTypes
import Synchronization
import Testing
import Values
import Wire

/// A server's page on a book in memory, and a clock that only tests move.
struct PageWorld: Sendable {
  var page: PageService
  let book: Book
  let database: ServerDatabase
  let clock: TestClock

  /// - Parameters:
  ///   - text: The server's pepper.
  ///   - change: What this page offers, other than usual.
  /// - Throws: what opening the book or the database throws.
  init(
    pepper text: String = "a pepper of the tests, and of nothing else",
    pageSettings change: (inout PageSettings) -> Void = { _ in }
  ) async throws {
    let clock = TestClock()
    var settings = AuthSettings(siteURL: "http://page.test", isDevelopment: true)
    settings.passwordCost = 4
    settings.now = { clock.now }
    let pepper = try Pepper(text)
    book = Book.inMemory(clock: BookClock(now: { clock.now }), pepper: pepper)
    database = try ServerDatabase()
    self.clock = clock
    let auth = try await AuthService(
      settings: settings, database: database, book: book, pepper: pepper, outbound: NoOutbound())
    var pageSettings = PageSettings()
    change(&pageSettings)
    page = PageService(api: ClientAPI(book: book), auth: auth, settings: pageSettings)
  }

  /// The last code that was sent to an address.
  func code(to address: String) async throws -> String {
    let messages = try await database.messages(to: address)
    return try #require(messages.last?.payload["code"]?.text)
  }

  /// A browser in which somebody is signed in.
  func browser(of address: String) async throws -> Browser {
    let browser = Browser(self)
    await browser.post("/enter", ["address": address])
    let answer = await browser.post(
      "/enter/code", ["address": address, "code": try await code(to: address), "back": "/"])
    try #require(answer.status == .seeOther, "\(answer.text)")
    return browser
  }

  /// Carries out a command in its JSON form.
  func record(_ line: String, as account: Key) throws {
    let outcome = try book.record(
      line: line.replacing("{", with: "{\"as\":\"\(account)\",", maxReplacements: 1))
    try #require(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }
}

/// What a browser does: it keeps cookies, and sends forms.
final class Browser: Sendable {
  let world: PageWorld
  private let jar = Mutex<[String: String]>([:])
  let language: String

  init(_ world: PageWorld, language: String = "en") {
    self.world = world
    self.language = language
  }

  var cookies: [String: String] {
    get { jar.withLock { $0 } }
    set { jar.withLock { $0 = newValue } }
  }

  /// The key of the account that is signed in.
  func account() throws -> Key {
    let token = try #require(cookies["daybook-access"])
    return try world.page.doorway.auth.claims(of: token).account
  }

  @discardableResult
  func get(_ target: String) async -> WireResponse { await send(.get, target) }

  @discardableResult
  func post(
    _ target: String, _ fields: KeyValuePairs<String, String>, site: String? = "same-origin"
  ) async -> WireResponse {
    let body = PercentCode.query(fields.map { ($0.key, $0.value) })
    return await send(.post, target, Array(body.utf8), site: site)
  }

  /// Sends a form of a screen as it stands there, with some fields filled in.
  ///
  /// - Parameters:
  ///   - command: The command of the form.
  ///   - fields: What is filled in.
  ///   - page: The screen's address.
  /// - Returns: The answer.
  /// - Throws: an `ExpectationFailedError` when the screen has no such form.
  @discardableResult
  func submit(
    _ command: String, _ fields: [String: String] = [:], on page: String
  ) async throws -> WireResponse {
    await send(.post, "/do", try await filled(command, fields, on: page))
  }

  /// The body of such a form.
  func filled(
    _ command: String, _ fields: [String: String] = [:], on page: String
  ) async throws -> [UInt8] {
    let text = await get(page).text
    let forms = text.split(separator: "<form").dropFirst().map {
      $0.prefix(upTo: $0.range(of: "</form>")?.lowerBound ?? $0.endIndex)
    }
    let form = try #require(
      forms.first { $0.contains("name=\"do\" value=\"\(command)\"") }, "no form for \(command)")
    var items: [(String, String)] = [("do", command)]
    for input in form.matches(of: #/<input type="hidden" name="([^"]+)" value="([^"]*)">/#)
    where input.output.1 != "do" && fields[String(input.output.1)] == nil {
      items.append((String(input.output.1), String(input.output.2).unescaped))
    }
    items += fields.map { ($0.key, $0.value) }
    return Array(PercentCode.query(items).utf8)
  }

  func send(
    _ method: HTTPRequest.Method, _ target: String, _ body: [UInt8] = [],
    site: String? = "same-origin", type: String = "application/x-www-form-urlencoded",
    agent: String? = nil, accept: String? = nil
  ) async -> WireResponse {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: HTTPFields = [.acceptLanguage: language]
    headers[.userAgent] = agent
    headers[.accept] = accept
    if !cookies.isEmpty {
      headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
    if method == .post {
      headers[.contentType] = type
      if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
    }
    let response = await world.page.answer(
      WireRequest(
        method, parts[0].split(separator: "/").map(String.init),
        query: WireQuery(encoded: parts.count > 1 ? String(parts[1]) : ""), headers: headers,
        body: body), at: "page.test")
    for cookie in response.headers[values: .setCookie] {
      let pair = cookie.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      jar.withLock { jar in
        jar[String(pair[0])] = cookie.contains("Max-Age=0") ? nil : String(pair[1])
      }
    }
    return response
  }
}

extension WireResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
  var location: String { headers[.location] ?? "" }
}

extension String {
  fileprivate var unescaped: String {
    replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
  }
}

/// A clock that stands still until it is moved: noon of 1 March 2026.
final class TestClock: Sendable {
  private let instant = Mutex(Instant(clamping: 1_772_366_400_000))

  var now: Instant { instant.withLock { $0 } }
  func advance(days: Int) {
    instant.withLock { $0 = $0.advanced(byMilliseconds: Int64(days) * 86_400_000) }
  }
  func advance(minutes: Int) {
    instant.withLock { $0 = $0.advanced(byMilliseconds: Int64(minutes) * 60_000) }
  }
}

/// No other server is there.
struct NoOutbound: Outbound {
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    throw OutboundFailure("There is no such server in the tests.")
  }
}
