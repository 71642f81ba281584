import Calendar
import DaybookStore
import PropertyTesting
import Testing
import Values
import Wire

@testable import DaybookTables

/// Rows with only the shown columns computed give the same answer as complete rows.
@Suite(.tags(.law)) struct ShownColumnsLawTests {
  private static let tables = ["habits", "habit_logs", "hives", "hive_members"]
  private static let embeds = [
    "habits": ["habit_logs(*)", "habit_logs!inner(value,log_date)", "profiles(timezone)"],
    "habit_logs": ["habits(name)", "habits!inner(*)"],
    "hives": ["hive_members(count)", "hive_members!inner(user_id,role)"],
    "hive_members": ["hives(*)", "hives!inner(name)"],
  ]

  @Test func `hidden columns do not affect an answer`() throws {
    let world = try Self.world()
    let today = world.today
    var columns: [String: [String]] = [:]
    for name in Self.tables { columns[name] = try world.table(name).columns.map(\.name) }
    let queries = Generator<(table: String, query: String)> { [columns] source in
      let name = try source.draw(Generator<String>.element(of: Self.tables))
      let column = Generator<String>.element(of: columns[name] ?? [])
      var shown = try source.draw(column.array(count: 0...3))
      let embeds = Self.embeds[name] ?? []
      let embed = try source.draw(Generator<Int>.integer(in: 0...3))
      if embed < embeds.count { shown.append(embeds[embed]) }
      var query = "select=\(shown.isEmpty ? "*" : shown.joined(separator: ","))"
      if try source.draw(Generator<Bool>.bool()) { query += "&order=\(try source.draw(column))" }
      if try source.draw(Generator<Bool>.bool()) {
        query += "&\(try source.draw(column))=not.is.null"
      }
      if name == "habit_logs", try source.draw(Generator<Bool>.bool()) {
        let ago = try source.draw(Generator<Int>.integer(in: 0...12))
        let operation = try source.draw(Generator<String>.element(of: ["eq", "gte", "lt", "neq"]))
        query += "&log_date=\(operation).\(today.advanced(by: -ago))"
      }
      return (name, query)
    }
    try check("what is shown is the same", queries, cases: 400) { name, query in
      let table = try world.table(name)
      let plan = try PlanBuilder.plan(
        TableQuery(WireQuery(encoded: query)), of: table, in: world.schema)
      return try Self.answer(plan, in: world, isForShow: true)
        == Self.answer(plan, in: world, isForShow: false)
    }.require()
  }

  private static func answer(
    _ plan: ReadPlan, in world: TableWorld, isForShow: Bool
  ) throws -> String {
    let view = AccountView(
      world.state, world.people[0], at: world.now, world.book.reader, EmptyDirectory())
    let fetched = try RowFetcher(view: view, isForShow: isForShow).fetch(plan)
    var json: [UInt8] = []
    RowOutput(plan: plan, fetched: fetched).writeArray(to: &json)
    return String(decoding: json, as: UTF8.self)
  }

  private static func world() throws -> TableWorld {
    let world = try TableWorld()
    let ada = world.people[0]
    for name in ["Read", "Run \"fast\"", "Water"] {
      let habit = try world.insert("habits", ["name": .text(name)], by: ada)
      for ago in [0, 1, 2, 5, 9] {
        try world.insert(
          "habit_logs",
          [
            "habit_id": habit["id"] ?? .null, "log_date": .date(world.today.advanced(by: -ago)),
            "skipped": .bool(ago == 2),
          ], by: ada)
      }
      try world.insert("hives", ["name": .text("Hive of \(name)")], by: ada)
    }
    return world
  }

  @Test func `a plan is made once for a query, and not cached for the past`() async throws {
    let garden = try Garden()
    for _ in 0..<2 {
      #expect(await garden.numbers("number=lt.3") == [0, 1, 2])
      #expect(await garden.numbers("number=lt.2") == [0, 1])
      #expect(garden.service.plans.count == 2)
    }
    _ = await garden.get("plants?as_of=2026-03-10")
    _ = await garden.get("plants?name=eq." + String(repeating: "x", count: 1000))
    #expect(garden.service.plans.count == 2)
    for number in 0..<PlanCache.capacity { _ = await garden.get("notes?limit=\(number)") }
    #expect(garden.service.plans.count == 2, "the cache was emptied before it grew too large")
  }
}
