import Avro
import Calendar
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookTables

/// The tables of habits, goals and the people who have them.
@Suite(.tags(.unit)) struct HabitTablesTests {
  private let world: TableWorld
  private let ada: Account.ID

  init() throws {
    world = try TableWorld()
    ada = world.people[0]
  }

  @Test func `a habit has the defaults of what is not said (HH-7)`() throws {
    let habit = try world.insert("habits", ["name": .text("Walk")], by: ada)
    #expect(habit.text("color_hex") == "#FF9F1C")
    #expect(habit.flag("schedule_daily") == true)
    #expect(habit.integer("schedule_weekmask") == 127)
    #expect(habit["emoji"] == .null)
    #expect(habit.flag("is_active") == true)
    #expect(habit.key("user_id") == TableWorld.key(100))
  }

  @Test func `a patch changes what it says, and what is archived comes back (HH-7)`() throws {
    let habit = try world.insert("habits", ["name": .text("Walk"), "emoji": .text("x")], by: ada)
    let changed = try world.update(
      "habits", habit,
      to: [
        "name": .text("Run"), "emoji": .null, "is_active": .bool(false),
        "schedule_daily": .bool(false), "schedule_weekmask": .integer(31),
      ], by: ada)
    #expect(changed.text("name") == "Run")
    #expect(changed["emoji"] == .null)
    #expect(changed.flag("is_active") == false)
    #expect(changed.integer("schedule_weekmask") == 31)
    let updated = try #require(changed.instant("updated_at"))
    #expect(try updated > #require(habit.instant("updated_at")))
    let back = try world.update("habits", changed, to: ["is_active": .bool(true)], by: ada)
    #expect(back.flag("is_active") == true)
  }

  @Test func `no weekday at all is refused (HH-7)`() throws {
    #expect(throws: TableError.checkFailed("schedule_weekmask", of: "habits")) {
      try world.insert(
        "habits",
        [
          "name": .text("Walk"), "schedule_daily": .bool(false), "schedule_weekmask": .integer(0),
        ], by: ada)
    }
  }

  @Test func `a log is clamped, replaced, changed and taken back (HH-8, HH-9)`() throws {
    let habit = try world.insert(
      "habits", ["name": .text("Water"), "target_per_day": .integer(3)], by: ada)
    let key = try #require(habit["id"])
    var row = try world.row(
      world.call("log_habit", ["p_habit_id": key, "p_value": .integer(99)], by: ada), for: ada)
    #expect(row.integer("value") == 3)
    #expect(row.text("source") == "api")
    #expect(row.day("log_date") == world.today)
    #expect(row["date"] == row["log_date"])
    row = try world.row(
      world.call("log_habit", ["p_habit_id": key, "p_value": .integer(-5)], by: ada), for: ada)
    #expect(row.integer("value") == 1)
    row = try world.update("habit_logs", row, to: ["value": .integer(2)], by: ada)
    #expect(row.integer("value") == 2)
    #expect(try world.rows("habit_logs", for: ada).count == 1)
    try world.delete("habit_logs", row, by: ada)
    #expect(try world.rows("habit_logs", for: ada).isEmpty)
  }

  @Test func `a skipped day is a row that says so (HH-10)`() throws {
    let habit = try world.insert("habits", ["name": .text("Walk")], by: ada)
    let log = try world.insert(
      "habit_logs",
      [
        "habit_id": habit["id"] ?? .null, "log_date": .date(world.today),
        "skipped": .bool(true),
      ], by: ada)
    #expect(log.flag("skipped") == true)
    #expect(log.integer("value") == 0)
    // Who sends the row as it is, or says that it stays skipped, leaves it so; who logs the day takes it up again.
    let kept = try world.update(
      "habit_logs", log, to: ["value": .integer(1), "skipped": .bool(true)], by: ada)
    #expect(kept.flag("skipped") == true)
    #expect(try world.update("habit_logs", kept, to: kept, by: ada).flag("skipped") == true)
    let logged = try world.update("habit_logs", kept, to: ["value": .integer(1)], by: ada)
    #expect(logged.flag("skipped") == false && logged.integer("value") == 1)
  }

  @Test func `an app that knows of check-ins alone has no skipped days (HH-10)`() {
    #expect(AppTable.habitLogs(["date"]).place(of: "skipped") == nil)
    #expect(AppTable.habitLogs(["log_date"]).place(of: "skipped") != nil)
  }

  @Test func `functions say their refusals in few words (HH-8, HH-17)`() throws {
    #expect(throws: TableError.self) {
      try world.call("log_habit", ["p_habit_id": .uuid(TableWorld.key(9))], by: ada)
    }
    do {
      _ = try world.call("log_habit", ["p_habit_id": .uuid(TableWorld.key(9))], by: ada)
    } catch let error as TableError {
      #expect(error.code == "P0001")
      #expect(error.message == "habit not found")
    }
  }

  @Test func `the day of an instant is told of oneself and of nobody else (HH-3)`() throws {
    let at = TableValue.timestamp(world.now)
    let answer = try world.call(
      "user_local_date", ["p_user": .uuid(TableWorld.key(100)), "p_at": at], by: ada)
    guard case .scalar(let day) = answer else { return #expect(Bool(false)) }
    #expect(day == .date(world.today))
    #expect(throws: TableError.raised("user not found")) {
      try world.call("user_local_date", ["p_user": .uuid(TableWorld.key(101))], by: ada)
    }
  }

  @Test func `progress is what was entered, and nothing counts as nothing (DG-3)`() throws {
    let habit = try world.insert("habits", ["name": .text("Read")], by: ada)
    let key: RowColumns = ["habit_id": habit["id"] ?? .null, "date": .date(world.today)]
    var row = try world.insert(
      "habit_progress", key.merging(["progress": .integer(4)]) { $1 }, by: ada)
    #expect(row.integer("progress") == 4)
    let id = row["id"]
    row = try world.update("habit_progress", row, to: ["progress": .integer(0)], by: ada)
    #expect(row.integer("progress") == 0)
    #expect(row["id"] == id)
    #expect(try world.rows("habit_logs", for: ada).first?.integer("value") == 0)
  }

  @Test(arguments: [("habit_progress", "date", "progress"), ("habit_logs", "log_date", "value")])
  func `a day is taken by its date once it has begun anywhere, whatever the profile's zone (DG-3)`(
    table: String, date: String, value: String
  ) throws {
    let habit = try world.insert("habits", ["name": .text("Read")], by: ada)
    func log(in days: Int) throws -> RowColumns {
      let day = world.today.advanced(by: days)
      return try world.insert(
        table,
        ["habit_id": habit["id"] ?? .null, date: .date(day), value: .integer(1)], by: ada)
    }
    let minutes = Int(world.now.milliseconds / 60_000 % 1440)
    world.wait(minutes: 1440 - minutes + 9 * 60)
    #expect(throws: (any Error).self) { try log(in: 1) }
    world.wait(minutes: 60)
    // At ten in the morning of UTC the next day begins on Kiritimati.
    let row = try log(in: 1)
    #expect(throws: (any Error).self) { try log(in: 2) }
    #expect(row.day(date) == world.today.advanced(by: 1))
    #expect(
      try world.update(table, row, to: [value: .integer(0)], by: ada).day(date) == row.day(date))
    try world.delete(table, row, by: ada)
    #expect(try world.rows(table, for: ada).isEmpty)
    // What is told to a hive counts for others, too.
    _ = try world.call(
      "create_hive_from_habit",
      ["p_habit_id": habit["id"] ?? .null, "p_backfill_days": .integer(0)], by: ada)
    try world.book.record(LinkHabit(.first, to: .first), by: ada)
    #expect(throws: (any Error).self) { try log(in: 1) }
    #expect(try log(in: 0).day(date) == world.today)
  }

  @Test func `choosing another habit ends the first one's focus (DG-2)`() throws {
    let first = try world.insert(
      "habits", ["name": .text("Read"), "is_focus": .bool(true)], by: ada)
    let second = try world.insert("habits", ["name": .text("Run")], by: ada)
    #expect(first.flag("is_focus") == true)
    try world.update("habits", second, to: ["is_focus": .bool(true)], by: ada)
    #expect(try world.rows("habits", for: ada).map { $0.flag("is_focus") } == [false, true])
    // Who pulls by it hears of both.
    let times = try world.rows("habits", for: ada).compactMap { $0.instant("updated_at") }
    #expect(times == [world.now, world.now])
  }

  @Test func `deleting a goal takes its habits and their logs with it (MO-2)`() throws {
    let goal = try world.insert("goals", ["title": .text("Fit")], by: ada)
    let habit = try world.insert(
      "habits", ["name": .text("Run"), "goal_id": goal["id"] ?? .null], by: ada)
    _ = try world.call("log_habit", ["p_habit_id": habit["id"] ?? .null], by: ada)
    try world.delete("goals", goal, by: ada)
    for name in ["goals", "habits", "habit_logs"] {
      #expect(try world.rows(name, for: ada).isEmpty, "\(name)")
    }
  }

  @Test func `a profile is changed by its person (HH-1)`() throws {
    let profile = try #require(world.rows("profiles", for: ada).first)
    let changed = try world.update(
      "profiles", profile,
      to: [
        "display_name": .text("Ada"), "timezone": .text("Europe/Berlin"),
        "day_start_hour": .integer(3), "theme": .text("mint"),
      ], by: ada)
    #expect(changed.text("name") == "Ada")
    #expect(changed.text("timezone") == "Europe/Berlin")
    #expect(changed.integer("day_start_hour") == 3)
    #expect(changed.text("theme") == "mint")
    #expect(throws: TableError.denied("profiles")) {
      try world.delete("profiles", profile, by: ada)
    }
  }

  @Test func `a device goes to who registers it, and stays the same row (HH-4)`() throws {
    let row = try world.insert(
      "device_tokens", ["apns_token": .text("t"), "environment": .text("dev")], by: ada)
    #expect(row.text("environment") == "sandbox")
    let moved = try world.insert("device_tokens", ["apns_token": .text("t")], by: world.people[1])
    #expect(moved["id"] == row["id"])
    #expect(try world.rows("device_tokens", for: ada).isEmpty)
  }

  @Test func `a contact keeps the text that a client has for it, and its name (HH-6)`() throws {
    let row = try world.insert(
      "contact_hashes", ["contact_hash": .text("hash-1"), "display_name": .text("Bo")], by: ada)
    #expect(row.text("contact_hash") == "hash-1")
    let renamed = try world.update("contact_hashes", row, to: ["display_name": .null], by: ada)
    #expect(renamed["display_name"] == .null)
    try world.delete("contact_hashes", renamed, by: ada)
    #expect(try world.rows("contact_hashes", for: ada).isEmpty)
  }

  @Test func `completing a day is told once, with its day (HH-24)`() throws {
    let habit = try world.insert("habits", ["name": .text("Walk")], by: ada)
    for _ in 0..<3 {
      _ = try world.call("log_habit", ["p_habit_id": habit["id"] ?? .null], by: ada)
    }
    let told = try world.rows("activity_events", for: ada)
    #expect(told.count == 1)
    #expect(told.first?.text("type") == "habit_completed")
    #expect(told.first?["habit_id"] == habit["id"])
    #expect(told.first?.json("data")?["log_date"]?.text == world.today.description)
  }

  @Test func `a milestone is told, and named by the log that reached it (HH-24)`() throws {
    let habit = try world.insert("habits", ["name": .text("Walk")], by: ada)
    var before = world.state
    for ago in [2, 1, 0] {
      before = world.state
      try world.insert(
        "habit_logs",
        [
          "habit_id": habit["id"] ?? .null,
          "log_date": .date(world.today.advanced(by: -ago)),
        ], by: ada)
    }
    let told = try world.rows("activity_events", for: ada)
    let milestone = try #require(told.first { $0.text("type") == "streak_milestone" })
    #expect(milestone.json("data")?["streak"]?.integer == 3)
    let logged = HabitLogged(
      habit: try #require(Habit.ID(1)), day: world.today, value: .one, source: .manual, note: nil)
    let head = EntryHead(
      position: before.position + 1, at: world.state.at, actor: ada, key: nil)
    let touched = try world.table("activity_events").touched(
      Entry(head, .habitLogged(logged)), before, world.state)
    #expect(touched.contains { $0.key["id"] == milestone["id"] && $0.audience == [ada] })
  }
}
