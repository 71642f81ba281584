import Calendar
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookTables

/// The tables and functions of hives.
@Suite(.tags(.unit)) struct HiveTablesTests {
  private let world: TableWorld
  private let ada: Account.ID
  private let bob: Account.ID

  init() throws {
    world = try TableWorld(people: 3)
    (ada, bob) = (world.people[0], world.people[1])
  }

  private func hive() throws -> TableValue {
    let habit = try world.insert("habits", ["name": .text("Read")], by: ada)
    let answer = try world.call(
      "create_hive_from_habit",
      ["p_habit_id": habit["id"] ?? .null, "p_backfill_days": .integer(0)], by: ada)
    guard case .scalar(let key) = answer else { throw TableWorld.Missing(what: "hive") }
    return key
  }

  private func join(_ hive: TableValue, as member: Account.ID) throws {
    let invite = try world.row(
      world.call("create_hive_invite", ["p_hive_id": hive], by: ada), for: ada)
    _ = try world.call("join_hive_with_code", ["p_code": invite["code"] ?? .null], by: member)
  }

  private func refusal(_ body: () throws -> RemoteFunction.Answer) throws -> String {
    do { _ = try body() } catch let error as TableError {
      #expect(error.code == "P0001")
      return error.message
    }
    return ""
  }

  @Test
  func `a hive that an app makes of a habit remembers it, for as long as it is there (HH-15)`()
    throws
  {
    let habit = try world.insert("habits", ["name": .text("Read")], by: ada)
    let key = try #require(habit["id"])
    let made = try world.insert(
      "hives", ["name": .text("Readers"), "source_habit_id": key], by: ada)
    #expect(made["source_habit_id"] == key && made.text("name") == "Readers")
    #expect(throws: (any Error).self, "of another's habit nobody makes one") {
      try world.insert("hives", ["name": .text("Mine"), "source_habit_id": key], by: bob)
    }
    try world.delete("habits", habit, by: ada)
    #expect(try world.rows("hives", for: ada).first?["source_habit_id"] == .null)
  }

  @Test func `an invite is good until the moment that its app says (HH-17)`() throws {
    let hive = try hive()
    let expires = world.now.advanced(byMilliseconds: 90_001)
    let invite = try world.insert(
      "hive_invites", ["hive_id": hive, "expires_at": .timestamp(expires)], by: ada)
    #expect(invite.instant("expires_at") == expires)
    for wrong in [world.now, world.now.advanced(byMilliseconds: -1)] {
      #expect(throws: (any Error).self) {
        try world.insert(
          "hive_invites", ["hive_id": hive, "expires_at": .timestamp(wrong)], by: ada)
      }
    }
  }

  @Test func `an invite lets so many in, and tells why not (HH-17)`() throws {
    let hive = try hive()
    let invite = try world.row(
      world.call("create_hive_invite", ["p_hive_id": hive, "p_max_uses": .integer(1)], by: ada),
      for: ada)
    let code = try #require(invite["code"])
    for _ in 0..<2 { _ = try world.call("join_hive_with_code", ["p_code": code], by: bob) }
    let used = try world.row("hive_invites", ["code": code], for: ada)
    #expect(used.integer("use_count") == 1)
    let carol = world.people[2]
    #expect(
      try refusal { try world.call("join_hive_with_code", ["p_code": code], by: carol) }
        == "invite exhausted")
    #expect(
      try refusal { try world.call("join_hive_with_code", ["p_code": .text("x")], by: carol) }
        == "invalid code")
    #expect(
      try refusal { try world.call("create_hive_invite", ["p_hive_id": hive], by: bob) }
        == "not owner")
    let short = try world.row(
      world.call("create_hive_invite", ["p_hive_id": hive, "p_ttl_minutes": .integer(1)], by: ada),
      for: ada)
    world.wait(minutes: 3)
    #expect(
      try refusal {
        try world.call("join_hive_with_code", ["p_code": short["code"] ?? .null], by: carol)
      } == "invite expired")
    try world.delete("hive_invites", short, by: ada)
    #expect(try world.rows("hive_invites", for: ada).count == 1)
  }

  @Test func `a day advances when all are done, and is told to both (HH-19…HH-22)`() throws {
    let hive = try hive()
    try join(hive, as: bob)
    let row = try world.row(world.call("log_hive_today", ["p_hive_id": hive], by: ada), for: ada)
    #expect(row.flag("done") == true)
    #expect(row.integer("value") == 1)
    #expect(row.text("source") == "api")
    _ = try world.call("log_hive_today", ["p_hive_id": hive], by: bob)
    let answer = try world.call(
      "advance_hive_day", ["p_hive_id": hive, "p_day": .date(world.today)], by: bob)
    guard case .rows(let rows) = answer else { throw TableWorld.Missing(what: "rows") }
    #expect(rows.count == 1)
    #expect(rows[0].map(\.0) == ["advanced", "complete_count", "required_count"])
    #expect(rows[0].map(\.1) == [.bool(true), .integer(2), .integer(2)])
    let day = try #require(world.rows("hive_days", for: bob).first)
    #expect(day.flag("advanced") == true)
    let shared = try #require(world.rows("hives", for: bob).first)
    #expect(shared.integer("current_length") == 1)
    #expect(shared.day("last_advanced_on") == world.today)
    let told = try world.rows("activity_events", for: bob).compactMap { $0.text("type") }
    #expect(told.contains("hive_advanced"))
  }

  @Test func `a stranger calls nothing about a hive (HH-16)`() throws {
    let hive = try hive()
    for (name, more) in [
      ("log_hive_today", [:]), ("advance_hive_day", ["p_day": TableValue.date(world.today)]),
      ("create_hive_invite", [:]),
    ] {
      #expect(
        try refusal { try world.call(name, ["p_hive_id": hive].merging(more) { $1 }, by: bob) }
          == "hive not found")
    }
    #expect(throws: TableError.rowSecurity("hive_members")) {
      try world.insert(
        "hive_members", ["hive_id": hive, "user_id": .uuid(TableWorld.key(101))], by: bob)
    }
  }

  @Test func `leaving is to delete one's own row, and the owner deletes others' (HH-18)`() throws {
    let hive = try hive()
    for member in [bob, world.people[2]] { try join(hive, as: member) }
    let members = try world.rows("hive_members", for: ada)
    #expect(members.map { $0.text("role") } == ["owner", "member", "member"])
    let writer = try #require(world.table("hive_members").writer)
    let mayBob = try world.write(by: bob) { write in
      members.map { writer.mayChange($0, write) }
    }
    #expect(mayBob == [false, true, false])
    try world.delete("hive_members", members[1], by: bob)
    #expect(try world.rows("hives", for: bob).isEmpty)
    try world.delete("hive_members", members[2], by: ada)
    #expect(try world.rows("hive_members", for: ada).count == 1)
    #expect(throws: Rejection.ownerMustHandOver) {
      try world.delete("hive_members", members[0], by: ada)
    }
  }

  @Test func `another leads when the owner says so (HH-18)`() throws {
    let hive = try hive()
    try join(hive, as: bob)
    _ = try world.call(
      "hand_over_hive", ["p_hive_id": hive, "p_member": .uuid(TableWorld.key(101))], by: ada)
    let members = try world.rows("hive_members", for: ada)
    #expect(members.map { $0.text("role") } == ["member", "owner"])
    let row = try #require(world.rows("hives", for: ada).first)
    let mayAda = try world.write(by: ada) { write in
      try world.table("hives").writer?.mayChange(row, write)
    }
    #expect(mayAda == false)
  }
}
