import Avro
import Calendar
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookTables

/// Nobody sees or changes what is another's (HH-1, HH-16, MC-11, MO-9).
@Suite(.tags(.unit)) struct SchemaIsolationTests {
  /// A world in which the first person has a row in every table, and the second has nothing.
  private func world() throws -> TableWorld {
    let world = try TableWorld()
    let ada = world.people[0]
    try world.insert("device_tokens", ["apns_token": .text("token")], by: ada)
    try world.insert("contact_hashes", ["contact_hash": .text("hash")], by: ada)
    let goal = try world.insert("goals", ["title": .text("Run")], by: ada)
    let habit = try world.insert(
      "habits", ["name": .text("Jog"), "goal_id": goal["id"] ?? .null], by: ada)
    try world.insert(
      "habit_logs", ["habit_id": habit["id"] ?? .null, "log_date": .date(world.today)], by: ada)
    let hive = try world.insert("hives", ["name": .text("Readers")], by: ada)
    let id = hive["id"] ?? .null
    _ = try world.call("create_hive_invite", ["p_hive_id": id], by: ada)
    _ = try world.call("log_hive_today", ["p_hive_id": id], by: ada)
    try world.insert(
      "activity_events",
      ["hive_id": id, "type": .text("streak_milestone"), "data": .json(["n": 7])], by: ada)
    let task = try world.insert("tasks", ["title": .text("Call")], by: ada)
    let label = try world.insert("labels", ["name": .text("Home")], by: ada)
    try world.insert(
      "task_labels", ["task_id": task["id"] ?? .null, "label_id": label["id"] ?? .null], by: ada)
    try world.insert("households", ["name": .text("Home")], by: ada)
    try world.insert("household_tasks", ["title": .text("Wash")], by: ada)
    let recipe = try world.insert("recipes", ["title": .text("Soup")], by: ada)
    try world.insert(
      "meal_plans", ["recipe_id": recipe["id"] ?? .null, "date": .date(world.today)], by: ada)
    try world.insert("grocery_lists", [:], by: ada)
    try world.insert("grocery_items", ["name": .text("Milk")], by: ada)
    try world.insert("pantry_staples", ["name": .text("Salt")], by: ada)
    try world.insert(
      "calendar_events",
      ["title": .text("Dentist"), "start_time": .timestamp(world.now)], by: ada)
    return world
  }

  @Test func `a stranger sees no row of any table but those of their own`() throws {
    let world = try world()
    let own: Set = ["profiles", "users"]
    for table in world.schema.tables {
      let rows = try world.rows(table.name, for: world.people[0])
      #expect(!rows.isEmpty, "\(table.name) has a row to be hidden")
      let seen = try world.rows(table.name, for: world.people[1])
      #expect(seen.count == (own.contains(table.name) ? 1 : 0), "\(table.name)")
      #expect(Set(seen).isDisjoint(with: rows))
    }
  }

  @Test func `a stranger who knows a row changes nothing of it and takes nothing away`() throws {
    let world = try world()
    let (ada, bob) = (world.people[0], world.people[1])
    for table in world.schema.tables {
      guard let writer = table.writer else { continue }
      for row in try world.rows(table.name, for: ada) {
        let before = try world.rows(table.name, for: ada)
        for column in ["title", "name", "display_name"] where row[column] != nil {
          try? world.write(by: bob) { write in
            try writer.update(row, to: [column: .text("Mine")], &write)
          }
        }
        try? world.write(by: bob) { try writer.delete(row, &$0) }
        try? world.write(by: bob) { write in
          _ = try writer.insert(row, given: Set(row.keys), &write)
        }
        // A device is whose it is that has it in hand; all else stays.
        guard table.name != "device_tokens" else { continue }
        #expect(try world.rows(table.name, for: ada) == before, "\(table.name)")
      }
    }
  }

  @Test
  func
    `members of a hive see its rows, and of one another names and pictures (HH-1, HH-16, HH-23)`()
    throws
  {
    let world = try world()
    let (ada, bob) = (world.people[0], world.people[1])
    let code = try #require(world.rows("hive_invites", for: ada).first?["code"])
    _ = try world.call("join_hive_with_code", ["p_code": code], by: bob)
    for name in ["hives", "hive_members", "hive_member_days", "hive_days", "hive_invites"] {
      #expect(
        try Set(world.rows(name, for: bob).map { $0["id"] })
          == Set(world.rows(name, for: ada).map { $0["id"] }), "\(name)")
    }
    #expect(try world.rows("profiles", for: bob).count == 1)
    let key = TableValue.uuid(TableWorld.key(100))
    let mates = try world.rows("profiles", for: bob, ScanBounds(["id": key]))
    #expect(
      mates.map { $0.filter { $0.value != .null } } == [
        ["id": key, "display_name": .text("Person 0"), "name": .text("Person 0")]
      ])
    #expect(try world.rows("habits", for: bob).isEmpty)
    let told = try world.rows("activity_events", for: bob)
    #expect(told.contains { $0["data"] == .json(["n": 7]) })
    #expect(told.allSatisfy { $0["habit_id"] == .null })
  }

  #if DEBUG
    @Test(arguments: ["habits", "goals", "tasks", "labels", "hives", "habit_logs", "recipes"])
    func `what a person's rows cost does not grow with the people beside them`(_ name: String)
      throws
    {
      func reads(strangers: Int) throws -> Int {
        let world = try world()
        for place in 0..<strangers {
          let stranger = try world.book.record(CreateAccount(timeZone: "Etc/UTC"))
          for row in [
            "habits": "name", "goals": "title", "tasks": "title", "labels": "name", "hives": "name",
          ] {
            try world.insert(row.key, [row.value: .text("Other \(place)")], by: stranger)
          }
        }
        let counter = ReadCounter()
        let table = try world.table(name)
        let view = AccountView(
          world.state, world.people[0], at: world.now, world.book.reader, EmptyDirectory())
        try ReadCounter.$current.withValue(counter) {
          try table.scan(view, ScanBounds()) { _ in }
        }
        return counter.total
      }
      let (few, many) = (try reads(strangers: 4), try reads(strangers: 40))
      #expect(few > 0)
      // A tree over ten times as many is a few steps deeper.
      #expect(many <= few * 3, "\(few) and \(many)")
    }
  #endif
}
