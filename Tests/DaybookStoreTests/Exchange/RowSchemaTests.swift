import Avro
import Calendar
import Daybook
import PropertyTesting
import Testing

@testable import DaybookStore

/// Rows follow their description.
@Suite(.tags(.law)) struct RowSchemaTests {
  /// Columns without a value in either book: columns of deletions belong to rows that tables omit, streaks exist only
  /// in views, and the others get values in random histories.
  private static let silent: Set = [
    "tasks.deleted_at", "labels.deleted_at", "task_labels.deleted_at",
    "task_completions.deleted_at",
    "hives.streak", "hives.last_advanced_on", "hives.threshold", "hives.source_habit_id",
    "household_tasks.description", "household_tasks.assigned_to", "household_members.email_hash",
    "recipes.prep_time", "recipes.cook_time", "recipes.source_url", "recipes.source_type",
    "recipes.notes", "tasks.completed_at", "tasks.parent_task_id",
  ]

  /// Checks all rows against their tables' descriptions.
  private static func expectRows(of state: BookState, _ zones: any TimeZones) throws {
    let columns = Dictionary(
      uniqueKeysWithValues: BookState.tableColumns.map { ($0.name, $0.columns) })
    let shown = state.tables(seenAt: state.at, in: zones)
    for table in state.tables + shown {
      let known = try found(columns[table.name], "\(table.name) has no columns")
      let schema = JSON.rowSchema(known)
      for row in table.rows {
        let fault = schemaFault(of: row, schema)
        try expect(fault == nil, "\(table.name).\(fault ?? "") breaks its schema: \(row.encoded)")
        let names = (row.members ?? []).map(\.name)
        try expectEqual(names, known.map(\.name).filter { names.contains($0) })
      }
    }
  }

  private static func found<Value>(_ value: Value?, _ sentence: String) throws -> Value {
    guard let value else { throw Falsified(sentence) }
    return value
  }

  @Test func `every row of any history follows its schema, with its columns in order`() {
    let report = check("rows", Generator<History>.histories(6...45), cases: 20) { history, _ in
      var ledger = try BookLedger(HandClock(Menu.beginnings[history.beginning]))
      for step in history.steps { _ = try ledger.play(step) }
      try Self.expectRows(of: try ledger.book.reader.state(), ledger.book.reader.zones)
    }
    #expect(report.passed, "\(report)")
  }

  @Test
  func `with every event recorded, each table has rows and nearly each column has values`()
    throws
  {
    let golden = GoldenBookTests.book(try #require(GoldenBookTests.numbers.last))
    let all = try EveryEvent.book().reader
    var silent: Set<String> = []
    let (one, other) = (try golden.state(), try all.state())
    try Self.expectRows(of: one, golden.zones)
    try Self.expectRows(of: other, all.zones)
    for (table, others) in zip(one.tables, other.tables) {
      let rows = table.rows + others.rows
      for column in table.columns
      where rows.allSatisfy({ ($0[column.name] ?? .null) == .null }) {
        silent.insert("\(table.name).\(column.name)")
      }
    }
    #expect(silent == Self.silent)
  }

  /// Commands whose answer is not a row of a table.
  private static let otherAnswers: Set = [
    "advance_hive_day", "choose_focus", "clear_log", "import_calendar", "leave_hive",
    "leave_household", "link_habit", "name_row", "pause", "remove_contacts", "set_task_labels",
    "settle",
    "undo",
    "undo_task", "upload_contacts",
  ]

  @Test func `commands answer with rows of tables, with known exceptions`()
    throws
  {
    let book = try Book(at: "again", storage: MemoryStorage())
    let schemas = BookState.tableColumns.map { JSON.rowSchema($0.columns) }
    var others: Set<String> = []
    for line in try GoldenBookTests.commands() {
      let row = try #require(try book.record(line: line).json["ok"], "\(line)")
      guard row["deleted"] != true, schemas.allSatisfy({ schemaFault(of: row, $0) != nil }) else {
        continue
      }
      others.insert(try #require(try JSON(parsing: Array(line.utf8))["do"]?.text))
    }
    #expect(others == Self.otherAnswers)
  }

  @Test func `a row with a missing, extra or wrongly null column is refused`()
    throws
  {
    let book = GoldenBookTests.book(try #require(GoldenBookTests.numbers.last))
    for table in try book.state().tables {
      let schema = JSON.rowSchema(table.columns)
      let row = try #require(table.rows.first, "\(table.name)")
      let members = try #require(row.members)
      #expect(schemaFault(of: .object(members + [.init("other", 1)]), schema) == "other")
      for (place, member) in members.enumerated() {
        let column = try #require(table.columns.first { $0.name == member.name })
        var fewer = members
        fewer.remove(at: place)
        #expect((schemaFault(of: .object(fewer), schema) == nil) == !column.isNeeded)
        fewer.insert(.init(member.name, .null), at: place)
        let takesNull = column.takesNull || column.schema == [:]
        #expect((schemaFault(of: .object(fewer), schema) == nil) == takesNull)
      }
    }
  }
}
