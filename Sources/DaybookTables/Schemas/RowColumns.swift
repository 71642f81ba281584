import Avro
import Calendar
import Daybook
import DaybookStore
import HTTPTypes
import Streaks
import Values

/// The columns that a client writes to a row.
typealias RowColumns = [String: TableValue]

/// The key of an entity; within a dictionary's extension, `Key` means something else.
typealias EntityKey = Key

extension Dictionary where Key == String, Value == TableValue {
  /// The UUID in a column.
  func key(_ column: String) -> EntityKey? {
    guard case .uuid(let key) = self[column] else { return nil }
    return key
  }

  /// The text in a column.
  func text(_ column: String) -> String? {
    guard case .text(let text) = self[column] else { return nil }
    return text
  }

  /// The whole number in a column.
  func integer(_ column: String) -> Int? {
    guard case .integer(let number) = self[column] else { return nil }
    return Int(clamping: number)
  }

  /// The truth value in a column.
  func flag(_ column: String) -> Bool? {
    guard case .bool(let flag) = self[column] else { return nil }
    return flag
  }

  /// The instant in a column.
  func instant(_ column: String) -> Instant? {
    guard case .timestamp(let instant) = self[column] else { return nil }
    return instant
  }

  /// The day in a column.
  func day(_ column: String) -> Day? {
    guard case .date(let day) = self[column] else { return nil }
    return day
  }

  /// The texts in a column.
  func texts(_ column: String) -> [String]? {
    guard case .array(let texts) = self[column] else { return nil }
    return texts
  }

  /// The JSON in a column.
  func json(_ column: String) -> JSON? {
    guard case .json(let json) = self[column] else { return nil }
    return json
  }

  /// The value of an enumeration in a column.
  func choice<Choice: RawRepresentable<String>>(_ column: String) -> Choice? {
    text(column).flatMap { Choice(rawValue: $0) }
  }

  /// Whether a column is set.
  func sets(_ column: String) -> Bool { self[column] != nil }

  /// The amount in a column, if it is set; an invalid amount violates a check.
  func amount(_ column: String, of table: String) throws(TableError) -> Amount? {
    guard let number = integer(column) else { return nil }
    guard let amount = Amount(number) else { throw .checkFailed(column, of: table) }
    return amount
  }

  /// The columns that are set, as fields of a command in JSON; null clears a field.
  func fields(_ columns: [String]) -> [JSON.Member] {
    columns.compactMap { column in self[column].map { JSON.Member(column, $0.field) } }
  }

  /// The columns that a client set to something other than NULL.
  func filled(_ given: Set<String>) -> [String: TableValue] {
    filter { given.contains($0.key) && $0.value != .null }
  }
}

extension TableValue {
  /// The value as a field of a command in its JSON form.
  var field: JSON {
    switch self {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .integer(let number): .number(number)
    case .decimal(let text): .number(text)
    case .text(let text): .string(text)
    case .uuid(let key): .string(key.description)
    case .timestamp(let instant): .string(instant.description)
    case .date(let day): .string(day.description)
    case .json(let json): json
    case .array(let texts): .array(texts.map { .string($0) })
    }
  }
}

extension TableWrite {
  /// Decides a command given in JSON, as the writer.
  ///
  /// - Throws: `Rejection`.
  @discardableResult
  mutating func record<C: ColumnCommand>(
    _ type: C.Type, _ fields: [JSON.Member]
  ) throws -> C.Answer {
    try record(try command(type, fields))
  }

  /// Reads a command. The reader holds the state, which would be copied if it changed meanwhile.
  private func command<C: ColumnCommand>(_ type: C.Type, _ fields: [JSON.Member]) throws -> C {
    var reader = try RequestReader(.object(fields), batch.state)
    reader.actor = viewer
    let command = try C(&reader)
    try reader.finish()
    return command
  }
}

extension TableError {
  /// A column holds a value that a check forbids.
  static func checkFailed(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "23514",
      "new row for relation \"\(table)\" violates check constraint \"\(table)_\(column)_check\"")
  }

  /// A required column is NULL.
  static func isNull(_ column: String, of table: String) -> TableError {
    TableError(
      .badRequest, "23502",
      "null value in column \"\(column)\" of relation \"\(table)\" violates not-null constraint")
  }

  /// An operation that a table allows nobody.
  static func denied(_ table: String) -> TableError {
    TableError(.forbidden, "42501", "permission denied for table \(table)")
  }
}
