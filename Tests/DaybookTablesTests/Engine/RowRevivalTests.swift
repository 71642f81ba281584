import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookTables

/// Rows deleted and inserted again under the same key, as an app does to revert a deletion.
@Suite(.tags(.unit)) struct RowRevivalTests {
  private let garden: Garden
  private static let own = "00000000-0000-4000-8000-00000000aaaa"
  private static let told = "return=representation"
  private static let merge = "return=representation,resolution=merge-duplicates"

  init() async throws {
    var garden = try Garden()
    garden.schema = .together
    self.garden = garden
    await ask(.post, "households", ["name": "Home"])
  }

  @discardableResult
  private func ask(
    _ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil, prefer: String = told,
    by viewer: Viewer = .account(Garden.ada)
  ) async -> WireResponse {
    await garden.ask(method, target, body, prefer: prefer, by: viewer)
  }

  /// A row of each table, with one column that the new row changes, and one that it omits.
  private static let samples: [(table: String, row: JSON, left: String, again: JSON)] = [
    ("habits", ["name": "Walk", "emoji": "🚶"], "emoji", ["name": "Run"]),
    ("goals", ["title": "Fit", "description": "by May"], "description", ["title": "Calm"]),
    ("hives", ["name": "Bees", "emoji": "🐝"], "emoji", ["name": "Wasps"]),
    (
      "household_tasks", ["title": "Wash", "description": "all"], "description",
      ["title": "Iron"]
    ),
    ("recipes", ["title": "Soup", "notes": "hot"], "notes", ["title": "Stew"]),
    ("pantry_staples", ["name": "Rice", "quantity": 2], "quantity", ["name": "Oats"]),
    (
      "calendar_events",
      [
        "title": "Fair", "start_time": "2026-03-12T10:00:00Z", "end_time": "2026-03-12T11:00:00Z",
        "description": "big",
      ],
      "description",
      [
        "title": "Market", "start_time": "2026-03-13T10:00:00Z", "end_time": "2026-03-13T11:00:00Z",
      ]
    ),
  ]

  private static func row(_ columns: JSON) -> JSON {
    .object([.init("id", .string(own))] + (columns.members ?? []))
  }

  @Test(arguments: samples.indices, [told, merge])
  func `a row inserted again under its deleted key has the new values (DM-9)`(
    place: Int, prefer: String
  ) async throws {
    let (table, row, left, again) = Self.samples[place]
    let made = await ask(.post, table, Self.row(row))
    #expect(made.status == .created, "\(made.text)")
    await ask(.delete, "\(table)?id=eq.\(Self.own)")
    #expect(await ask(.get, table).json == [])
    // Another account's row stays as it is, and is not revealed.
    let stranger = await ask(.post, table, Self.row(again), by: .account(Garden.ben))
    #expect(stranger.status != .created, "\(stranger.text)")
    #expect(await ask(.get, table).json == [])
    let answer = await ask(.post, table, Self.row(again), prefer: prefer)
    #expect(answer.status == .created, "\(answer.text)")
    let found = try #require(await ask(.get, "\(table)?id=eq.\(Self.own)").json?.elements?.first)
    #expect(answer.json == [found])
    for member in again.members ?? [] where member.value.text?.hasSuffix("Z") != true {
      #expect(found[member.name] == member.value)
    }
    #expect(found[left] == .null, "\(left): \(found)")
    // The row exists once, and a plain insert of it is refused as a duplicate.
    #expect(await ask(.get, table).json?.elements?.count == 1)
    #expect(await ask(.post, table, Self.row(again)).refusal == "409 23505")
  }

  @Test(arguments: [("tasks", "title"), ("labels", "name")])
  func `a device cannot restore a purged task or label (DM-8)`(
    table: String, column: String
  ) async {
    let row = Self.row(.object([.init(column, "Call")]))
    await ask(.post, table, row)
    // Other accounts cannot find out whether it exists or existed.
    let ben = Viewer.account(Garden.ben)
    let (plain, merged) = (
      await ask(.post, table, row, by: ben),
      await ask(.post, table, row, prefer: Self.merge, by: ben)
    )
    await ask(.delete, "\(table)?id=eq.\(Self.own)")
    #expect(await ask(.post, table, row, by: ben).refusal == plain.refusal)
    #expect(await ask(.post, table, row, prefer: Self.merge, by: ben).refusal == merged.refusal)
    #expect(merged.refusal == "403 42501")
    let position = garden.book.read { $0.position }
    let late = await ask(.post, table, row, prefer: Self.merge)
    #expect(late.status == .ok && late.json == [])
    #expect(await ask(.post, table, row).refusal == "409 23505")
    #expect(garden.book.read { $0.position } == position)
  }

  @Test func `any member may restore a deleted household entity (MC-11)`()
    async throws
  {
    let shown = await ask(.post, "rpc/create_household_code", [:])
    let code = try #require(shown.json?["code"] ?? shown.json?.elements?.first?["code"])
    let joining: JSON = .object([.init("p_code", code)])
    await ask(.post, "rpc/join_household_with_code", joining, by: .account(Garden.ben))
    let made = await ask(.post, "recipes", Self.row(["title": "Soup"]))
    let row = try #require(made.json?.elements?.first)
    let ben = Viewer.account(Garden.ben)
    await ask(.delete, "recipes?id=eq.\(Self.own)", by: ben)
    let back = await ask(.post, "recipes", row, by: ben)
    #expect(back.status == .created, "\(back.text)")
    #expect(back.json?.elements?.first?["created_by"] == row["created_by"])
  }

  @Test func `an old row does not restore a tombstone (DM-8)`() async {
    await ask(.post, "tasks", Self.row(["title": "Call"]))
    await ask(.patch, "tasks?id=eq.\(Self.own)", ["deleted_at": "2026-03-10T00:00:00Z"])
    let late = await ask(.post, "tasks", Self.row(["title": "Call"]), prefer: Self.merge)
    #expect(late.status == .ok && late.json?.elements?.first?["deleted_at"] != .null)
    #expect(await ask(.post, "tasks", Self.row(["title": "Call"])).refusal == "409 23505")
    let silent: JSON = Self.row(["title": "Call", "deleted_at": .null])
    let whole = await ask(.post, "tasks", silent, prefer: Self.merge)
    #expect(whole.json?.elements?.first?["deleted_at"] != .null)
    let back = await ask(.patch, "tasks?id=eq.\(Self.own)", ["deleted_at": .null])
    #expect(back.json?.elements?.first?["deleted_at"] == .null, "this client knows of the deletion")
  }

  @Test func `a part of a deleted entity does not return without it`() async {
    let goal = "00000000-0000-4000-8000-00000000bbbb"
    await ask(.post, "goals", ["id": .string(goal), "title": "Fit"])
    await ask(.post, "habits", Self.row(["name": "Walk", "goal_id": .string(goal)]))
    await ask(.delete, "habits?id=eq.\(Self.own)")
    await ask(.delete, "goals?id=eq.\(goal)")
    let position = garden.book.read { $0.position }
    #expect(await ask(.post, "habits", Self.row(["name": "Walk"])).refusal == "409 23505")
    #expect(garden.book.read { $0.position } == position)
    await ask(.post, "goals", ["id": .string(goal), "title": "Fit"])
    #expect(await ask(.post, "habits", Self.row(["name": "Walk"])).status == .created)
  }
}
