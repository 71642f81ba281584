import Avro
import Calendar
import Daybook
import DaybookAPI
@testable import DaybookAuth
@testable import DaybookPage
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct SettingsTests {
  private static let hostile = #"<script>x</script>"'&{{token}}"#

  private func visit() async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    return (world, browser, try browser.account())
  }

  // MARK: The profile

  @Test func `the profile card says name, since when and the level (HH-30)`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"update_profile","display_name":"Ada"}"#, as: ada)
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    let read = try #require(world.book.read { $0.habits.elements.last?.key })
    for _ in 1...8 {
      try world.record(#"{"do":"log_habit","habit":"\#(read)"}"#, as: ada)
      world.clock.advance(days: 1)
    }
    let text = await browser.get("/settings").text
    #expect(text.contains("<p class=\"who\">Ada</p>"))
    #expect(text.contains("Member since Mar 1, 2026"))
    #expect(text.contains("Level 2"))
    #expect(text.contains("8 days in full; 13 days to the next level"))
  }

  @Test func `each level takes a week more than the one before`() {
    let firstDays = [0, 7, 21, 42, 70]
    for (place, days) in firstDays.enumerated() {
      #expect(Level(fullDays: days).number == place + 1)
      if days > 0 { #expect(Level(fullDays: days - 1).number == place) }
    }
    #expect(Level(fullDays: 14).share == 50)
    #expect(Level(fullDays: 14).missing == 7)
  }

  @Test func `notifications are switched, and their times are changed and removed (DG-9)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    let form = try await browser.form("notification_times", on: "/settings")
    await browser.post(
      "/do",
      [
        "token": form.token, "do": "update_profile", "notifications_enabled": "true",
        "notification_times": "07:30", "notification_times": "", "back": "/settings",
      ])
    let text = await browser.get("/settings").text
    #expect(text.contains(#"name="notification_times" value="07:30""#))
    #expect(text.contains(#"name="notification_times" value="""#), "a line for one more")
    await browser.post(
      "/do",
      [
        "token": form.token, "do": "update_profile", "notifications_enabled": "false",
        "notification_times": "", "back": "/settings",
      ])
    let account = try #require(
      world.book.read { state in state.accounts.present(ada).flatMap { state.accounts[$0] } })
    #expect(!account.notifications.isOn && account.notifications.times.isEmpty)
  }

  @Test func `the past of the settings is read-only`() async throws {
    let (world, browser, _) = try await visit()
    world.clock.advance(days: 3)
    let then = await browser.get("/settings?as_of=2026-03-01").text
    #expect(!then.contains("action=\"/do\"") && !then.contains("action=\"/settings/"))
    #expect(then.contains("/settings/export/jsonl?as_of=2026-03-01"))
    #expect(
      !(await browser.get("/settings/erase?as_of=2026-03-01").text.contains(
        "<button class=\"danger")))
  }

  // MARK: Devices

  @Test func `devices are listed, ended one by one, and ended all (HH-30)`() async throws {
    let (world, browser, _) = try await visit()
    let phone = Browser(world)
    await phone.post("/enter", ["address": "ada@example.com"])
    let code = try await world.code(to: "ada@example.com")
    let body = PercentCode.query([("address", "ada@example.com"), ("code", code)])
    _ = await phone.send(
      .post, "/enter/code", Array(body.utf8),
      agent: "Mozilla/5.0 (Linux; Android 14) Chrome/120.0 Safari/537.36 <b>")
    let other = try await world.browser(of: "ada@example.com")
    let text = await browser.get("/settings").text
    #expect(text.contains("<strong>Chrome, Android</strong>"))
    #expect(text.components(separatedBy: "action=\"/settings/sessions\"").count == 3)
    let form = try await browser.form("session", after: "Chrome, Android", on: "/settings")
    let answer = await browser.post(
      "/settings/sessions", ["token": form.token, "session": form.value])
    #expect(answer.location == "/settings#devices")
    #expect(await phone.get("/").status == .seeOther)
    #expect(await other.get("/").status == .ok)
    await browser.post("/leave", ["token": form.token, "scope": "others"])
    #expect(await other.get("/").status == .seeOther)
    #expect(await browser.get("/").status == .ok)
    let last = try await world.browser(of: "ada@example.com")
    await browser.post("/leave", ["token": form.token, "scope": "global"])
    #expect(browser.cookies.isEmpty)
    #expect(await last.get("/").status == .seeOther)
  }

  @Test func `nobody ends the session of another account`() async throws {
    let (world, browser, ada) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    let sessions = try await world.page.doorway.auth.sessions(of: ada)
    let session = try #require(sessions.first?.key)
    let form = try await bob.form("scope", on: "/settings")
    await bob.post("/settings/sessions", ["token": form.token, "session": session.description])
    #expect(await browser.get("/").status == .ok)
    #expect(
      await bob.post("/settings/sessions", ["session": session.description]).status == .forbidden)
  }

  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox, Linux"),
    (
      "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120",
      "Edge, Windows"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1",
      "Safari, iPhone"
    ),
    ("curl/8.0", nil), ("", nil),
  ])
  func `a browser is named in the page's own words`(header: String, name: String?) {
    #expect(BrowserName(header).text == name)
  }

  // MARK: Data

  @Test func `everything can be taken along as JSON and CSV, and nothing of others (DM-13)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    try world.record(#"{"do":"create_habit","name":"Secret"}"#, as: try bob.account())
    for (format, type) in [("jsonl", "application/jsonl"), ("csv", "text/csv; charset=utf-8")] {
      let answer = await browser.get("/settings/export/\(format)")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == type)
      #expect(
        answer.headers[.contentDisposition]
          == "attachment; filename=\"daybook-2026-03-01.\(format)\"")
      #expect(answer.text.contains("Read") && !answer.text.contains("Secret"))
    }
    #expect(await browser.get("/settings/export/raw-csv").status == .notFound)
    #expect(await Browser(world).get("/settings/export/jsonl").status == .seeOther)
  }

  private static let habits = """
    HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText
    Yoga <b>,,Mind,2026-02-27,1,
    Yoga <b>,,Mind,2026-02-28,1,

    """

  @Test func `a file is looked at first, and imported when somebody says so (DM-13)`() async throws
  {
    let (world, browser, _) = try await visit()
    let before = world.book.read { $0.position }
    let seen = await browser.upload(Self.habits, named: "C:\\\(Self.hostile).csv")
    #expect(seen.status == .ok, "\(seen.text)")
    #expect(seen.text.contains("This would be taken"))
    #expect(seen.text.contains("<li>1 habit</li>") && seen.text.contains("<li>2 days</li>"))
    #expect(seen.text.contains("<li>categories: 1</li>"))
    #expect(!seen.text.contains("<script>x"))
    #expect(world.book.read { $0.position } == before)
    let form = try #require(Browser.form("upload", after: "", in: seen.text))
    let done = await browser.post(
      "/settings/import/confirm", ["token": form.token, "upload": form.value])
    #expect(done.text.contains("This was taken"))
    #expect(world.book.read { $0.habits.elements.contains { $0.name == "Yoga <b>" } })
    let position = world.book.read { $0.position }
    // A second press finds the file gone, and says so.
    let again = await browser.post(
      "/settings/import/confirm", ["token": form.token, "upload": form.value])
    #expect(again.status == .unprocessableContent)
    #expect(again.text.contains("choose it again"))
    let repeated = await browser.upload(Self.habits, named: "a.csv")
    #expect(repeated.text.contains("Nothing that is not here already."))
    #expect(repeated.text.contains("1 habit is here already"))
    #expect(world.book.read { $0.position } == position)
  }

  @Test func `a file that cannot be read says why, and nothing is imported`() async throws {
    let (world, browser, _) = try await visit()
    let before = world.book.read { $0.position }
    let broken = await browser.upload(
      Self.habits.replacing("2026-02-28", with: "yesterday"), named: "a.csv")
    #expect(broken.status == .unprocessableContent)
    #expect(broken.text.contains("a.csv, line 3:"))
    #expect(await browser.upload("hello", named: "notes.txt").text.contains("was not recognised"))
    #expect(await browser.upload("", named: "").text.contains("No file was chosen"))
    #expect(
      await browser.upload("{}", named: "a.json", format: "taskwarrior").status
        == .unprocessableContent)
    #expect(world.book.read { $0.position } == before)
  }

  @Test func `a file waits for its own account, and a quarter of an hour`() async throws {
    let (world, browser, _) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    let seen = await browser.upload(Self.habits, named: "a.csv")
    let form = try #require(Browser.form("upload", after: "", in: seen.text))
    let token = try await bob.form("scope", on: "/settings").token
    #expect(
      await bob.post("/settings/import/confirm", ["token": token, "upload": form.value]).status
        == .unprocessableContent)
    world.clock.advance(minutes: 16)
    #expect(
      await browser.post("/settings/import/confirm", ["token": form.token, "upload": form.value])
        .status == .unprocessableContent)
  }

  @Test(arguments: [
    "", "--b", "--b\r\n", "--b\r\n\r\n", "--b\r\nContent-Disposition: form-data; name=\"file\"",
    "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
    String(repeating: "--b\r\n\r\n\r\n", count: 40),
  ])
  func `a form with a file that is cut off or strange is refused`(body: String) async throws {
    let (_, browser, _) = try await visit()
    let answer = await browser.send(
      .post, "/settings/import", Array(body.utf8), type: "multipart/form-data; boundary=b")
    #expect(answer.status == .badRequest || answer.status == .forbidden)
    let plain = await browser.send(.post, "/settings/import", Array(body.utf8))
    #expect(plain.status == .badRequest)
  }

  // MARK: Erasure

  @Test func `an account is erased by its name, typed, and then nobody is signed in (ES-6)`()
    async throws
  {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"update_profile","display_name":"Ada L."}"#, as: ada)
    try world.record(#"{"do":"create_habit","name":"Secret"}"#, as: ada)
    let other = try await world.browser(of: "ada@example.com")
    let page = await browser.get("/settings/erase").text
    #expect(page.contains("Ada L.</strong>"))
    let token = try #require(browser.formToken(in: page))
    let wrong = await browser.post("/settings/erase", ["token": token, "name": "ada"])
    #expect(wrong.status == .unprocessableContent)
    #expect(await browser.get("/").status == .ok)
    let done = await browser.post("/settings/erase", ["token": token, "name": " Ada L. "])
    #expect(done.text.contains("Your account is erased"))
    #expect(browser.cookies.isEmpty)
    #expect(await other.get("/").status == .seeOther)
    #expect(world.book.read { $0.accounts.present(ada) } == nil)
    let again = try await world.browser(of: "ada@example.com")
    #expect(try again.account() != ada)
    #expect(!(await again.get("/settings/export/jsonl").text.contains("Secret")))
  }

  // MARK: The paid version

  private static let shops: [(HTTPResponse.Status, JSON, String)] = [
    (.ok, ["url": "https://shop.test/1"], "href=\"https://shop.test/1\""),
    (.badGateway, ["error": "The shop <b> is closed."], "The shop &lt;b&gt; is closed."),
    (.ok, ["url": "javascript:x"], "cannot be reached"),
  ]

  @Test(arguments: shops)
  func `the paid version leads to the shop, or says why not (MO-7)`(
    status: HTTPResponse.Status, answer: JSON, said: String
  ) async throws {
    let world = try await PageWorld(pageSettings: {
      $0.checkout = { _ in WireResponse(status, answer) }
    })
    let browser = try await world.browser(of: "ada@example.com")
    let token = try await browser.form("scope", on: "/settings").token
    #expect(await browser.get("/settings").text.contains("unlocks nothing"))
    let shown = await browser.post("/settings/upgrade", ["token": token])
    #expect(shown.text.contains(said))
    #expect(shown.location.isEmpty)
    #expect(await browser.get("/").status == .ok)
  }

  @Test func `a server that sells nothing offers nothing`() async throws {
    let (_, browser, _) = try await visit()
    #expect(!(await browser.get("/settings").text.contains("/settings/upgrade")))
  }

  // MARK: Documents

  @Test func `the documents are readable without a sign-in (DG-9, MO-8)`() async throws {
    let (world, browser, _) = try await visit()
    for who in [Browser(world), browser] {
      for (path, title) in [
        ("privacy", "Privacy"), ("terms", "Terms"), ("licences", "Licences"),
      ] {
        let answer = await who.get("/legal/\(path)")
        #expect(answer.status == .ok)
        #expect(answer.text.contains("<h1>\(title)</h1>"))
      }
    }
    #expect(await browser.get("/legal/x").status == .notFound)
    #expect(await browser.get("/settings").text.contains("Daybook \(DaybookVersion.text)"))
  }

  @Test func `what people write is shown as text in the settings`() async throws {
    let (world, browser, ada) = try await visit()
    let text = JSON.string(Self.hostile).encoded
    try world.record(
      #"{"do":"update_profile","display_name":\#(text),"avatar_url":\#(text)}"#, as: ada)
    try world.record(#"{"do":"register_device","apns_token":"<b>1</b>"}"#, as: ada)
    for target in ["/settings", "/settings/erase"] {
      let shown = await browser.get(target).text
      #expect(!shown.contains("<script>x") && !shown.contains("<b>"), "\(target)")
      #expect(shown.contains("&lt;script&gt;x"), "\(target)")
    }
  }
}

extension Browser {
  /// A field of a form with the form's token.
  struct FormField {
    let token: String
    let value: String
  }

  /// Finds the first form with a field, after a text, on a screen.
  func form(_ field: String, after text: String = "", on target: String) async throws -> FormField {
    try #require(Self.form(field, after: text, in: await get(target).text), "no form with \(field)")
  }

  static func form(_ field: String, after text: String, in page: String) -> FormField? {
    let start = text.isEmpty ? page.startIndex : page.range(of: text)?.upperBound
    guard let start else { return nil }
    for form in page[start...].components(separatedBy: "<form").dropFirst() {
      guard let token = form.firstMatch(of: #/name="token" value="([^"]+)"/#),
        form.contains("name=\"\(field)\"")
      else { continue }
      let inputs = form.matches(of: #/name="([^"]+)" value="([^"]*)"/#)
      let value = inputs.first { $0.output.1 == field }.map { String($0.output.2) }
      return FormField(token: String(token.output.1), value: value ?? "")
    }
    return nil
  }

  /// Chooses a file in the settings, and sends it.
  func upload(_ text: String, named name: String, format: String = "") async -> WireResponse {
    let token = formToken(in: await get("/settings").text) ?? ""
    func part(_ head: String, _ body: String) -> String {
      "--b0\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(body)\r\n"
    }
    let shown = name.replacing("\"", with: "%22")
    let body =
      part("name=\"token\"", token)
      + part("name=\"file\"; filename=\"\(shown)\"\r\nContent-Type: text/csv", text)
      + part("name=\"format\"", format) + "--b0--\r\n"
    return await send(
      .post, "/settings/import", Array(body.utf8), type: "multipart/form-data; boundary=b0")
  }
}
