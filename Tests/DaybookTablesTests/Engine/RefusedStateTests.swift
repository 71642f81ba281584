import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Testing
import Values
import Wire

@testable import DaybookTables

/// Requests that contradict the present state: nothing exists twice, and no answer claims it.
@Suite(.tags(.unit)) struct RefusedStateTests {
  private static let merge = "return=representation,resolution=merge-duplicates"
  private let garden: Garden
  private let habit = "00000000-0000-4000-8000-0000000000f1"
  private let hive = "00000000-0000-4000-8000-0000000000f2"

  init() async throws {
    var garden = try Garden()
    garden.schema = .together
    self.garden = garden
    await garden.ask(.post, "habits", ["id": .string(habit), "name": "Walk"])
    await garden.ask(.post, "hives", ["id": .string(hive), "name": "Walkers"])
  }

  @Test(
    arguments: [
      ("habit_logs", ["log_date": "2026-03-09"], nil),
      ("habit_logs", ["log_date": "2026-03-09", "value": 1], merge),
      ("habit_progress", ["date": "2026-03-09", "progress": 1], nil),
      ("habit_progress", ["date": "2026-03-09", "progress": 1], merge),
    ] as [(String, JSON, String?)])
  func `any write to an archived habit's day is refused as a check violation (HH-7)`(
    table: String, day: JSON, prefer: String?
  ) async {
    await garden.ask(.patch, "habits?id=eq.\(habit)", ["is_active": false])
    let row = JSON.object([.init("habit_id", .string(habit))] + (day.members ?? []))
    let refused = await garden.ask(.post, table, row, prefer: prefer)
    #expect(refused.refusal == "400 23514")
    #expect(refused.json?["message"]?.text?.contains("archived") == true, "\(refused.text)")
    #expect(await garden.get(table) == "[]")
    await garden.ask(.patch, "habits?id=eq.\(habit)", ["is_active": true])
    #expect(await garden.ask(.post, table, row, prefer: prefer).status == .created)
  }

  @Test func `the leader of a hive with other members cannot just leave (HH-18)`() async throws {
    let number = try #require(garden.book.read { $0.hives.number(of: Key(hive) ?? Garden.ada) })
    let ada = try #require(garden.book.read { $0.accounts.number(of: Garden.ada) })
    let ben = try #require(garden.book.read { $0.accounts.number(of: Garden.ben) })
    _ = try await garden.book.record(CreateHiveInvite(number, code: "0123456789ab"), by: ada)
    _ = try await garden.book.record(JoinHive("0123456789ab"), by: ben)
    let own = "hive_members?hive_id=eq.\(hive)&user_id=eq.\(Garden.ada)"
    let refused = await garden.ask(.delete, own)
    #expect(refused.refusal == "400 23514")
    #expect(await garden.ask(.get, "hive_members").json?.elements?.count == 2)
  }

  @Test func `a key of another row is refused as a conflict (3.8)`() async {
    let again = await garden.ask(.post, "habits", ["id": .string(habit), "name": "Run"])
    #expect(again.refusal == "409 23505")
    let foreign = await garden.ask(
      .post, "habits", ["id": .string(habit), "name": "Run"], prefer: Self.merge,
      by: .account(Garden.ben))
    #expect(foreign.refusal == "403 42501")
  }
}
