import Avro
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookSQL

/// A book as statements for SQLite. `query_exports.py` lets SQLite itself read them.
@Suite(.tags(.unit)) struct SQLExportTests {
  private static let ada = "00000000-0000-4000-8000-00000000000a"
  private static let read = "00000000-0000-4000-8000-000000000001"
  private static let hostile = "'); DROP TABLE habits; --\n.quit\r\n.shell true\u{0}"

  private func book() throws -> Book {
    let book = Book.inMemory()
    let name = JSON.string(Self.hostile).encoded
    for line in [
      #"{"do":"create_account","key":"\#(Self.ada)","display_name":"Ada","timezone":"UTC","at":"2026-03-01T08:00:00Z"}"#,
      #"{"do":"create_habit","as":"\#(Self.ada)","key":"\#(Self.read)","name":"Read","at":"2026-03-01T08:01:00Z"}"#,
      #"{"do":"log_habit","as":"\#(Self.ada)","habit":"\#(Self.read)","note":\#(name),"at":"2026-03-01T08:02:00Z"}"#,
      #"{"do":"log_habit","as":"\#(Self.ada)","habit":"\#(Self.read)","at":"2026-03-02T08:02:00Z"}"#,
    ] { #expect(try book.record(line: line).isAccepted, "\(line)") }
    return book
  }

  private func statements(of book: Book, asOf instant: Instant? = nil) throws -> String {
    var text = ""
    let now = try #require(Instant("2026-03-02T12:00:00Z"))
    _ = try book.reader.exportSQL(asOf: instant, at: now) { text += $0 }
    return text
  }

  @Test func `rows, judged days, streaks and awards are statements of one transaction`() throws {
    let text = try statements(of: try book())
    let lines = text.split(separator: "\n")
    #expect(lines.first == "PRAGMA foreign_keys = OFF;" && lines.last == "COMMIT;")
    let key = "'\(Self.read)'"
    #expect(
      lines.filter { $0.hasPrefix("INSERT INTO \"habit_days\"") } == [
        "INSERT INTO \"habit_days\" VALUES (\(key), '2026-03-01', 'full', 1, 1, 1, 1);",
        "INSERT INTO \"habit_days\" VALUES (\(key), '2026-03-02', 'full', 1, 1, 1, 2);",
      ])
    #expect(
      lines.filter { $0.hasPrefix("INSERT INTO \"habit_streaks\"") } == [
        "INSERT INTO \"habit_streaks\" VALUES (\(key), '2026-03-01', '2026-03-02', 2, 1);"
      ])
    #expect(lines.contains { $0.hasPrefix("INSERT INTO \"account_awards\" VALUES ('\(Self.ada)'") })
    #expect(
      lines.contains {
        $0.hasPrefix("INSERT INTO \"about\" VALUES (4, '2026-03-02T12:00:00Z', 'daybook ")
      })
  }

  @Test func `as of an instant, what was recorded later is left out`() throws {
    let text = try statements(of: try book(), asOf: Instant("2026-03-01T20:00:00Z"))
    #expect(text.contains("'2026-03-01'") && !text.contains("'2026-03-02'"))
  }

  @Test func `no text of a book ends a literal, begins a line or is a command of sqlite3`() throws {
    let text = try statements(of: try book())
    #expect(!text.contains("DROP TABLE"))
    for line in text.split(separator: "\n") {
      #expect(!line.hasPrefix(".") && !line.utf8.contains { $0 < 0x20 })
      if line.hasPrefix("INSERT") { #expect(line.hasSuffix(");")) }
    }
    #expect("it's".sqlText == "'it''s'")
    #expect("a\nb".sqlText == "CAST(X'610a62' AS TEXT)")
    #expect("a\"b".sqlName == "\"a\"\"b\"")
  }

  @Test func `each kind of entity has a table, and each key has its columns`() throws {
    let tables = BookState.tableColumns.map { SQLTable($0.name, $0.columns) }
    let ids = Set(tables.filter { $0.key == ["id"] }.map(\.name))
    for kind in EntityKind.allCases { #expect(ids.contains(kind.tableName ?? ""), "\(kind)") }
    #expect(EntityKind.habit.tableName == "habits" && EntityKind.account.tableName == "profiles")
    let judged = [JudgedTables.days, JudgedTables.streaks, JudgedTables.awards]
    for table in tables + judged {
      let names = Set(table.columns.map(\.name))
      #expect(Set(table.key).isSubset(of: names), "\(table.name)")
      #expect(names.count == table.columns.count, "\(table.name)")
      for target in table.columns.compactMap(\.target) {
        #expect(ids.contains(target), "\(table.name): \(target)")
      }
    }
    #expect(Set(SQLTable.keys.keys).isSubset(of: (tables + judged).map(\.name)))
  }
}
