import Calendar
import Daybook
@testable import DaybookPage
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

@Suite(.tags(.unit)) struct PageTests {
  private static let ada = "ada@example.com"

  /// A world with Ada's habits, and her browser.
  private func visit() async throws -> (world: PageWorld, browser: Browser, ada: Key) {
    let world = try await PageWorld()
    let browser = try await world.browser(of: Self.ada)
    let ada = try browser.account()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: ada)
    try world.record(
      #"{"do":"create_habit","name":"Water","type":"counter","target_per_day":8}"#, as: ada)
    return (world, browser, ada)
  }

  private func habit(_ name: String, _ world: PageWorld) throws -> Habit {
    try #require(world.book.read { $0.habits.elements.first { $0.name == name } })
  }

  // MARK: Sign-in

  @Test func `a guest is asked to sign in, and comes back to the same address`() async throws {
    let world = try await PageWorld()
    let browser = Browser(world)
    let answer = await browser.get("/tasks?search=milk")
    #expect(answer.status == .seeOther)
    #expect(answer.location == "/enter?back=%2Ftasks%3Fsearch%3Dmilk")
    #expect(await browser.get(answer.location).text.contains("value=\"/tasks?search=milk\""))
  }

  @Test func `a code signs in, and a wrong one keeps the address that was typed`() async throws {
    let world = try await PageWorld()
    let browser = Browser(world)
    let asked = await browser.post("/enter", ["address": Self.ada, "back": "/tasks"])
    #expect(asked.text.contains("A code is on its way to ada@example.com."))
    let wrong = await browser.post(
      "/enter/code", ["address": Self.ada, "code": "000000x", "back": "/tasks"])
    #expect(wrong.status == .forbidden)
    #expect(wrong.text.contains("value=\"ada@example.com\""))
    #expect(browser.cookies.isEmpty)
    let right = await browser.post(
      "/enter/code",
      ["address": Self.ada, "code": try await world.code(to: Self.ada), "back": "/tasks"])
    #expect(right.location == "/tasks")
    #expect(await browser.get("/tasks").status == .ok)
  }

  @Test func `an invalid address is refused with a sentence`() async throws {
    let browser = Browser(try await PageWorld())
    let answer = await browser.post("/enter", ["address": "nobody"])
    #expect(answer.status.code >= 400)
    #expect(answer.text.contains("role=\"alert\""))
    #expect(answer.text.contains("value=\"nobody\""))
  }

  @Test func `a session goes on after its access token is over, and ends when one signs out`()
    async throws
  {
    let (world, browser, _) = try await visit()
    let first = browser.cookies["daybook-access"]
    world.clock.advance(days: 1)
    #expect(await browser.get("/").status == .ok)
    #expect(browser.cookies["daybook-access"] != first)
    let token = try #require(browser.formToken(in: await browser.get("/").text))
    let copied = Browser(world)
    copied.cookies = browser.cookies
    #expect(await browser.post("/leave", ["token": token]).location == "/enter")
    #expect(browser.cookies.isEmpty)
    #expect(await browser.get("/").status == .seeOther)
    // Nor does it go on elsewhere.
    #expect(await copied.get("/").status == .seeOther)
  }

  @Test func `a refusal brings the tokens that replace used ones`() async throws {
    let (world, browser, _) = try await visit()
    world.clock.advance(days: 1)
    #expect(await browser.get("/habits/x").status == .notFound)
    world.clock.advance(days: 1)
    #expect(await browser.get("/").status == .ok)
  }

  // MARK: Recording

  @Test func `a form of a card records, and its undo takes it back (HH-12)`() async throws {
    let (world, browser, _) = try await visit()
    #expect(await browser.get("/").text.contains("0 of 2 done"))
    #expect(try await browser.submit("log_habit", on: "/").location == "/")
    let after = await browser.get("/").text
    #expect(after.contains("1 of 2 done"))
    #expect(after.contains("name=\"do\" value=\"undo\""))
    let position = world.book.read { $0.position }
    let token = try #require(browser.formToken(in: after))
    await browser.post(
      "/do", ["token": token, "do": "undo", "position": String(position), "back": "/"])
    #expect(await browser.get("/").text.contains("0 of 2 done"))
  }

  @Test func `a form that is sent twice records once`() async throws {
    let (world, browser, _) = try await visit()
    let before = world.book.read { $0.position }
    let body = try await browser.filled("create_task", ["title": "Buy milk"], on: "/tasks")
    for _ in 1...2 { #expect(await browser.send(.post, "/do", body).location == "/tasks") }
    #expect(world.book.read { $0.position } == before + 1)
  }

  @Test func `a counter takes a value with decimals, and an empty note is none`() async throws {
    let (world, browser, _) = try await visit()
    let water = try habit("Water", world).key.description
    let page = "/habits/\(water)"
    try await browser.submit("log_habit", ["value": "2.5", "note": "", "habit": water], on: page)
    #expect(await browser.get(page).text.contains("2.5<span class=\"of\">/8"))
  }

  @Test func `a refused form says why, and leads back`() async throws {
    let (world, browser, _) = try await visit()
    let token = try #require(browser.formToken(in: await browser.get("/").text))
    let before = world.book.read { $0.position }
    let answer = await browser.post(
      "/do",
      ["token": token, "do": "join_hive_with_code", "p_code": "000000000000", "back": "/hives"])
    #expect(answer.status == .notFound)
    #expect(answer.text.contains("role=\"alert\""))
    #expect(answer.text.contains("href=\"/hives\""))
    #expect(answer.text.contains("<input name=\"p_code\" value=\"000000000000\">"))
    #expect(world.book.read { $0.position } == before)
  }

  // MARK: Safety

  @Test func `a form of another site or another session records nothing`() async throws {
    let (world, browser, _) = try await visit()
    let token = try #require(browser.formToken(in: await browser.get("/").text))
    let before = world.book.read { $0.position }
    let fields: KeyValuePairs = ["token": token, "do": "create_task", "title": "A"]
    #expect(await browser.post("/do", fields, site: "cross-site").status == .forbidden)
    #expect(await browser.post("/do", fields, site: "same-site").status == .forbidden)
    let bob = try await world.browser(of: "bob@example.com")
    #expect(await bob.post("/do", fields).status == .forbidden)
    #expect(await browser.post("/do", ["do": "create_task", "title": "A"]).status == .forbidden)
    #expect(world.book.read { $0.accounts.elements.count } == 2)
    #expect(world.book.read { $0.tasks.elements.isEmpty })
    #expect(world.book.read { $0.position } >= before)
  }

  @Test(arguments: [
    "//evil.example", "https://evil.example", "/\\evil.example", "javascript:x", "/a b",
  ])
  func `a form leads to no other site`(back: String) async throws {
    let (_, browser, _) = try await visit()
    let token = try #require(browser.formToken(in: await browser.get("/").text))
    let answer = await browser.post(
      "/do", ["token": token, "do": "create_task", "title": "A", "back": back])
    #expect(answer.location == "/")
  }

  @Test func `every answer forbids what the page does not need`() async throws {
    let (_, browser, _) = try await visit()
    for target in ["/", "/enter", "/page/page.css", "/nowhere", "/tasks"] {
      let answer = await browser.get(target)
      let policy = answer.headers[.contentSecurityPolicy] ?? ""
      #expect(policy.hasPrefix("default-src 'none'"), "\(target)")
      #expect(!policy.contains("unsafe"), "\(target)")
      #expect(answer.headers[.xContentTypeOptions] == "nosniff", "\(target)")
    }
    #expect(browser.cookies.keys.sorted() == ["daybook-access", "daybook-refresh"])
  }

  @Test func `what people write is shown as text on every screen`() async throws {
    let (world, browser, ada) = try await visit()
    let hostile = #"<script>x</script>\"'&{{token}}"#
    for line in [
      #"{"do":"create_habit","name":"\#(hostile)","emoji":"<b>","unit":"<i>"}"#,
      #"{"do":"create_task","title":"\#(hostile)"}"#,
      #"{"do":"create_goal","title":"\#(hostile)"}"#,
      #"{"do":"create_hive","name":"\#(hostile)"}"#,
      #"{"do":"update_profile","display_name":"\#(hostile)"}"#,
    ] {
      try world.record(line, as: ada)
    }
    let key = try #require(world.book.read { $0.habits.elements.last?.key })
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    let goal = try #require(world.book.read { $0.goals.elements.last?.key })
    for line in [
      #"{"do":"attach_habit","habit":"\#(key)","goal":"\#(goal)"}"#,
      #"{"do":"update_goal","goal":"\#(goal)","description":"\#(hostile)"}"#,
      #"{"do":"update_habit","habit":"\#(key)","question":"\#(hostile)"}"#,
      #"{"do":"choose_focus","habit":"\#(key)"}"#,
      #"{"do":"create_hive_from_habit","p_habit_id":"\#(key)"}"#,
      #"{"do":"create_task","title":"\#(hostile)","due_at":"2026-03-01T20:00:00Z"}"#,
    ] {
      try world.record(line, as: ada)
    }
    try world.record(
      #"{"do":"log_habit","habit":"\#(key)","note":"\#(hostile)"}"#, as: ada)
    // A mark that joins a sign makes one character of both, and the sign would still be one for a browser.
    for (sign, name) in [("<", "lt"), (">", "gt"), ("\"", "quot"), ("'", "#39"), ("&", "amp")] {
      for text in ["\(sign)\u{301}", "\u{600}\(sign)"] {
        let escaped = Array(PageText().escapeText(text).unicodeScalars)
        let rest = escaped.drop { $0 == "\u{600}" }
        #expect(rest.starts(with: "&\(name);".unicodeScalars), "\(text)")
        #expect(!escaped.contains("<") && !escaped.contains("\"") && !escaped.contains("'"))
      }
    }
    try world.record(#"{"do":"create_task","title":"\u0600<i\u0600>search"}"#, as: ada)
    #expect(
      !(await browser.get("/tasks").text.unicodeScalars.split(separator: "<").contains {
        $0.first == "i" && $0.dropFirst().first == "\u{600}"
      }))
    let entrance = await browser.get("/enter?back=%D8%80%22%D8%80%3E%D8%80%3Cmeta").text
    #expect(!entrance.unicodeScalars.contains("\u{600}"))
    var shown = 0
    for target in [
      "/", "/habits/\(key)", "/tasks?search=script", "/hives", "/hives/\(hive)", "/insights",
      "/feed", "/settings", "/goals", "/goals/\(goal)", "/habits", "/habits/\(key)/edit",
      "/habits/new?goal=\(goal)", "/welcome/4",
      "/welcome/5?theme=%3Cscript%3Ex&habits=%3Cb%3E&timezone=%3Cscript%3Ex",
    ] {
      let text = await browser.get(target).text
      #expect(!text.contains("<script>x"), "\(target)")
      #expect(!text.contains("<b>") && !text.contains("<i>"), "\(target)")
      if text.contains("&lt;script&gt;x") { shown += 1 }
    }
    #expect(shown >= 11)
  }

  @Test func `a hive's page offers no undo of what was not done`() async throws {
    let (world, browser, ada) = try await visit()
    try world.record(#"{"do":"create_hive","name":"Bees"}"#, as: ada)
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    #expect(!(await browser.get("/hives/\(hive)").text.contains("value=\"undo\"")))
    try await browser.submit("log_hive_today", on: "/hives/\(hive)")
    #expect(await browser.get("/hives/\(hive)").text.contains("value=\"undo\""))
  }

  @Test func `a month shows all its days, whichever of them is looked at`() async throws {
    let (world, browser, _) = try await visit()
    let read = try habit("Read", world).key
    world.clock.advance(days: 9)
    try await browser.submit("log_habit", ["habit": read.description], on: "/")
    let page = await browser.get("/habits/\(read)?on=2026-03-03").text
    #expect(page.contains("aria-label=\"Tue, Mar 10, 2026, done\""))
  }

  @Test func `another account's habit and hive are not found`() async throws {
    let (world, browser, _) = try await visit()
    let bob = try await world.browser(of: "bob@example.com")
    try world.record(#"{"do":"create_habit","name":"Secret"}"#, as: try bob.account())
    try world.record(#"{"do":"create_hive","name":"Secret"}"#, as: try bob.account())
    let key = try habit("Secret", world).key
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    for target in ["/habits/\(key)", "/habits/x", "/hives/\(hive)", "/hives/x"] {
      let answer = await browser.get(target)
      #expect(answer.status == .notFound, "\(target)")
      #expect(!answer.text.contains("Secret"))
    }
  }

  // MARK: Time

  @Test func `the past is shown as it was known, and cannot be changed`() async throws {
    let (world, browser, _) = try await visit()
    try await browser.submit("log_habit", on: "/")
    world.clock.advance(days: 3)
    let now = await browser.get("/").text
    #expect(now.contains("0 of 2 done"))
    #expect(now.contains("action=\"/do\""))
    let then = await browser.get("/?as_of=2026-03-01").text
    #expect(then.contains("1 of 2 done"))
    #expect(!then.contains("action=\"/do\""))
    #expect(then.contains("The past is read-only."))
    #expect(then.contains("href=\"/tasks?as_of=2026-03-01\""))
  }

  @Test func `a slider without scripts leads to the address of its day`() async throws {
    let (world, browser, _) = try await visit()
    world.clock.advance(days: 10)
    #expect(await browser.get("/?back=3").location == "/?as_of=2026-03-08")
    #expect(
      await browser.get("/tasks?search=a&back=0&as_of=2026-03-02").location == "/tasks?search=a")
    #expect(await browser.get("/?as_of=yesterday").status == .badRequest)
    #expect(await browser.get("/?as_of=2026-03-11").location == "/", "the day is not over")
    #expect(await browser.get("/?back=5000").location == "/?as_of=2026-03-01")
    #expect(await browser.get("/?back=999999999999").status == .seeOther)
  }

  @Test func `a streak is explained by its entries, and tried with another rule and a skip (ES-3)`()
    async throws
  {
    let (world, browser, _) = try await visit()
    let read = try habit("Read", world).key
    for _ in 1...3 {
      try await browser.submit("log_habit", ["habit": read.description], on: "/")
      world.clock.advance(days: 1)
    }
    let page = await browser.get("/habits/\(read)").text
    #expect(
      page.contains("<dt>Current streak</dt><dd><a href=\"#why\" title=\"Why?\">3 days</a></dd>"))
    #expect(page.contains("logged, Mar 1, 2026"))
    #expect(await browser.get("/habits/\(read)?rule=strict").status == .ok)
    let missed = await browser.get("/habits/\(read)?on=2026-03-02&whatif=clear_log").text
    #expect(missed.contains("Without a log on"))
    #expect(missed.contains("3 days <span class=\"flip\">→</span> <strong>1 day</strong>"))
    let water = try habit("Water", world).key
    let full = await browser.get("/habits/\(water)?whatif=log_habit").text
    #expect(
      full.contains("0 days <span class=\"flip\">→</span> <strong>1 day</strong>"),
      "a full log is one of the target")
  }

  // MARK: Words and weight

  @Test func `each language says all that the templates and screens ask for`() throws {
    let english = Language.all[0].words
    // What the rules refuse is said in English by themselves.
    for language in Language.all {
      #expect(language.words.keys.filter { !$0.hasPrefix("rejection.") } == english.keys)
    }
    let keys = Set(english.keys.map { $0.replacing(".", with: "_") })
    for (name, bytes) in Asset.templates {
      for match in String(decoding: bytes, as: UTF8.self).matches(of: #/\{\{t\.([A-Za-z_]+)\}\}/#) {
        #expect(keys.contains(String(match.output.1)), "\(name): \(match.output.1)")
      }
    }
    for mark in Mark.allCases { #expect(english.keys.contains("mark.\(mark.rawValue)")) }
    for kind in Activity.Kind.allCases { #expect(english.keys.contains("feed.\(kind.rawValue)")) }
  }

  @Test func `a person's colours are those of the page (HH-30)`() async throws {
    let (_, browser, _) = try await visit()
    #expect(await browser.get("/").text.contains("data-theme=\"honey\""))
    try await browser.submit("update_profile", ["theme": "night"], on: "/settings")
    #expect(await browser.get("/").text.contains("data-theme=\"night\""))
  }

  @Test func `a browser gets its language, and English if there is no other`() async throws {
    let world = try await PageWorld()
    for (asked, title) in [
      ("de-AT,de;q=0.9,en;q=0.8", "Anmelden"), ("fr, en;q=0.5", "Sign in"), ("", "Sign in"),
      ("en;q=0.2, de;q=0.7", "Anmelden"), ("de;q=0, en", "Sign in"),
    ] {
      let text = await Browser(world, language: asked).get("/enter").text
      #expect(text.contains("<h1>\(title)</h1>"), "\(asked)")
    }
  }

  // The scripts come after it, and have a limit of their own.
  @Test func `the first screen with its styles weighs less than 100 KB`() async throws {
    let (world, browser, ada) = try await visit()
    for number in 1...10 {
      try world.record(#"{"do":"create_habit","name":"Habit \#(number)"}"#, as: ada)
    }
    var count = 0
    for target in ["/", "/page/page.css", "/page/icon.svg"] {
      count += await browser.get(target).body.count
    }
    #expect(count < 100_000)
  }
}

extension Browser {
  /// The token that a screen's forms contain.
  func formToken(in text: String) -> String? {
    text.firstMatch(of: #/name="token" value="([^"]+)"/#).map { String($0.output.1) }
  }
}
