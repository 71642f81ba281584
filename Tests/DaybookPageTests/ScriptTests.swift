import Avro
import Calendar
import Daybook
import DaybookAuth
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookPage

/// What scripts of the page ask of the server: changes, what they keep, and forms that waited for a connection.
@Suite(.tags(.unit)) struct ScriptTests {
  private static let ada = "ada@example.com"

  // MARK: Changes

  private func changes(_ browser: Browser, _ world: PageWorld) async throws -> PageChanges {
    try await world.page.changes(for: browser.request("/changes"), at: "page.test")
  }

  @Test func `an account is told that something changed, and nothing about others (DG-11)`()
    async throws
  {
    let world = try await PageWorld()
    let (ada, bob) = (
      try await world.browser(of: Self.ada), try await world.browser(of: "bob@example.com")
    )
    var adas = try await changes(ada, world).positions.makeAsyncIterator()
    var bobs = try await changes(bob, world).positions.makeAsyncIterator()
    let start = world.book.read { $0.position }
    #expect(await adas.next() == start)
    #expect(await bobs.next() == start)
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: try bob.account())
    let secret = world.book.read { $0.position }
    try world.record(#"{"do":"create_task","title":"Milk"}"#, as: try ada.account())
    let own = world.book.read { $0.position }
    // The entry before was not for her, and she never hears its position.
    #expect(await adas.next() == own)
    #expect(await bobs.next() == secret)
  }

  @Test func `members of a hive and of a household are told, and not after they left`() async throws
  {
    let world = try await PageWorld()
    let (ada, bob) = (
      try await world.browser(of: Self.ada), try await world.browser(of: "bob@example.com")
    )
    let (adaKey, bobKey) = (try ada.account(), try bob.account())
    try world.record(#"{"do":"create_hive","name":"Bees"}"#, as: adaKey)
    let hive = try #require(world.book.read { $0.hives.elements.last?.key })
    try world.record(
      #"{"do":"create_hive_invite","p_hive_id":"\#(hive)","code":"00000000000a"}"#, as: adaKey)
    var bobs = try await changes(bob, world).positions.makeAsyncIterator()
    _ = await bobs.next()
    func position() -> Int64 { world.book.read { $0.position } }
    try world.record(#"{"do":"join_hive_with_code","p_code":"00000000000a"}"#, as: bobKey)
    #expect(await bobs.next() == position())
    try world.record(#"{"do":"log_hive_today","p_hive_id":"\#(hive)"}"#, as: adaKey)
    #expect(await bobs.next() ?? 0 >= position() - 1)
    try world.record(#"{"do":"leave_hive","p_hive_id":"\#(hive)"}"#, as: bobKey)
    let left = position()
    var told = await bobs.next()
    while let position = told, position < left { told = await bobs.next() }
    #expect(told == left)
    try world.record(#"{"do":"log_hive_today","p_hive_id":"\#(hive)"}"#, as: adaKey)
    try world.record(#"{"do":"create_task","title":"Own"}"#, as: bobKey)
    #expect(await bobs.next() == position())
  }

  @Test func `nobody else gets changes, and no other site`() async throws {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    await #expect(throws: PageRefusal.self) { try await changes(Browser(world), world) }
    await #expect(throws: PageRefusal.self) {
      try await world.page.changes(
        for: ada.request("/changes", site: "same-site"), at: "page.test")
    }
    let answer = try await changes(ada, world)
    #expect(answer.headers[.contentType]?.hasPrefix("text/event-stream") == true)
    #expect(answer.claims.account == (try ada.account()))
  }

  @Test func `a screen that is shown again says nothing of what was done before`() async throws {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    try await ada.submit("create_task", ["quick": "Milk"], on: "/tasks")
    let refresh = try #require(HTTPField.Name("Daybook-Refresh"))
    var request = ada.request("/tasks")
    request.headers[refresh] = "1"
    let again = await world.page.answer(request, at: "page.test")
    #expect(!again.text.contains("value=\"undo\""))
    #expect(again.headers[values: .setCookie].isEmpty)
    #expect(await ada.get("/tasks").text.contains("value=\"undo\""))
  }

  // MARK: What browsers keep

  @Test func `only a screen of an account says that it may be kept, and whose it is (HH-26)`()
    async throws
  {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    let bob = try await world.browser(of: "bob@example.com")
    let name = try #require(HTTPField.Name("Daybook-Account"))
    let mark = try #require(await ada.get("/").headers[name])
    #expect(await ada.get("/tasks").headers[name] == mark)
    #expect(await bob.get("/").headers[name] != mark)
    #expect(!mark.contains(try ada.account().description))
    for target in [
      "/enter", "/enter?link=x", "/nowhere", "/offline", "/settings", "/page/page.css", "/sw.js",
    ] {
      #expect(await ada.get(target).headers[name] == nil, "\(target)")
    }
  }

  @Test func `signing out has the browser delete what it kept`() async throws {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    let token = try #require(ada.formToken(in: await ada.get("/").text))
    let name = try #require(HTTPField.Name("Clear-Site-Data"))
    #expect(await ada.post("/leave", ["token": token]).headers[name] == "\"storage\"")
  }

  @Test func `the worker is at the root, names the files of its version, and is asked for anew`()
    async throws
  {
    let browser = Browser(try await PageWorld())
    let answer = await browser.get("/sw.js")
    #expect(answer.headers[.contentType]?.hasPrefix("text/javascript") == true)
    #expect(answer.headers[.cacheControl] == "no-cache")
    let head = try #require(answer.text.split(separator: "\n").first)
    for name in Asset.scriptNames + ["page.css", "icon.svg"] {
      let address = "/page/\(Asset.version)/\(name)"
      #expect(head.contains("\"\(address)\""))
      let file = await browser.get(address)
      #expect(file.status == .ok)
      #expect(file.headers[.cacheControl]?.contains("immutable") == true)
      #expect(await browser.get("/page/00000000/\(name)").headers[.cacheControl] == "no-cache")
    }
    #expect(await browser.get("/offline").text.contains("No connection"))
  }

  @Test func `all scripts together weigh at most 60 KB, and import each other alone`() async throws
  {
    let browser = Browser(try await PageWorld())
    var count = await browser.get("/sw.js").body.count
    for name in Asset.scriptNames {
      let text = await browser.get("/page/\(name)").text
      count += text.utf8.count
      for match in text.matches(of: #/(?:from|import) "([^"]+)";/#) {
        #expect(Asset.scriptNames.contains(String(match.output.1.dropFirst(2))), "\(name)")
      }
    }
    #expect(count <= 60_000)
  }

  // MARK: Forms that waited

  private func send(
    _ browser: Browser, _ fields: KeyValuePairs<String, String>
  ) async -> WireResponse {
    let body = PercentCode.query(fields.map { ($0.key, $0.value) })
    return await browser.send(.post, "/do", Array(body.utf8), accept: "application/json")
  }

  @Test func `a form that waited is answered in brief, and recorded once (MO-10)`() async throws {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    let token = try #require(ada.formToken(in: await ada.get("/").text))
    let start = world.book.read { $0.position }
    for _ in 1...2 {
      let answer = await send(
        ada,
        [
          "token": token, "do": "create_task", "quick": "Milk in 2 hours #home",
          "id": "5a1c0000-0000-4000-8000-000000000001", "acted_at": "2026-03-01T10:00:00Z",
        ])
      #expect(answer.status == .ok)
      #expect(answer.headers[values: .setCookie].allSatisfy { !$0.contains("daybook-done") })
      world.clock.advance(days: 1)
    }
    // The task, its label, and that it has it.
    #expect(world.book.read { $0.tasks.elements.count } == 1)
    #expect(world.book.read { $0.labels.elements.count } == 1)
    #expect(world.book.read { $0.position } <= start + 3)
    let due = world.book.read { $0.tasks.elements.first?.due }
    #expect(due == Instant("2026-03-01T12:00:00Z"), "counted from when it was typed")
  }

  @Test func `what waited keeps its instant, and a clock that is ahead makes no future`()
    async throws
  {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    let key = try ada.account()
    try world.record(#"{"do":"create_habit","name":"Read"}"#, as: key)
    let habit = try #require(world.book.read { $0.habits.elements.first?.key })
    world.clock.advance(days: 3)
    let token = try #require(ada.formToken(in: await ada.get("/").text))
    for (instant, day) in [
      ("2026-03-02T12:00:00Z", "2026-03-02"), ("2030-01-01T00:00:00Z", "2026-03-04"),
    ] {
      let answer = await send(
        ada,
        ["token": token, "do": "log_habit", "habit": habit.description, "acted_at": instant])
      #expect(answer.status == .ok, "\(answer.text)")
      let found = try #require(Day(day))
      #expect(world.book.read { $0.habits.elements.first?.days[found] } != nil, "\(day)")
    }
    // A day that the form names is the day.
    _ = await send(
      ada,
      [
        "token": token, "do": "log_habit", "habit": habit.description, "day": "2026-03-01",
        "acted_at": "2026-03-03T12:00:00Z",
      ])
    #expect(world.book.read { $0.habits.elements.first?.days["2026-03-01"] } != nil)
    #expect(world.book.read { $0.habits.elements.first?.days["2026-03-03"] } == nil)
  }

  @Test func `a refused form says why, and a stale one that it may be sent again`() async throws {
    let world = try await PageWorld()
    let ada = try await world.browser(of: Self.ada)
    let token = try #require(ada.formToken(in: await ada.get("/").text))
    let refused = await send(ada, ["token": token, "do": "create_task", "title": ""])
    let json = try JSON(parsing: refused.body)
    #expect((400..<500).contains(refused.status.code))
    #expect(json["error"]?.text?.isEmpty == false)
    #expect(json["stale"]?.boolean == false)
    // The form of somebody else's session, as when another account signed in meanwhile.
    let bob = try await world.browser(of: "bob@example.com")
    let foreign = await send(bob, ["token": token, "do": "create_task", "title": "Ada's"])
    #expect(try JSON(parsing: foreign.body)["stale"]?.boolean == true)
    let gone = await send(Browser(world), ["token": token, "do": "create_task", "title": "Ada's"])
    #expect(gone.status == .unauthorized)
    #expect(try JSON(parsing: gone.body)["stale"]?.boolean == true)
    #expect(world.book.read { $0.tasks.elements.isEmpty })
  }
}

extension Browser {
  /// A request with the browser's cookies.
  func request(_ target: String, site: String = "same-origin") -> WireRequest {
    var headers: HTTPFields = [.acceptLanguage: language]
    headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    if let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
    return WireRequest(
      .get, target.split(separator: "/").map(String.init), headers: headers)
  }
}
