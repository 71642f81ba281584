import Avro
import Daybook

/// A table in SQL: its definition for SQLite, and the values of its rows.
struct SQLTable {
  /// A column of the table.
  struct Column {
    let name: String
    /// The type in a strict table: INTEGER, REAL, TEXT, or ANY where numbers and texts occur.
    let type: String
    let canBeNull: Bool
    /// The only values, if they are listed.
    let choices: [String]
    /// The table whose `id` it holds, if it holds one.
    let target: String?
  }

  let name: String
  let columns: [Column]
  /// The columns that identify a row; empty where people who were erased leave rows that nothing tells apart.
  let key: [String]

  /// The keys of the tables that have no `id`.
  static let keys = [
    "habit_logs": ["habit_id", "log_date"], "hive_days": ["hive_id", "day"],
    "hive_invites": ["code"], "identities": ["kind", "hash"], "device_tokens": ["apns_token"],
    "habit_days": ["habit_id", "day"], "habit_streaks": ["habit_id", "start"],
  ]

  /// A table with the columns of the book's rows.
  init(_ name: String, _ columns: [Daybook.Column]) {
    self.name = name
    self.columns = columns.map(Column.init)
    let hasID = columns.contains { $0.name == "id" }
    key = hasID ? ["id"] : Self.keys[name] ?? []
  }

  /// A table whose rows are computed for the export.
  init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
    key = Self.keys[name] ?? []
  }

  /// The statement that makes the table.
  var definition: String {
    var lines = columns.map { column in
      var line = "  \(column.name.sqlName) \(column.type)"
      if !column.canBeNull { line += " NOT NULL" }
      if !column.choices.isEmpty {
        let list = column.choices.map(\.sqlText).joined(separator: ", ")
        line += " CHECK (\(column.name.sqlName) IN (\(list)))"
      }
      return line
    }
    if !key.isEmpty {
      lines.append("  PRIMARY KEY (\(key.map(\.sqlName).joined(separator: ", ")))")
    }
    for column in columns {
      guard let target = column.target else { continue }
      lines.append("  FOREIGN KEY (\(column.name.sqlName)) REFERENCES \(target.sqlName) (\"id\")")
    }
    return "CREATE TABLE \(name.sqlName) (\n\(lines.joined(separator: ",\n"))\n) STRICT;\n"
  }

  /// The statement that adds a row, from its JSON form.
  func insertion(of row: JSON) -> String {
    let values = columns.map { column in (row[column.name] ?? .null).sqlValue }
    return "INSERT INTO \(name.sqlName) VALUES (\(values.joined(separator: ", ")));\n"
  }
}

extension SQLTable.Column {
  fileprivate init(_ column: Daybook.Column) {
    name = column.name
    canBeNull = column.takesNull || !column.isNeeded
    let types = column.schema.typeNames
    choices = types == ["boolean"] ? [] : column.schema.symbols
    type =
      switch types {
      case ["boolean"], ["integer"]: "INTEGER"
      case ["number"], ["integer", "number"]: "REAL"
      case let types where types.contains("number"): "ANY"
      default: "TEXT"
      }
    let word = column.schema["entity"]?.text
    // A table's own key refers to nothing.
    target = name == "id" ? nil : EntityKind.allCases.first { $0.word == word }?.tableName
  }

  /// A column of a computed table.
  init(_ name: String, _ type: String, canBeNull: Bool = false, in target: String? = nil) {
    self.init(name: name, type: type, canBeNull: canBeNull, choices: [], target: target)
  }
}

extension JSON {
  /// The types that the values of a schema have, without null.
  fileprivate var typeNames: Set<String> {
    if let parts = self["anyOf"]?.elements {
      return parts.reduce(into: []) { $0.formUnion($1.typeNames) }
    }
    if self["enum"] != nil { return ["string"] }
    let named = self["type"]?.text.map { [$0] } ?? self["type"]?.elements?.compactMap(\.text)
    return Set(named ?? []).subtracting(["null"])
  }

  /// The only texts that a schema allows, if it lists them.
  fileprivate var symbols: [String] {
    if let parts = self["anyOf"]?.elements {
      let listed = parts.filter { $0["type"] != "null" }.map(\.symbols)
      return listed.contains { $0.isEmpty } ? [] : listed.flatMap(\.self)
    }
    return self["enum"]?.elements?.compactMap(\.text) ?? []
  }

  /// The value as a literal of SQL; lists and objects are JSON texts.
  var sqlValue: String {
    switch self {
    case .null: "NULL"
    case .bool(let value): value ? "1" : "0"
    case .number(let digits): digits
    case .string(let text): text.sqlText
    case .array, .object: encoded.sqlText
    }
  }
}

extension String {
  /// The name between quotation marks.
  var sqlName: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// The text as a literal on one line: `sqlite3` would change the line ends of a longer one.
  var sqlText: String {
    guard !utf8.contains(where: { $0 < 0x20 }) else {
      let digits = utf8.map { byte in
        let pair = String(byte, radix: 16)
        return pair.count == 1 ? "0" + pair : pair
      }
      return "CAST(X'\(digits.joined())' AS TEXT)"
    }
    return "'\(replacing("'", with: "''"))'"
  }
}
