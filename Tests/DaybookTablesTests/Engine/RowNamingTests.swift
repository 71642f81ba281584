import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookTables

/// Rows whose keys follow from their content, named freely by their apps.
@Suite(.tags(.unit)) struct RowNamingTests {
  private static let merge = "return=representation,resolution=merge-duplicates"
  private static let told = "return=representation"
  private let garden: Garden
  private let habit = "00000000-0000-4000-8000-0000000000f1"
  private let hive = "00000000-0000-4000-8000-0000000000f2"
  private let own = "00000000-0000-4000-8000-00000000aaaa"
  private let other = "00000000-0000-4000-8000-00000000bbbb"

  init() async throws {
    var garden = try Garden()
    garden.schema = .together
    self.garden = garden
    _ = await ask(.post, "habits", ["id": .string(habit), "name": "Walk"])
    _ = await ask(.post, "hives", ["id": .string(hive), "name": "Walkers", "target_per_day": 5])
    _ = await ask(.post, "households", ["name": "Home"])
  }

  @discardableResult
  private func ask(
    _ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil, prefer: String = told,
    by viewer: Viewer = .account(Garden.ada)
  ) async -> WireResponse {
    await garden.ask(method, target, body, prefer: prefer, by: viewer)
  }

  private func ids(_ target: String) async -> [String?] {
    (await ask(.get, target).json?.elements ?? []).map { $0["id"]?.text }
  }

  private func log(_ day: String, _ id: String? = nil, value: Int64 = 1) -> JSON {
    row(["habit_id": .string(habit), "log_date": .string(day), "value": .number(value)], id)
  }

  private func row(_ columns: JSON, _ id: String?) -> JSON {
    .object((columns.members ?? []) + (id.map { [.init("id", .string($0))] } ?? []))
  }

  /// A new row of each table whose keys follow from its content, and a change of it.
  private func samples() -> [(table: String, row: JSON, change: JSON?)] {
    [
      ("habit_logs", log("2026-03-09"), ["skipped": true]),
      (
        "habit_progress",
        ["habit_id": .string(habit), "date": "2026-03-08", "progress": 1], ["date": "2026-03-07"]
      ),
      ("device_tokens", ["apns_token": "phone"], ["environment": "sandbox"]),
      ("contact_hashes", ["contact_hash": "ben"], ["display_name": "Ben"]),
      ("hive_member_days", ["hive_id": .string(hive), "day_date": "2026-03-10"], ["value": 3]),
      ("hive_invites", ["hive_id": .string(hive)], nil),
      (
        "calendar_events",
        ["google_event_id": "g1", "title": "Fair", "start_time": "2026-03-12T10:00:00Z"],
        ["title": "Big fair"]
      ),
    ]
  }

  @Test func `a name belongs to its own row's command alone`() async throws {
    let days = "habit_logs?on_conflict=habit_id,log_date"
    await ask(.post, days, log("2026-03-09"), prefer: Self.merge)
    let before = garden.book.read { $0.position }
    await ask(
      .post, days, .array([log("2026-03-08", own), log("2026-03-09", other)]), prefer: Self.merge)
    var walk = Entries()
    try garden.book.reader.replay(into: &walk, from: before + 1)
    #expect(
      walk.entries.map { "\($0.event.name) \($0.head.step)" } == [
        "HabitLogged 1", "RowNamed 2", "RowNamed 1",
      ])
  }

  @Test func `a row is named by its app, and found, changed and deleted by that name`()
    async
  {
    for (place, sample) in samples().enumerated() {
      let table = sample.table
      let id = "00000000-0000-4000-8000-00000000cc0\(place)"
      let made = await ask(.post, table, row(sample.row, id.uppercased()))
      #expect(made.status == .created, "\(table): \(made.text)")
      #expect(made.json?.elements?.map { $0["id"]?.text } == [id], "\(table)")
      #expect(await ids("\(table)?id=eq.\(id)") == [id], "\(table)")
      let again = await ask(.post, table, row(sample.row, id))
      if table != "device_tokens" && table != "calendar_events" && table != "hive_invites" {
        #expect(again.refusal == "409 23505", "\(table)")
      }
      let merged = await ask(.post, table, row(sample.row, id), prefer: Self.merge)
      #expect(merged.status == .ok, "\(table): \(merged.text)")
      #expect(merged.json?.elements?.map { $0["id"]?.text } == [id], "\(table)")
      if let change = sample.change {
        let changed = await ask(.patch, "\(table)?id=eq.\(id)", change)
        #expect(changed.json?.elements?.map { $0["id"]?.text } == [id], "\(table)")
        for (column, value) in (change.members ?? []).map({ ($0.name, $0.value) }) {
          #expect(changed.json?.elements?.first?[column] == value, "\(table)")
        }
      }
      let gone = await ask(.delete, "\(table)?id=eq.\(id)")
      #expect(gone.json?.elements?.count == 1, "\(table): \(gone.text)")
      #expect(await ids(table).isEmpty, "\(table)")
    }
  }

  @Test func `no two rows share a name, and a freed name can be used again`() async {
    await ask(.post, "habit_logs", log("2026-03-09", own))
    let taken = await ask(.post, "habit_logs", log("2026-03-08", own))
    #expect(taken.refusal == "409 23505")
    #expect(taken.json?["details"]?.text == "Key (id)=(\(own)) already exists.")
    await ask(.delete, "habit_logs?id=eq.\(own)")
    let free = await ask(.post, "habit_logs", log("2026-03-08", own))
    #expect(free.status == .created)
    // A row that returns to the day with that name gets another key.
    await ask(.post, "habit_logs", log("2026-03-09"))
    let all = await ids("habit_logs?order=log_date")
    #expect(all.count == 2 && all.first == own && all.last != own)
  }

  @Test func `an upsert by day renames the row, as a database would`() async {
    await ask(.post, "habit_logs", log("2026-03-09", own))
    let target = "habit_logs?on_conflict=habit_id,log_date"
    let merged = await ask(.post, target, log("2026-03-09", other, value: 1), prefer: Self.merge)
    #expect(merged.status == .ok && merged.json?.elements?.first?["id"]?.text == other)
    #expect(await ids("habit_logs?id=eq.\(own)").isEmpty)
    let unsaid = await ask(.post, target, log("2026-03-09"), prefer: Self.merge)
    #expect(unsaid.json?.elements?.first?["id"]?.text == other)
    await ask(.post, "habit_logs", log("2026-03-08", own))
    let taken = await ask(.post, target, log("2026-03-08", other), prefer: Self.merge)
    #expect(taken.refusal == "409 23505")
    let patched = await ask(.patch, "habit_logs?id=eq.\(own)", ["id": .string(other)])
    #expect(patched.refusal == "409 23505")
  }

  @Test func `a row moved to another day keeps its name`() async {
    let made = await ask(.post, "habit_logs", log("2026-03-09"))
    let derived = made.json?.elements?.first?["id"]?.text
    let moved = await ask(.patch, "habit_logs?log_date=eq.2026-03-09", ["log_date": "2026-03-05"])
    #expect(moved.json?.elements?.first?["id"]?.text == derived)
    #expect(moved.json?.elements?.first?["log_date"]?.text == "2026-03-05")
    let next = await ask(.post, "habit_logs", log("2026-03-09"))
    #expect(next.json?.elements?.first?["id"]?.text != derived)
    let upserted = await ask(.post, "habit_logs", log("2026-03-04", derived), prefer: Self.merge)
    #expect(upserted.status == .ok)
    #expect(await ids("habit_logs?log_date=eq.2026-03-04") == [derived])
    #expect(await ids("habit_logs?log_date=eq.2026-03-05").isEmpty)
    let days = Set(await ids("habit_logs"))
    #expect(days.count == 2)
  }

  @Test func `names are set by the row's owner, and seen by everyone who sees the row`()
    async throws
  {
    let key = Values.Key("00000000-0000-4000-8000-0000000000f2")
    let number = try #require(key.flatMap { key in garden.book.read { $0.hives.number(of: key) } })
    let ben = try #require(garden.book.read { $0.accounts.number(of: Garden.ben) })
    let ada = try #require(garden.book.read { $0.accounts.number(of: Garden.ada) })
    let invite = try await garden.book.record(
      CreateHiveInvite(number, code: "00000000000a"), by: ada)
    #expect(invite.number == 1)
    _ = try await garden.book.record(JoinHive("00000000000a"), by: ben)
    let day: JSON = ["hive_id": .string(hive), "day_date": "2026-03-10"]
    await ask(.post, "hive_member_days", row(day, own), by: .ben)
    #expect(await ids("hive_member_days") == [own])
    let patched = await ask(.patch, "hive_member_days?id=eq.\(own)", ["value": 2])
    #expect(patched.text == "[]")
    // No two rows visible to both have the same name.
    #expect(await ask(.post, "hive_member_days", row(day, own)).refusal == "409 23505")
    let taken = await ask(
      .post, "hive_member_days?on_conflict=id", row(day, own), prefer: Self.merge)
    #expect(taken.refusal == "403 42501")
    await ask(.post, "hive_member_days", row(day, other))
    let mine = "hive_member_days?user_id=eq.\(Garden.ada)"
    #expect(await ask(.patch, mine, ["id": .string(own)]).refusal == "409 23505")
    await ask(.post, "habit_logs", log("2026-03-09", own))
    #expect(await ids("habit_logs?id=eq.\(own)") == [own])
    #expect(await ask(.get, "habit_logs?id=eq.\(own)", by: .ben).text == "[]")
    // The hive's new leader cannot rename another account's invite.
    await ask(.post, "hive_invites", ["hive_id": .string(hive), "id": .string(own)])
    _ = try await garden.book.record(HandOverHive(number, to: ben), by: ada)
    let renamed = await ask(
      .patch, "hive_invites?id=eq.\(own)", ["id": .string(other)], by: .ben)
    #expect(renamed.refusal == "400 0A000")
    let again = await ask(
      .post, "hive_invites", ["hive_id": .string(hive), "id": .string(own)], by: .ben)
    #expect(again.refusal == "409 23505")
  }

  @Test
  func `a row moved away and back keeps its name, and can then be renamed`()
    async
  {
    let made = await ask(.post, "habit_logs", log("2026-03-09"))
    let derived = made.json?.elements?.first?["id"]?.text ?? ""
    for day in ["2026-03-05", "2026-03-09"] {
      let moved = await ask(.patch, "habit_logs?id=eq.\(derived)", ["log_date": .string(day)])
      #expect(moved.json?.elements?.first?["id"]?.text == derived)
    }
    let named = await ask(.patch, "habit_logs?id=eq.\(derived)", ["id": .string(own)])
    #expect(named.json?.elements?.map { $0["id"]?.text } == [own])
    #expect(await ids("habit_logs") == [own])
  }

  @Test func `naming one row does not change another`() async {
    let made = await ask(.post, "habit_logs", log("2026-03-09"))
    let derived = made.json?.elements?.first?["id"]?.text ?? ""
    await ask(.patch, "habit_logs?id=eq.\(derived)", ["log_date": "2026-03-05"])
    let next = await ask(.post, "habit_logs", log("2026-03-09"))
    let shown = next.json?.elements?.first?["id"]?.text
    #expect(shown != nil && shown != derived)
    await ask(.patch, "habit_logs?id=eq.\(derived)", ["id": .string(own)])
    #expect(await ids("habit_logs?order=log_date") == [own, shown])
    await ask(.delete, "habit_logs?id=eq.\(own)")
    await ask(.post, "habit_logs", log("2026-03-04", own))
    #expect(await ids("habit_logs?order=log_date") == [own, shown])
  }

  @Test func `tables have separate names`() async {
    await ask(.post, "habit_logs", log("2026-03-09", own))
    let device = await ask(.post, "device_tokens", ["id": .string(own), "apns_token": "phone"])
    #expect(device.status == .created)
    #expect(await ids("habit_logs?id=eq.\(own)") == [own])
    #expect(await ids("device_tokens?id=eq.\(own)") == [own])
  }

  @Test
  func `a deleted Google event can be inserted again, and an invalid one is refused`()
    async
  {
    let event: JSON = [
      "google_event_id": "g1", "title": "Fair", "start_time": "2026-03-12T10:00:00Z",
    ]
    for _ in 0..<3 {
      let made = await ask(.post, "calendar_events", event)
      #expect(made.status == .created && made.json?.elements?.count == 1)
      await ask(.delete, "calendar_events")
    }
    let long: JSON = [
      "google_event_id": .string(String(repeating: "g", count: 4000)), "title": "Fair",
      "start_time": "2026-03-12T10:00:00Z",
    ]
    #expect(await ask(.post, "calendar_events", long).refusal == "400 23514")
  }

  @Test func `naming a row is one entry, and the same name again is none`() async {
    let before = await ask(.post, "habit_logs", log("2026-03-09"))
    let derived = before.json?.elements?.first?["id"]?.text
    let position = garden.book.read { $0.position }
    await ask(.patch, "habit_logs", ["id": .string(own)])
    #expect(await ids("habit_logs") == [own])
    #expect(garden.book.read { $0.position } == position + 1)
    let same = await ask(.patch, "habit_logs", ["id": .string(own)])
    #expect(same.status == .ok)
    #expect(garden.book.read { $0.position } == position + 1, "the same value again makes no entry")
    #expect(derived != own)
  }

  @Test func `an undo takes back a log with its name, and does not count a name alone`()
    async throws
  {
    let ada = try #require(garden.book.read { $0.accounts.number(of: Garden.ada) })
    func undo(_ position: Int64) async throws -> [Event] {
      let past = try garden.book.reader.commandHistory(
        at: position, knowing: garden.book.read { $0 })
      return try await garden.book.record(Undo(position, past), by: ada).events
    }
    await ask(.post, "habit_logs", log("2026-03-09", own))
    let position = garden.book.read { $0.position }
    for place in [position - 1, position] {
      #expect(try await undo(place).map(\.name) == ["HabitLogCleared"])
      #expect(await ids("habit_logs").isEmpty)
      let back = try await undo(garden.book.read { $0.position })
      #expect(back.map(\.name) == ["HabitDayReverted"])
      #expect(await ids("habit_logs") == [own])
    }
    await ask(.patch, "habit_logs", ["id": .string(other)])
    let renamed = garden.book.read { $0.position }
    await #expect(throws: Rejection.nothingToUndo(renamed)) { try await undo(renamed) }
  }

  @Test func `returning a written row does not read all others`() throws {
    func steps(_ count: Int) throws -> Int {
      let world = try TableWorld()
      let ada = world.people[0]
      for number in 0..<count {
        try world.insert("contact_hashes", ["contact_hash": .text("friend \(number)")], by: ada)
      }
      let table = try world.table("contact_hashes")
      let row = try #require(world.rows("contact_hashes", for: ada).first)
      let written = WrittenRow(key: [row["id"] ?? .null], near: table.naturalKey(of: row))
      let view = AccountView(world.state, ada, at: world.now, world.book.reader, EmptyDirectory())
      // Each row that is visited is counted.
      for allowed in stride(from: 0, to: 100_000, by: 10) {
        let budget = RequestBudget(.init(steps: allowed, values: 1000))
        let found = try? RowFetcher(view: view, budget: budget).rows(
          [written.key], by: ["id"], in: table, near: WrittenRow.bounds([written]))
        if found?.count == 1 { return allowed }
      }
      return .max
    }
    #expect(try steps(10) == steps(100))
  }
}
