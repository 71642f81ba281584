import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookAPI

/// Exported data, and data imported from other programs.
@Suite(.tags(.unit)) struct ExchangeTests {
  private static let tasks =
    #"[{"uuid":"5f8e8a60-0000-4000-8000-000000000001","description":"Pay the rent","status":"pending","priority":"H"}]"#

  private func export(
    _ world: APIWorld, _ format: String, _ query: String = "", of account: Key? = APIWorld.ada
  ) async -> WireResponse {
    await world.api.answer(
      WireRequest(.get, ["export", format], query: WireQuery(encoded: query)), for: account)
  }

  private func bring(
    _ world: APIWorld, _ text: String, _ format: String, _ query: String = "",
    by account: Key? = APIWorld.ada
  ) async -> WireResponse {
    await world.api.answer(
      WireRequest(
        .post, ["import", format], query: WireQuery(encoded: query), body: Array(text.utf8)),
      for: account)
  }

  @Test(arguments: ["jsonl", "csv"])
  func `an export makes a book of its own, with all that the account has (DM-13)`(
    format: String
  ) async throws {
    let world = try APIWorld()
    let answer = await export(world, format)
    #expect(answer.status == .ok)
    for text in ["Buy milk", "Run", "Bees", "Soup"] { #expect(answer.text.contains(text)) }
    let expected = try world.number(APIWorld.ada)
    var lines = ""
    try world.book.reader.export(
      of: expected, as: try #require(ExportFormat(rawValue: format))
    ) { lines += $0 }
    #expect(answer.text == lines)
  }

  @Test func `an export contains nothing that belongs only to another account`() async throws {
    let world = try APIWorld()
    let text = await export(world, "jsonl", of: APIWorld.dan).text
    for hidden in ["Buy milk", "Run", "Bees", "Soup", APIWorld.ada.description] {
      #expect(!text.contains(hidden))
    }
    #expect(await export(world, "jsonl", of: nil).status == .unauthorized)
  }

  @Test func `an export does not tell the keys of others' commands`() async throws {
    let world = try APIWorld()
    let id = APIWorld.key(77, 1)
    let hive = APIWorld.key(4, 1)
    let logged = await world.send(
      #"{"do":"log_hive_today","p_hive_id":"\#(hive)"}"#, as: APIWorld.bob, id: id.description)
    #expect(logged.status == .ok, "\(logged.text)")
    #expect(await export(world, "jsonl", of: APIWorld.bob).text.contains(id.description))
    #expect(!(await export(world, "jsonl").text.contains(id.description)))
  }

  @Test func `an export may end at a past moment`() async throws {
    let world = try APIWorld()
    world.clock.advance(seconds: 60)
    try world.record("create_task", #""title":"Later""#)
    let then = await export(world, "jsonl", "as_of=2026-03-02T12:00:30Z").text
    #expect(then.contains("Buy milk") && !then.contains("Later"))
    #expect(await export(world, "jsonl", "as_of=yesterday").status == .badRequest)
    #expect(await export(world, "jsonl", "asof=x").status == .badRequest)
    #expect(await export(world, "raw-csv").status == .notFound)
  }

  @Test func `a file is tried, then imported, and not imported twice (DM-13)`() async throws {
    let world = try APIWorld()
    let before = world.position
    let tried = await bring(world, Self.tasks, "taskwarrior", "dry_run=true")
    #expect(try tried.json()["ok"]?["tasks_made"]?.integer == 1)
    #expect(try tried.json()["ok"]?["left_out"]?.elements?.first?["what"]?.text == "priorities")
    #expect(world.position == before)
    let done = await bring(world, Self.tasks, "taskwarrior")
    #expect(try done.json()["ok"]?["dry_run"]?.boolean == false)
    #expect(world.position > before)
    let position = world.position
    let again = await bring(world, Self.tasks, "taskwarrior")
    #expect(try again.json()["ok"]?["tasks_found"]?.integer == 1)
    #expect(world.position == position)
  }

  @Test(arguments: [
    (
      "habitbull",
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\nYoga,,,2026-02-27,1,\n",
      "habits_made"
    ),
    ("tickmate", "\"Track\",\"2/27/26\"\n", nil),
    ("todoist", "TYPE,CONTENT,PRIORITY,INDENT\ntask,Repot the basil,4,1\n", "tasks_made"),
    (
      "ics",
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Tea\r\nDTSTART:20260303T120000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
      nil
    ),
    ("recipe", #"{"@type":"Recipe","name":"Leek soup","recipeIngredient":["3 leeks"]}"#, nil),
    ("loop", "not an archive", nil),
  ])
  func `every format is answered, and a trial records nothing`(
    format: String, text: String, member: String?
  ) async throws {
    let world = try APIWorld()
    let before = world.position
    let answer = await bring(world, text, format, "dry_run=true&name=a.file")
    if let member {
      #expect(try answer.json()["ok"]?[member]?.integer == 1, "\(answer.text)")
    } else {
      #expect([200, 422].contains(answer.status.code), "\(answer.text)")
    }
    #expect(world.position == before)
  }

  @Test func `what cannot be imported is refused with its line or its reason`() async throws {
    let world = try APIWorld()
    let before = world.position
    let malformed = await bring(
      world,
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\nYoga,,,someday,1,\n",
      "habitbull", "name=my.csv")
    #expect(malformed.status == .unprocessableContent)
    #expect(try malformed.json()["error"]?["code"]?.text == "malformed")
    #expect(try malformed.json()["error"]?["message"]?.text?.hasPrefix("my.csv, line 2:") == true)
    let homeless = await bring(
      world, #"{"@type":"Recipe","name":"Soup"}"#, "recipe", by: APIWorld.dan)
    #expect(homeless.status == .notFound)
    #expect(await bring(world, "", "loop", by: nil).status == .unauthorized)
    #expect(await bring(world, "", "jsonl").status == .notFound)
    #expect(await bring(world, Self.tasks, "taskwarrior", "dry_run=perhaps").status == .badRequest)
    #expect(await bring(world, Self.tasks, "taskwarrior", "recorded=then").status == .badRequest)
    let long = String(repeating: "x", count: world.api.bodyByteCount + 1)
    #expect(await bring(world, long, "todoist").status == .contentTooLarge)
    #expect(
      await world.api.answer(WireRequest(.get, ["import", "loop"]), for: APIWorld.ada).status
        == .methodNotAllowed)
    #expect(world.position == before)
  }
}
