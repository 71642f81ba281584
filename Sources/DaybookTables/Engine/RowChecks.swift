import Daybook
import HTTPTypes
import Values

/// What must hold of rows before they are written, as a database's constraints say it.
struct RowChecks {
  let table: Table
  let schema: TableSchema

  /// Checks that a row is not given to somebody else, and that one that is new does not say that somebody else made it.
  ///
  /// - Throws: ``TableError`` (`42501`).
  func checkOwner(
    _ values: [String: Value], _ caller: Key, isNew: Bool
  ) throws(TableError) {
    for column in table.columns where isNew || column.writing != .once {
      guard case .caller = column.standard, let value = values[column.name], !value.isNull,
        value != .uuid(caller)
      else { continue }
      throw .rowSecurity(table.name)
    }
  }

  /// Checks values by themselves: NULL, and texts that are not allowed.
  ///
  /// - Throws: ``TableError``: `23502`, `23514`.
  func checkValues(_ values: [String: Value]) throws(TableError) {
    for column in table.columns {
      guard let value = values[column.name] else { continue }
      if value.isNull {
        guard !column.isNullable, column.writing == .client else { continue }
        throw TableError(
          .badRequest, "23502",
          "null value in column \"\(column.name)\" of relation \"\(table.name)\" violates not-null constraint"
        )
      }
      guard let allowed = column.allowed, let text = value.text, !allowed.contains(text) else {
        continue
      }
      throw TableError(
        .badRequest, "23514",
        "new row for relation \"\(table.name)\" violates check constraint \"\(table.name)_\(column.name)_check\""
      )
    }
  }

  /// Checks that no other row has the same key.
  ///
  /// - Parameters:
  ///   - row: The whole row.
  ///   - changed: The columns that are new in it.
  ///   - own: The primary key of the row itself, where it is there already.
  ///   - sight: What the one who writes may see.
  /// - Throws: ``TableError`` (`23505`), or what a scan throws.
  func checkKeys(
    _ row: [String: Value], changed: Set<String>, own: [Value]?, in sight: Sight
  ) throws {
    for key in table.keys where key.contains(where: { changed.contains($0) }) {
      guard let other = try self.row(with: key, of: row, in: sight) else { continue }
      if let own, other.key(table.places(of: table.primaryKey) ?? []) == RowKey(own) { continue }
      throw TableError.duplicate(of: key, row, in: table)
    }
  }

  /// The row that has the same values in some columns as another, if one is to be seen.
  ///
  /// - Throws: what a scan throws.
  func row(with key: [String], of row: [String: Value], in sight: Sight) throws -> Row? {
    let values = key.map { row[$0] ?? .null }
    guard !values.contains(where: \.isNull), !RowNaming(table: table).isNews(values, key, sight)
    else {
      return nil
    }
    // What is worked out of the journal has keys of its own, and a walk through the journal is dear.
    return try RowFetcher(sight: sight, isOfRecords: true).rows([values], by: key, in: table).first
  }

  /// Checks that what a row names is there for the one who writes. What is in a hive or a household that is not theirs may
  /// not be written at all, whatever else it names.
  ///
  /// - Throws: ``TableError`` (`23503`, `42501`), or what a scan throws.
  func checkReferences(
    _ row: [String: Value], changed: Set<String>, in sight: Sight
  ) throws {
    for key in table.foreignKeys
    where key.isChecked && key.columns.contains(where: { changed.contains($0) }) {
      guard try !finds(key, of: row, in: sight) else { continue }
      for owner in table.foreignKeys where !owner.isChecked {
        guard try finds(owner, of: row, in: sight) else { throw TableError.rowSecurity(table.name) }
      }
      throw TableError.missing(key, row, of: table)
    }
  }

  /// Whether what a row names is there for the one who looks, or it names nothing.
  private func finds(_ key: ForeignKey, of row: [String: Value], in sight: Sight) throws -> Bool {
    let values = key.columns.map { row[$0] ?? .null }
    guard let other = schema.table(key.table), !values.contains(where: \.isNull) else {
      return true
    }
    return try !RowFetcher(sight: sight).rows([values], by: key.referenced, in: other).isEmpty
  }
}

extension Table {
  /// A row's values by their columns.
  func values(of row: Row) -> [String: Value] {
    Dictionary(zip(columns.map(\.name), row.values)) { first, _ in first }
  }
}
