import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import PropertyTesting
import Testing
import Values
import Wire

@testable import DaybookTables

/// Laws of every table, after any actions.
@Suite(.tags(.law)) struct SchemaLawTests {
  /// The tables whose rows follow from a state alone.
  private static let names = TableSchema.together.tables.map(\.name).filter {
    $0 != "activity_events" && $0 != "honeydew_tasks" && $0 != "meal_plan"
  }

  @Test
  func
    `every row that differs after an entry is named by what it touched, for who sees it (DM-10, HH-16, MC-11)`()
    throws
  {
    let report = check("touched is complete", LifeStep.steps, cases: 9) { steps, statistics in
      let world = try TableWorld(people: 3)
      for step in steps {
        for (entry, before) in try world.play(step) {
          var after = before
          after.apply(entry)
          for name in Self.names { try expectTouched(name, entry, before, after, world) }
        }
      }
      statistics.cover("shared", atLeast: 50, world.isShared)
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `two rows of a request cannot merge into one, by any key`()
    async throws
  {
    let world = try TableWorld(people: 3)
    for step in LifeStep.sharing { _ = try world.play(step) }
    let habit = try #require(world.state.shownHabits(of: world.people[0]).first)
    try await world.book.record(LogHabit(habit), by: world.people[0])
    let service = TableService(world.book)
    func ask(_ method: HTTPRequest.Method, _ target: String, _ body: JSON? = nil, _ prefer: String)
      async -> WireResponse
    {
      let parts = target.split(separator: "?", maxSplits: 1)
      let request = WireRequest(
        method, [String(parts[0])], query: WireQuery(encoded: String(parts[1])),
        headers: [.prefer: prefer], body: body.map { Array($0.encoded.utf8) } ?? [])
      return await service.answer(request, in: world.schema, by: .account(TableWorld.key(100)))
    }
    var merged: Set<String> = []
    var others: Set<String> = []
    for table in world.schema.tables where table.writer != nil {
      let columns = table.columns.filter { $0.writing == .client }.map(\.name)
      let select = "\(table.name)?select=\(columns.joined(separator: ","))"
      guard let row = await ask(.get, "\(select)&limit=1", nil, "").json?.elements?.first else {
        continue
      }
      for key in table.keys {
        let target = "\(select)&on_conflict=\(key.joined(separator: ","))"
        let (merge, ignore) = ("resolution=merge-duplicates", "resolution=ignore-duplicates")
        let once = await ask(.post, target, [row], merge)
        guard once.status == .ok else {
          others.insert("\(table.name): \(once.refusal)")
          continue
        }
        merged.insert(table.name)
        let twice = await ask(.post, target, [row, row], merge)
        #expect(twice.refusal == "400 21000", "\(target): \(twice.text)")
        let ignored = await ask(.post, target, [row, row], ignore + ",return=representation")
        #expect(ignored.status == .created && ignored.text == "[]", "\(target)")
      }
    }
    #expect(
      merged.isSuperset(of: ["goals", "habits", "habit_logs", "tasks"]), "\(others.sorted())")
  }

  @Test func `an erasure names all rows that it removes (ES-6)`() throws {
    let report = check("erasure touches", LifeStep.steps, cases: 25) { steps in
      let world = try TableWorld(people: 3)
      for step in steps { _ = try world.play(step) }
      let before = world.state
      let head = EntryHead(
        position: before.position + 1, at: world.now, actor: world.people[0], key: nil)
      let erased = AccountErased(account: world.people[0], segments: [])
      let entry = Entry(head, .accountErased(erased))
      var after = before
      after.apply(entry)
      for name in Self.names { try expectTouched(name, entry, before, after, world) }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `changes of activities name posted and derived rows (HH-24)`() throws {
    let report = check("activities are told", LifeStep.steps, cases: 12) { steps in
      let world = try TableWorld(people: 3)
      for step in steps.prefix(40) {
        for (entry, before) in try world.play(step) {
          var after = before
          after.apply(entry)
          let touched = try world.table("activity_events").touched(entry, before, after)
          for viewer in world.people {
            let rows = try world.rows("activity_events", for: viewer, in: after, at: entry.head.at)
            let former = try world.rows(
              "activity_events", for: viewer, in: before, at: entry.head.at)
            for row in rows
            where row.instant("created_at") == entry.head.at && !former.contains(row) {
              try expectNamed(row, touched, viewer, "activity_events", entry)
              // A lookup narrowed to the touched rows finds the row.
              let found = try touched.filter { $0.audience.contains(viewer) }.flatMap {
                try world.rows(
                  "activity_events", for: viewer, $0.bounds, in: after, at: entry.head.at)
              }
              try expect(found.contains(row), "\(row) is not found by what was touched")
            }
          }
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a bounded scan gives the same matching rows as a whole one`() throws {
    let report = check("bounds leave out nothing", LifeStep.steps, cases: 12) {
      steps, statistics in
      let world = try TableWorld(people: 3)
      for step in steps { _ = try world.play(step) }
      statistics.cover("shared", atLeast: 50, world.isShared)
      for name in Self.names + ["activity_events"] {
        for viewer in world.people {
          let all = try world.rows(name, for: viewer)
          for column in try world.table(name).columns.map(\.name) {
            for value in Set(all.compactMap { $0[column] }) {
              let narrowed = try world.rows(name, for: viewer, ScanBounds([column: value]))
              try expectEqual(
                narrowed.filter { $0[column] == value }, all.filter { $0[column] == value },
                "\(name).\(column) = \(value)")
            }
          }
        }
      }
    }
    #expect(report.passed, "\(report)")
  }

  private func expectTouched(
    _ name: String, _ entry: Entry, _ before: BookState, _ after: BookState, _ world: TableWorld
  ) throws {
    let table = try world.table(name)
    let touched = table.touched(entry, before, after)
    for viewer in world.people {
      let key = { (row: RowColumns) in table.primaryKey.map { row[$0] ?? .null } }
      let former = try Dictionary(
        world.rows(name, for: viewer, in: before, at: entry.head.at).map { (key($0), $0) },
        uniquingKeysWith: { first, _ in first })
      let rows = try Dictionary(
        world.rows(name, for: viewer, in: after, at: entry.head.at).map { (key($0), $0) },
        uniquingKeysWith: { first, _ in first })
      for key in Set(former.keys).union(rows.keys) where former[key] != rows[key] {
        try expectNamed(rows[key] ?? former[key] ?? [:], touched, viewer, name, entry)
      }
      // A touched key names one row.
      for row in touched where row.audience.contains(viewer) {
        let found = rows.values.filter { found in
          row.key.allSatisfy { found[$0.key] == $0.value }
        }
        if found.count > 1 { throw Falsified("\(name): \(row.key) finds \(found.count) rows") }
      }
    }
  }

  private func expectNamed(
    _ row: RowColumns, _ touched: [TouchedRow], _ viewer: Account.ID, _ name: String,
    _ entry: Entry
  ) throws {
    let isNamed = touched.contains { touched in
      touched.audience.contains(viewer) && touched.key.allSatisfy { row[$0.key] == $0.value }
    }
    if !isNamed {
      throw Falsified(
        "\(entry.event.name) changes \(name) for \(viewer), and does not name it: \(row)")
    }
  }
}
