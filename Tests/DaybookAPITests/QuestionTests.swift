import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Wire

@testable import DaybookAPI

/// The API answers questions as `daybook ask` does.
@Suite(.tags(.law)) struct QuestionTests {
  /// The fields that some questions need, as Ada may ask them.
  static let fields: [String: JSON] = [
    "audit": ["habit": habit], "calendar": ["from": "2026-03-02"],
    "comparison": ["against": "loop"], "diff": ["from": "2026-03-02T12:00:00Z"],
    "disagreements": ["against": "loop"], "due": ["from": "2026-03-02T00:00:00Z"],
    "entries": ["positions": [1, 2, 3]], "feed": ["limit": 5],
    "grocery_item": ["item": .string(APIWorld.key(12, 1).description)],
    "heatmap": ["habit": habit, "year": 2026], "history": ["habit": habit],
    "hive": ["hive": .string(APIWorld.key(4, 1).description), "days": 7],
    "recipe": ["recipe": .string(APIWorld.key(8, 2).description), "servings": 3],
    "replay": ["habit": habit], "stats": ["by": "week", "last": 4],
    "strength": ["habit": habit, "last": 3],
    "task_history": ["task": .string(APIWorld.key(8, 1).description)],
    "tasks": ["labels": [.string(APIWorld.key(9, 1).description)]],
    "then_and_now": ["habit": habit, "late": true],
    "whatif": ["commands": [["do": "log_habit", "habit": habit]], "days": 3],
  ]
  private static let habit = JSON.string(APIWorld.habit.description)

  private static func question(_ name: String, _ axes: [JSON.Member] = []) -> JSON {
    .object([.init("ask", .string(name))] + (fields[name]?.members ?? []) + axes)
  }

  /// A question in the form of a query.
  private static func query(_ question: JSON) -> String {
    (question.members ?? []).dropFirst().map { member in
      let values = member.value.elements ?? [member.value]
      return "\(member.name)=" + values.map { $0.text ?? $0.encoded }.joined(separator: ",")
    }.joined(separator: "&")
  }

  private func answer(_ question: JSON, _ world: APIWorld, as account: Key) throws -> String {
    do {
      let request = try QuestionRequest(
        question, of: world.book.reader, knowing: world.book.read { $0 },
        from: .account(world.number(account)), at: world.clock.instant)
      return #"{"ok":\#(try request.answer().json.encoded)}"#
    } catch let rejection as Rejection {
      return try rejection.asSeen(by: .account(world.number(account))).code
    }
  }

  @Test(arguments: QuestionRequest.names)
  func `the API answers each question as ask does, for every account`(name: String) async throws {
    let world = try APIWorld()
    let past: [JSON.Member] = [.init("as_of", "2026-03-02T12:00:00Z")]
    let axes: [[JSON.Member]] =
      QuestionRequest.form(of: name)?.axes.contains(.asOf) == true ? [[], past] : [[]]
    for (account, axes) in [APIWorld.ada, APIWorld.bob, APIWorld.dan].flatMap({ account in
      axes.map { (account, $0) }
    }) {
      let question = Self.question(name, axes)
      let expected = try answer(question, world, as: account)
      let posted = await world.api.answer(
        WireRequest(.post, ["ask"], body: Array(question.encoded.utf8)), for: account)
      #expect((posted.code ?? posted.text) == expected, "\(question.encoded)")
      if account == APIWorld.ada, axes.isEmpty, QuestionRequest.form(of: name)?.asker != .nobody {
        #expect(posted.status == .ok, "\(posted.text)")
      }
      guard name != "whatif" else { continue }
      let asked = await world.ask(name, Self.query(question), as: account)
      #expect((asked.code ?? asked.text) == expected, "\(Self.query(question))")
    }
  }

  @Test func `query values become numbers, booleans and lists by the question's columns`() throws {
    let columns = [
      Column("count", Int?.self), Column("is", Bool?.self), Column("names", [String]?.self),
      Column("text", String?.self),
    ]
    let query = WireQuery(encoded: "names=a,b&is=true&text=7&count=7&names=c&other=1")
    #expect(
      try query.question("x", columns: columns).encoded
        == #"{"ask":"x","count":7,"is":true,"names":["a","b","c"],"other":"1","text":"7"}"#)
    #expect(throws: APIRefusal.self) {
      try WireQuery(encoded: "text=a&text=b").question("x", columns: columns)
    }
    #expect(throws: APIRefusal.self) {
      try WireQuery(encoded: "ask=y").question("x", columns: columns)
    }
  }

  @Test(
    arguments: [
      ("heatmap", "habit=\(APIWorld.habit)&year=many", 400, "invalid_field"),
      ("heatmap", "habit=\(APIWorld.habit)&year=2026&year=2025", 400, "invalid_field"),
      ("heatmap", "", 400, "missing_field"), ("streaks", "colour=red", 400, "unknown_field"),
      ("streaks", "as=\(APIWorld.bob)", 403, "caller_acts"),
      ("streaks", "as_of=yesterday", 400, "invalid_field"),
      ("streaks", "rule=none", 400, "invalid_field"),
      ("heatmap", "habit=\(APIWorld.key(2, 2))", 404, "habit_not_found"),
      ("metrics", "", 403, "system_only"),
      ("streaks", "as_of=2027-03-04T12:00:00Z", 400, "invalid_field"),
      ("audit", "habit=\(APIWorld.habit)&as_of=9999-12-31T23:59:59Z", 400, "invalid_field"),
      ("due", "from=2026-03-02T00:00:00Z&to=9999-12-31T23:59:59Z", 400, "invalid_field"),
      ("due", "from=0001-01-01T00:00:00Z", 400, "invalid_field"),
      ("calendar", "from=0001-01-01&to=9999-12-31", 400, "invalid_field"),
      ("stats", "by=day&last=3701", 400, "invalid_field"),
      ("feed", "limit=1001", 400, "invalid_field"),
      ("density", "about=\(APIWorld.key(2, 2))", 400, "invalid_field"),
      ("moment", "about=\(APIWorld.key(9, 9))", 400, "invalid_field"),
      ("density", "from=2026-03-02&to=2026-03-01", 400, "invalid_field"),
    ])
  func `an invalid question is refused with the error's code`(
    name: String, query: String, status: Int, code: String
  ) async throws {
    let response = await (try APIWorld()).ask(name, query)
    #expect(response.status.code == status && response.code == code, "\(response.text)")
    #expect(response.headers[.eTag] == nil)
  }

  @Test func `the rules are listed, and a malformed rule is refused by its field`() async throws {
    let world = try APIWorld()
    let rules = try await world.ask("rules").json()
    #expect(rules["ok"]?.elements?.isEmpty == false)
    let body = #"{"ask":"streaks","rule":{"id":"own"}}"#
    let response = await world.api.answer(
      WireRequest(.post, ["ask"], body: Array(body.utf8)), for: APIWorld.ada)
    #expect(response.status == .badRequest)
    #expect(try response.json()["error"]?["field"]?.text == "rule")
  }

  @Test func `HEAD has the headers of GET, without a body`() async throws {
    let world = try APIWorld()
    let got = await world.ask("streaks")
    let head = await world.api.answer(WireRequest(.head, ["ask", "streaks"]), for: APIWorld.ada)
    #expect(head.status == .ok && head.body.isEmpty && head.headers == got.headers)
  }

  // MARK: Limits on length and time

  @Test func `an answer may be as long as the limit, and no byte longer`() throws {
    var body = AnswerBody(atMost: 10) { true }
    for piece in [4, 6, 0] { try body.append(Array(repeating: 0x20, count: piece)) }
    #expect(body.bytes.count == 10)
    let refusal = #expect(throws: APIRefusal.self) { try body.append([0x20]) }
    #expect(refusal?.status == .contentTooLarge && refusal?.code == "answer_too_long")
    #expect(body.bytes.count == 10)
  }

  @Test func `an answer over the limit is refused`() async throws {
    let world = try APIWorld()
    let text = String(repeating: "x", count: 9900)
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1@x", "DTSTART:20260302T120000Z", "RRULE:FREQ=DAILY",
      "DESCRIPTION:\(text)", "END:VEVENT", "END:VCALENDAR", "",
    ]
    let household = APIWorld.key(5, 1)
    try world.record(
      "import_calendar",
      #""household":"\#(household)","ics":"\#(lines.joined(separator: #"\r\n"#))""#)
    let long = await world.ask("calendar", "from=2026-03-03&to=2036-04-18")
    #expect(long.status == .contentTooLarge && long.code == "answer_too_long")
    #expect(long.headers[.eTag] == nil)
    let short = await world.ask("calendar", "from=2026-03-03&to=2034-03-02")
    #expect(short.status == .ok && short.body.count > 28_000_000)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an answer is abandoned when nobody waits for it any more`()
    async
  {
    let (begun, mark) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await TurnQueue(width: 1).run(for: Key(high: 1, low: 1)) { isWanted in
        mark.finish()
        var body = AnswerBody(atMost: .max, while: isWanted)
        while true { try body.append([]) }
      }
    }
    for await _ in begun {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: Entity tags

  @Test(arguments: QuestionRequest.names)
  func `answers with the same tag are identical`(
    name: String
  ) async throws {
    let world = try APIWorld()
    let query = Self.query(Self.question(name))
    var answers: [String: String] = [:]
    for step in 0..<12 {
      for account in [APIWorld.ada, APIWorld.bob] {
        let response = await world.ask(name, query, as: account)
        guard response.status == .ok, let tag = response.headers[.eTag] else { continue }
        #expect(answers.updateValue(response.text, forKey: tag) ?? response.text == response.text)
        let known = await world.ask(name, query, as: account, knowing: "\"other\", W/\(tag)")
        #expect(known.status == .notModified && known.body.isEmpty)
        #expect(known.headers[.eTag] == tag)
      }
      world.clock.advance(seconds: step % 4 == 3 ? 86_400 : 17_000)
      if step == 6 { try world.record("log_habit", #""habit":"\#(APIWorld.habit)""#) }
    }
    let form = try #require(QuestionRequest.form(of: name))
    if form.asker != .nobody, form.clockUse(of: ["ask": .string(name)]) != .instant {
      #expect(!answers.isEmpty, "\(name) is answered without a tag")
    }
  }

  @Test func `the tag changes with each new entry, asker and question`() async throws {
    let world = try APIWorld()
    func tag(_ query: String = "", as account: Key = APIWorld.ada) async throws -> String {
      try #require(await world.ask("streaks", query, as: account).headers[.eTag])
    }
    let first = try await tag()
    #expect(try await tag("rule=loop") != first)
    #expect(try await tag(as: APIWorld.bob) != first)
    #expect(try await tag("as_of=2026-03-02T12:00:00Z") != first)
    try world.record("log_habit", #""habit":"\#(APIWorld.habit)""#)
    #expect(try await tag() != first)
  }
}
