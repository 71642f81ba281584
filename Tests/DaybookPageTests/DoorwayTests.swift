import Avro
import Calendar
import Daybook
@testable import DaybookAuth
@testable import DaybookPage
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct DoorwayTests {
  private static let ada = "ada@example.com"

  private func link(_ world: PageWorld) async throws -> String {
    let ada = try await world.browser(of: Self.ada).account()
    return "/enter?link=\(try await world.page.doorway.auth.visitLink(for: ada))"
  }

  // MARK: Links

  @Test func `a link of the server's own signs in once`() async throws {
    let world = try await PageWorld()
    let link = try await link(world)
    let (first, second) = (Browser(world), Browser(world))
    #expect(await first.send(.head, link).status == .ok)
    let answer = await first.get(link + "&back=%2Ftasks")
    #expect(answer.location == "/tasks")
    #expect(await first.get("/").status == .ok)
    // Whoever opens it again in the same browser is let in by the session.
    #expect(await first.get(link).location == "/")
    #expect(await second.get(link).status == .ok)
    #expect(await second.get("/").status == .seeOther)
  }

  @Test func `a link is good for ten minutes, and no app can exchange it`() async throws {
    let world = try await PageWorld()
    let link = try await link(world)
    let body: JSON = [
      "auth_code": .string(String(link.dropFirst("/enter?link=".count))), "code_verifier": "",
    ]
    let exchange = await world.page.doorway.auth.answer(
      WireRequest(
        .post, ["token"], query: WireQuery([.init("grant_type", "pkce")]),
        headers: [.contentType: "application/json"], body: Array(body.encoded.utf8)))
    #expect(exchange.status.code >= 400)
    world.clock.advance(minutes: 11)
    let browser = Browser(world)
    #expect(await browser.get(link).status == .ok)
    #expect(browser.cookies.isEmpty)
  }

  @Test func `a page of one's own takes no codes, and says so of a used link`() async throws {
    let world = try await PageWorld(pageSettings: {
      $0.takesCodes = false
      $0.cookieMark = "01234567"
    })
    let account = try await world.book.record(CreateAccount(name: "Ada"))
    let key = try #require(world.book.read { $0.accounts[account]?.key })
    let link = "/enter?link=\(try await world.page.doorway.auth.visitLink(for: key))"
    let browser = Browser(world)
    #expect(await browser.get("/enter").text.contains("the link that daybook page prints"))
    await browser.post("/enter", ["address": Self.ada])
    #expect(world.book.read { $0.accounts.elements.count } == 1)
    #expect(await browser.get(link).location == "/")
    #expect(
      browser.cookies.keys.sorted() == ["daybook-access-01234567", "daybook-refresh-01234567"])
    let used = await Browser(world).get(link)
    #expect(used.status == .forbidden)
    #expect(used.text.contains("was used already"))
  }

  // MARK: Cookies and tokens

  @Test func `over HTTPS each cookie is bound to the host, and sent by HTTPS only`() {
    for isSecure in [true, false] {
      let names = CookieNames(isSecure: isSecure, mark: "")
      for name in [names.access, names.refresh, names.done] {
        let cookie = names.cookie(name, "1", seconds: 20)
        #expect(cookie.hasPrefix("__Host-daybook-") == isSecure)
        #expect(cookie.contains("; Secure") == isSecure)
        #expect(cookie.contains("; HttpOnly; SameSite=Lax") && cookie.contains("; Path=/;"))
      }
    }
  }

  @Test func `a form's token is made with the server's secret`() async throws {
    let (one, other) = (
      try await PageWorld(), try await PageWorld(pepper: "another pepper of the tests")
    )
    let session = Key()
    let token = one.page.doorway.auth.formToken(of: session)
    #expect(token == one.page.doorway.auth.formToken(of: session))
    #expect(token != other.page.doorway.auth.formToken(of: session))
    #expect(token != one.page.doorway.auth.formToken(of: Key()))
  }

  // MARK: What was typed

  @Test func `what was typed when the session had ended is offered again after the sign-in`()
    async throws
  {
    let world = try await PageWorld()
    let browser = try await world.browser(of: Self.ada)
    let body = try await browser.filled(
      "create_task", ["title": "Buy <b> & \"milk\""], on: "/tasks")
    browser.cookies = [:]
    let asked = await browser.send(.post, "/do", body)
    #expect(asked.status == .unauthorized)
    #expect(asked.text.contains("What you typed is kept"))
    let kept = try #require(Browser.hidden("kept", in: asked.text))
    let sent = await browser.post(
      "/enter", ["address": Self.ada, "back": "/tasks", "kept": kept])
    #expect(Browser.hidden("kept", in: sent.text) == kept)
    let shown = await browser.post(
      "/enter/code",
      [
        "address": Self.ada, "code": try await world.code(to: Self.ada), "back": "/tasks",
        "kept": kept,
      ])
    #expect(shown.status == .ok)
    #expect(shown.text.contains("value=\"Buy &lt;b&gt; &amp; &quot;milk&quot;\""))
    #expect(world.book.read { $0.tasks.elements.isEmpty }, "nothing is sent by itself")
    let token = try #require(browser.formToken(in: shown.text))
    let done = await browser.post(
      "/do",
      ["token": token, "do": "create_task", "title": "Buy <b> & \"milk\"", "back": "/tasks"])
    #expect(done.location == "/tasks")
    #expect(world.book.read { $0.tasks.elements.first?.title } == "Buy <b> & \"milk\"")
  }

  @Test func `a press of a button alone is offered again, too`() async throws {
    let world = try await PageWorld()
    let browser = try await world.browser(of: Self.ada)
    let shown = await browser.post(
      "/enter/code",
      [
        "address": Self.ada, "code": try await newCode(world, browser),
        "kept": "do=log_habit&habit=\(Key())&back=%2F",
      ])
    #expect(shown.text.contains("name=\"do\" value=\"log_habit\""))
    #expect(shown.text.contains("Send again"))
  }

  private func newCode(_ world: PageWorld, _ browser: Browser) async throws -> String {
    await browser.post("/enter", ["address": Self.ada])
    return try await world.code(to: Self.ada)
  }
}

extension Browser {
  /// The value of a hidden field.
  static func hidden(_ name: String, in text: String) -> String? {
    text.matches(of: #/name="([^"]+)" value="([^"]*)"/#).first { $0.output.1 == name }
      .map { String($0.output.2).replacing("&amp;", with: "&") }
  }
}
