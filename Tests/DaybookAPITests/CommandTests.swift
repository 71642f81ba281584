import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Wire

@testable import DaybookAPI

/// The API carries out commands as `daybook apply` does.
@Suite(.tags(.law)) struct CommandTests {
  @Test func `every command has test fields`() {
    #expect(Set(Request.names) == Set(CommandCases.fields.keys))
  }

  @Test(arguments: Request.names)
  func `the API answers each command as apply does, for every account`(name: String) async throws {
    let line = Self.line(name)
    for account in [APIWorld.ada, APIWorld.bob, APIWorld.dan] {
      let (here, there) = (try APIWorld(), try APIWorld())
      let outcome = try there.apply(line, as: account)
      let response = await here.send(line, as: account)
      #expect(response.body == outcome.text, "\(name): \(response.text)")
      #expect((response.status == .ok) == outcome.isAccepted, "\(name)")
      #expect(here.book.read { $0.digest } == there.book.read { $0.digest })
    }
  }

  @Test(arguments: Request.names)
  func `a repeated command is not carried out again (HH-26)`(name: String) async throws {
    let (world, line) = (try APIWorld(), Self.line(name))
    let id = APIWorld.key(7, 1).description
    let first = await world.send(line, id: id)
    let digest = world.book.read { $0.digest }
    let again = await world.send(line, id: "\"\(id)\"")
    #expect(world.book.read { $0.digest } == digest, "\(name)")
    // A command that changed nothing has no entry with its key, so it is decided again.
    if try first.json()["changed"] == true { #expect(again.body == first.body, "\(name)") }
  }

  @Test func `a key already used by another command is refused (HH-26)`() async throws {
    let (world, id) = (try APIWorld(), APIWorld.key(7, 1).description)
    #expect(await world.send(Self.line("update_habit"), id: id).status == .ok)
    let response = await world.send(Self.line("update_goal"), id: id)
    #expect(response.status == .conflict && response.code == "key_reused")
  }

  // MARK: Batches

  @Test func `the key of a single command is its own, sent alone, in a list or as a line (HH-26)`()
    async throws
  {
    let world = try APIWorld()
    let id = APIWorld.key(77, 7).description
    let line = Self.line("create_task")
    let first = await world.send(line, id: id)
    #expect(first.status == .ok)
    let position = world.position
    #expect(await world.send("[\(line)]", id: id).text == "[\(first.text)]")
    #expect(await world.send(line, id: id, type: "application/jsonl").text == first.text + "\n")
    #expect(world.position == position)
  }

  @Test func `a batch is one commit with an answer for each command`() async throws {
    let (here, there) = (try APIWorld(), try APIWorld())
    let names = ["update_habit", "user_local_date", "log_habit", "create_task", "create_label"]
    let lines = names.map(Self.line)
    let response = await here.send("[\(lines.joined(separator: ","))]")
    var outcomes: [JSON] = []
    for line in lines { outcomes.append(try there.apply(line, as: APIWorld.ada).json) }
    #expect(response.status == .ok)
    #expect(try response.json() == .array(outcomes))
  }

  @Test func `a batch is recorded whole or not at all (HH-26)`() async throws {
    let world = try APIWorld()
    let before = world.book.read { $0.digest }
    let fine = Self.line("update_habit")
    for (index, bad) in [
      (0, Self.line("settle")), (1, #"{"do":"log_habit","habit":"\#(APIWorld.key(2, 2))"}"#),
      (2, "7"), (1, #"{"do":"nothing"}"#),
      (2, #"{"do":"undo","position":5}"#),
    ] {
      var lines = [fine, Self.line("create_label"), Self.line("log_habit")]
      lines[index] = bad
      let response = await world.send("[\(lines.joined(separator: ","))]")
      let error = try response.json()["error"]
      #expect(error?["index"]?.integer == index, "\(response.text)")
      #expect(response.status.code >= 400)
      #expect(world.book.read { $0.digest } == before, "\(bad)")
    }
  }

  @Test func `a repeated batch is answered as the first time (HH-26)`() async throws {
    let (world, id) = (try APIWorld(), APIWorld.key(7, 1).description)
    // The first and the third change nothing.
    let lines = [
      #"{"do":"update_habit","habit":"\#(APIWorld.habit)","name":"Run"}"#,
      #"{"do":"update_habit","habit":"\#(APIWorld.habit)","name":"Swim"}"#,
      #"{"do":"update_habit","habit":"\#(APIWorld.habit)","name":"Swim"}"#,
      #"{"do":"create_task","title":"Fresh"}"#,
      #"{"do":"user_local_date"}"#,
    ]
    let batch = "[\(lines.joined(separator: ","))]"
    let first = await world.send(batch, id: id)
    #expect(first.status == .ok, "\(first.text)")
    try world.record("update_habit", #""habit":"\#(APIWorld.habit)","name":"Walk""#)
    let digest = world.book.read { $0.digest }
    #expect(await world.send(batch, id: id).text == first.text)
    #expect(world.book.read { $0.digest } == digest)
    // Another batch with the same key.
    let other = await world.send("[\(lines[4]),\(lines[3])]", id: id)
    #expect(other.status == .conflict && other.code == "key_reused")
    #expect(world.book.read { $0.digest } == digest)
  }

  @Test func `a repeated batch is also recognised by the ids of its commands (HH-26)`()
    async throws
  {
    let key = { APIWorld.key(8, $0).description }
    for (number, ids) in [[0, 1], [0], [1], []].enumerated() {
      let world = try APIWorld()
      func own(_ index: Int) -> String { ids.contains(index) ? #","id":"\#(key(index))""# : "" }
      // There is nothing to clear yet.
      let batch = """
        [{"do":"clear_log","habit":"\(APIWorld.habit)"\(own(0))},{"do":"create_label","name":"L"\(own(1))}]
        """
      let id = APIWorld.key(7, number).description
      let first = await world.send(batch, id: id)
      #expect(first.status == .ok, "\(first.text)")
      try world.record("log_habit", #""habit":"\#(APIWorld.habit)""#)
      let digest = world.book.read { $0.digest }
      #expect(await world.send(batch, id: id).text == first.text, "\(ids)")
      #expect(world.book.read { $0.digest } == digest, "\(ids): the log is there")
    }
  }

  @Test func `a command first sent alone may be repeated among new ones (HH-26)`()
    async throws
  {
    let world = try APIWorld()
    func update(_ name: String, _ rest: String = "") -> String {
      #"{"do":"update_habit","habit":"\#(APIWorld.habit)","name":"\#(name)"\#(rest)}"#
    }
    let alone = update("Read", #","id":"\#(APIWorld.key(8, 9))""#)
    #expect(await world.send(update("Sit")).status == .ok)
    let told = await world.send(alone)
    #expect(told.status == .ok, "\(told.text)")
    try world.record("update_habit", #""habit":"\#(APIWorld.habit)","name":"Reading""#)
    // In some batches the second command changes nothing now, but would have changed something in the state before the
    // first one. In others it is the other way round.
    for (number, others) in [
      [update("Reading"), #"{"do":"create_label","name":"four"}"#],
      [update("Reading"), update("Reads")],
      [update("Reading")],
      [#"{"do":"create_label","name":"five"}"#],
    ].enumerated() {
      let (batch, id) = (
        "[\(([alone] + others).joined(separator: ","))]", APIWorld.key(7, number).description
      )
      let position = world.book.read { $0.position }
      let first = await world.send(batch, id: id)
      #expect(first.status == .ok, "\(number): \(first.text)")
      #expect(first.text.hasPrefix("[" + told.text), "the first command gets its former answer")
      #expect(number == 2 || world.book.read { $0.position } > position, "\(number)")
      let digest = world.book.read { $0.digest }
      #expect(await world.send(batch, id: id).text == first.text, "\(number)")
      #expect(world.book.read { $0.digest } == digest)
    }
  }

  // MARK: Lines

  @Test func `lines are carried out one by one, and answered line by line`() async throws {
    let (here, there) = (try APIWorld(), try APIWorld())
    let lines = Request.names.map(Self.line) + ["no JSON", "[]"]
    let body = lines.joined(separator: "\r\n\n") + "\n"
    let response = await here.send(body, type: "application/jsonl; charset=utf-8")
    let answers = try there.apply(lines: lines, as: APIWorld.ada)
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "application/jsonl")
    #expect(response.body == answers.flatMap { $0 + [0x0A] })
    #expect(here.book.read { $0.digest } == there.book.read { $0.digest })
  }

  @Test func `repeated lines are not carried out again (HH-26)`() async throws {
    let (world, id) = (try APIWorld(), APIWorld.key(7, 1).description)
    let body = ["create_task", "log_habit", "create_label"].map(Self.line).joined(separator: "\n")
    let first = await world.send(body, id: id, type: "application/x-ndjson")
    let digest = world.book.read { $0.digest }
    #expect(await world.send(body, id: id, type: "application/x-ndjson").text == first.text)
    #expect(world.book.read { $0.digest } == digest)
  }

  @Test func `concurrent clients each get an answer, and nothing is lost`() async throws {
    let world = try APIWorld()
    let before = world.position
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 1...50 {
        group.addTask {
          let (key, name) = (APIWorld.key(20, number), "Habit \(number)")
          return await world.send(#"{"do":"create_habit","key":"\#(key)","name":"\#(name)"}"#)
            .status.code
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 50))
    #expect(world.position == before + 50)
  }

  static func line(_ name: String) -> String {
    let fields = CommandCases.fields[name] ?? ""
    return #"{"do":"\#(name)"\#(fields.isEmpty ? "" : "," + fields)}"#
  }
}
