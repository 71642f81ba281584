import Avro
import Calendar
import Daybook
import DaybookAPI
import DaybookAuth
import DaybookStore
import HTTPTypes
import Synchronization
import Testing
import Values
import Wire

@testable import DaybookServer

@Suite(.tags(.unit)) struct PersonalTokenTests {
  @Test func `a token logs its own habit, and nothing else (HH-8)`() async throws {
    let world = try await World()
    let token = try await world.token(["log:\(world.read)"])
    let logged = await world.ask(.post, ["commands"], world.log(world.read), by: token)
    #expect(logged.status == .ok)
    #expect(try JSON(parsing: logged.body)["ok"]?["value"]?.integer == 1)
    let aliased: JSON = [
      "do": "log_habit", "habit": .string(world.read.description),
      "habit_id": .string(world.run.description),
    ]
    let past: JSON = [
      "do": "log_habit", "habit": .string(world.read.description), "day": "2020-01-01",
    ]
    let acting: JSON = [
      "do": "log_habit", "habit": .string(world.read.description), "as": "somebody",
    ]
    let clearing: JSON = ["do": "clear_log", "habit": .string(world.read.description)]
    for command in [world.log(world.run), aliased, past, acting, clearing, ["do": "log_habit"]] {
      let answer = await world.ask(.post, ["commands"], command, by: token)
      #expect(answer.status == .forbidden, "\(command.encoded)")
    }
    let batch: JSON = .array([world.log(world.read)])
    #expect(await world.ask(.post, ["commands"], batch, by: token).status != .ok)
    for path in [
      ["ask", "today"], ["ask", "habits"], ["export", "jsonl"], ["tokens"], ["events"],
    ] {
      #expect(await world.ask(.get, path, by: token).status == .forbidden, "\(path)")
    }
    #expect(world.loggedDayCount == 1)
  }

  @Test func `whatever the media type says, one command is read`() async throws {
    let world = try await World()
    let token = try await world.token(["log:\(world.read)"])
    let lines = Array((world.log(world.read).encoded + "\n" + world.log(world.run).encoded).utf8)
    let answer = await world.ask(
      .post, ["commands"], bytes: lines, by: token, type: "application/jsonl")
    #expect(answer.status == .unprocessableContent && world.loggedDayCount == 0)
    let one = await world.ask(
      .post, ["commands"], world.log(world.read), by: token, type: "application/jsonl")
    #expect(one.status == .ok && world.loggedDayCount == 1)
  }

  @Test func `a token reads the day of now, and no other`() async throws {
    let world = try await World()
    let token = try await world.token(["today"])
    let today = await world.ask(.get, ["ask", "today"], by: token)
    #expect(today.status == .ok && !today.body.isEmpty)
    let past = await world.ask(
      .get, ["ask", "today"], by: token, query: "as_of=2026-01-01T00:00:00Z")
    #expect(past.status == .forbidden)
    #expect(
      await world.ask(.post, ["commands"], world.log(world.read), by: token).status == .forbidden)
  }

  @Test func `a token is shown once, listed without its secret, and revoked by its owner alone`()
    async throws
  {
    let world = try await World()
    let token = try await world.token(["today"])
    let list = await world.tokens.answer(WireRequest(.get, ["tokens"]), for: world.ada)
    let text = String(decoding: list.body, as: UTF8.self)
    #expect(!text.contains(token))
    let row = try #require(try JSON(parsing: list.body)["ok"]?.elements?.first)
    #expect(row["scopes"] == ["today"] && row["last_used_at"] == .null)
    let id = try #require(row["id"]?.text)
    let others = await world.tokens.answer(WireRequest(.get, ["tokens"]), for: world.bob)
    #expect(try JSON(parsing: others.body)["ok"]?.elements == [])
    let delete = WireRequest(.delete, ["tokens", id])
    #expect(await world.tokens.answer(delete, for: world.bob).status == .notFound)
    #expect(await world.tokens.answer(delete, for: nil).status == .unauthorized)
    #expect(await world.ask(.get, ["ask", "today"], by: token).status == .ok)
    #expect(await world.tokens.answer(delete, for: world.ada).status == .ok)
    #expect(await world.ask(.get, ["ask", "today"], by: token).status == .unauthorized)
    #expect(await world.ask(.get, ["ask", "today"], by: "daybook_guess").status == .unauthorized)
  }

  @Test func `a token of an account that was erased permits nothing`() async throws {
    let world = try await World()
    let token = try await world.token(["today"])
    try world.book.erase(world.number(of: world.ada))
    #expect(await world.ask(.get, ["ask", "today"], by: token).status == .unauthorized)
  }

  @Test func `a token is refused once it was used too often, and works again an hour later`()
    async throws
  {
    let world = try await World { $0.limits.usesPerToken = 3 }
    let token = try await world.token(["today"])
    for _ in 0..<3 { #expect(await world.ask(.get, ["ask", "today"], by: token).status == .ok) }
    let refusal = await world.ask(.get, ["ask", "today"], by: token)
    #expect(refusal.status == .tooManyRequests && refusal.headers[.retryAfter] != nil)
    world.clock.advance(seconds: 3601)
    #expect(await world.ask(.get, ["ask", "today"], by: token).status == .ok)
  }

  @Test func `an account has a bounded number of tokens`() async throws {
    let world = try await World()
    for _ in 0..<PersonalToken.mostCount { _ = try await world.token(["today"]) }
    #expect(await world.make(["today"]).status == .unprocessableContent)
    #expect(await world.make(scopes: ["today"], for: world.bob).status == .created)
  }

  @Test func `a scope that is not one, or concerns what the account may not see, is refused`()
    async throws
  {
    let world = try await World()
    let foreign = try await World().read
    for scopes: JSON in [
      [], ["all"], ["log"], ["log:"], ["log:7"], ["today:"], ["calendar"], [7], "today", nil,
      ["today", "calendar:tasks"], [.string("log:\(foreign)")],
      [.string("calendar:\(world.read)")],
    ] {
      let answer = await world.make(scopes: scopes, for: world.ada)
      #expect([.unprocessableContent, .notFound].contains(answer.status), "\(scopes.encoded)")
    }
    // Bob is in no household, and the habit is Ada's.
    for scope in ["log:\(world.read)", "calendar:\(world.home)"] {
      #expect(await world.make(scopes: [.string(scope)], for: world.bob).status == .notFound)
    }
    for name in ["", " ", String(repeating: "x", count: 201)] {
      #expect(await world.make(["today"], named: name).status == .unprocessableContent)
    }
    #expect(await world.make(scopes: ["today"], for: nil).status == .unauthorized)
  }

  @Test func `a scope is read as it is written`() {
    let key = Key(high: 1, low: 2)
    for scope: TokenScope in [
      .log(key), .today, .taskCalendar, .habitCalendar, .householdCalendar(key),
    ] {
      #expect(TokenScope(scope.text) == scope)
    }
  }

  @Test func `a calendar is read by its address, and only when it changed (MC-10)`() async throws {
    let world = try await World()
    let made = await world.make(["calendar:\(world.home)", "calendar:habits"])
    let address = try #require(try JSON(parsing: made.body)["ok"]?["address"]?.text)
    #expect(address.hasPrefix("https://daybook.example/feeds/daybook_"))
    let name = String(try #require(address.split(separator: "/").last))
    let first = await world.tokens.calendar(WireRequest(.get, []), named: name)
    #expect(first.status == .ok)
    let text = String(decoding: first.body, as: UTF8.self)
    #expect(text.contains("SUMMARY:Read\r\n") && text.contains("X-WR-CALNAME:Home\r\n"))
    // Another minute, and another person's doings, change nothing.
    world.clock.advance(seconds: 90)
    _ = try await world.book.record(CreateTask(title: "Rest"), by: world.number(of: world.bob))
    let tag = try #require(first.headers[.eTag])
    let again = WireRequest(.get, [], headers: [.ifNoneMatch: tag])
    let unchanged = await world.tokens.calendar(again, named: name)
    #expect(unchanged.status == .notModified && unchanged.body.isEmpty)
    _ = try await world.book.record(CreateHabit(name: "Swim"), by: world.number(of: world.ada))
    let changed = await world.tokens.calendar(again, named: name)
    #expect(changed.status == .ok && changed.headers[.eTag] != tag)

    // The address permits nothing else, and no other token is an address.
    let secret = String(name.dropLast(4))
    #expect(await world.ask(.get, ["ask", "today"], by: secret).status == .forbidden)
    let today = try await world.token(["today"])
    for wrong in [today + ".ics", secret, "daybook_guess.ics", ".ics", ""] {
      #expect(await world.tokens.calendar(WireRequest(.get, []), named: wrong).status == .notFound)
    }
    #expect(
      await world.tokens.calendar(WireRequest(.post, []), named: name).status == .methodNotAllowed)
  }

  @Test func `a calendar shows nothing of a household that its owner left (MC-11)`() async throws {
    let world = try await World()
    let made = await world.make(["calendar:\(world.home)"])
    let address = try #require(try JSON(parsing: made.body)["ok"]?["address"]?.text)
    let name = String(try #require(address.split(separator: "/").last))
    #expect(await world.tokens.calendar(WireRequest(.get, []), named: name).status == .ok)
    let household = try #require(world.book.read { $0.households.number(of: world.home) })
    _ = try await world.book.record(LeaveHousehold(household), by: world.number(of: world.ada))
    #expect(await world.tokens.calendar(WireRequest(.get, []), named: name).status == .notFound)
  }

  @Test func `the address of a calendar is kept in no list of targets`() throws {
    let targets = TargetCache(names: [])
    let found = try #require(targets.find("/feeds/daybook_secret.ics"))
    #expect(found.route == .feed("daybook_secret.ics") && found.label == "feeds")
    #expect(targets.count == 0)
  }
}

/// Ada with two habits and a household, Bob, and the service of their tokens.
private struct World {
  let book: Book
  let tokens: PersonalTokens
  let clock = HandClock()
  let ada = Key(high: 1, low: 1)
  let bob = Key(high: 1, low: 2)
  let read = Key()
  let run = Key()
  let home = Key()

  init(_ change: (inout AuthSettings) -> Void = { _ in }) async throws {
    let clock = clock
    var settings = AuthSettings(siteURL: "https://daybook.example")
    settings.now = { clock.now }
    change(&settings)
    let pepper = try Pepper("a pepper of the tests, and of nothing else")
    book = Book.inMemory(clock: BookClock(now: { clock.now }), pepper: pepper)
    let auth = try await AuthService(
      settings: settings, database: ServerDatabase(), book: book, pepper: pepper,
      outbound: Nowhere())
    tokens = PersonalTokens(
      auth: auth, api: ClientAPI(book: book), site: "https://daybook.example")
    for person in [ada, bob] {
      _ = try await book.record(CreateAccount(key: person, timeZone: "UTC"))
      _ = try await auth.visitLink(for: person)
    }
    let number = try number(of: ada)
    _ = try await book.record(CreateHabit(key: read, name: "Read"), by: number)
    _ = try await book.record(CreateHabit(key: run, name: "Run"), by: number)
    _ = try await book.record(CreateHousehold(key: home, name: "Home"), by: number)
  }

  func number(of person: Key) throws -> Account.ID {
    try #require(book.read { $0.accounts.number(of: person) })
  }

  /// The number of days that any habit has a log of.
  var loggedDayCount: Int {
    book.read { state in
      state.habits.elements.indices.reduce(0) { $0 + state.habits.elements[$1].days.records.count }
    }
  }

  func log(_ habit: Key) -> JSON {
    ["do": "log_habit", "habit": .string(habit.description)]
  }

  func make(
    scopes: JSON, named name: String = "Button", for account: Key?
  ) async -> WireResponse {
    let body: JSON = ["name": .string(name), "scopes": scopes]
    return await tokens.answer(
      WireRequest(.post, ["tokens"], body: Array(body.encoded.utf8)), for: account)
  }

  func make(_ scopes: [String], named name: String = "Button") async -> WireResponse {
    await make(scopes: .array(scopes.map { .string($0) }), named: name, for: ada)
  }

  func token(_ scopes: [String]) async throws -> String {
    let answer = await make(scopes)
    try #require(answer.status == .created)
    return try #require(try JSON(parsing: answer.body)["ok"]?["token"]?.text)
  }

  func ask(
    _ method: HTTPRequest.Method, _ path: [String], _ body: JSON? = nil, bytes: [UInt8]? = nil,
    by token: String, query: String = "", type: String = "application/json"
  ) async -> WireResponse {
    await tokens.answer(
      WireRequest(
        method, path, query: WireQuery(encoded: query), headers: [.contentType: type],
        body: bytes ?? body.map { Array($0.encoded.utf8) } ?? []), with: token)
  }
}

/// A clock that only tests move.
private final class HandClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_772_452_800_000)

  var now: Instant { milliseconds.withLock { Instant(clamping: $0) } }

  func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
}

/// No other server can be reached.
private struct Nowhere: Outbound {
  func send(
    _ method: HTTPRequest.Method, _ url: String, headers: HTTPFields, body: [UInt8]
  ) async throws(OutboundFailure) -> WireResponse {
    throw OutboundFailure("There is no network.")
  }
}
