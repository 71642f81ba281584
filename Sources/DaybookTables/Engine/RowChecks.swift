import Daybook
import HTTPTypes
import Values

/// Checks that rows satisfy the table's constraints before they are written.
struct RowChecks {
  let table: AppTable
  let schema: TableSchema

  /// Checks that a row keeps its owner, and that a new row belongs to the caller.
  ///
  /// - Throws: ``TableError`` (`42501`).
  func checkOwner(
    _ values: [String: TableValue], _ caller: Key, isNew: Bool
  ) throws(TableError) {
    for column in table.columns where isNew || column.writing != .once {
      guard case .caller = column.defaultValue, let value = values[column.name], !value.isNull,
        value != .uuid(caller)
      else { continue }
      throw .rowSecurity(table.name)
    }
  }

  /// Checks each value alone: NULL, and texts that are not allowed.
  ///
  /// - Throws: ``TableError``: `23502`, `23514`.
  func checkValues(_ values: [String: TableValue]) throws(TableError) {
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
  ///   - row: All values of the row.
  ///   - changed: The columns that change.
  ///   - own: The primary key of the row, if it exists already.
  ///   - view: What the writer may see.
  /// - Throws: ``TableError`` (`23505`), or what a scan throws.
  func checkKeys(
    _ row: [String: TableValue], changed: Set<String>, own: [TableValue]?, in view: AccountView
  ) throws {
    for key in table.keys where key.contains(where: { changed.contains($0) }) {
      guard let other = try self.row(with: key, of: row, in: view) else { continue }
      if let own, other.key(table.places(of: table.primaryKey) ?? []) == RowKey(own) { continue }
      throw TableError.duplicate(of: key, row, in: table)
    }
  }

  /// The visible row that has the same values in the key's columns, if there is one.
  ///
  /// - Throws: what a scan throws.
  func row(with key: [String], of row: [String: TableValue], in view: AccountView) throws -> Row? {
    let values = key.map { row[$0] ?? .null }
    guard !values.contains(where: \.isNull), !RowNaming(table: table).isUnknown(values, key, view)
    else {
      return nil
    }
    // Rows derived from the journal have keys of their own, and scanning the journal is expensive.
    return try RowFetcher(view: view, onlyWritten: true).rows([values], by: key, in: table).first
  }

  /// Checks that the rows to which a row refers are visible to the writer. A row in a hive or a household that is
  /// not the writer's may not be written at all, whatever else it refers to.
  ///
  /// - Throws: ``TableError`` (`23503`, `42501`), or what a scan throws.
  func checkReferences(
    _ row: [String: TableValue], changed: Set<String>, in view: AccountView
  ) throws {
    for key in table.foreignKeys
    where key.isChecked && key.columns.contains(where: { changed.contains($0) }) {
      guard try !finds(key, of: row, in: view) else { continue }
      for owner in table.foreignKeys where !owner.isChecked {
        guard try finds(owner, of: row, in: view) else { throw TableError.rowSecurity(table.name) }
      }
      throw TableError.missing(key, row, of: table)
    }
  }

  /// Whether the referenced row is visible, or the row refers to none.
  private func finds(_ key: ForeignKey, of row: [String: TableValue], in view: AccountView) throws
    -> Bool
  {
    let values = key.columns.map { row[$0] ?? .null }
    guard let other = schema.table(key.table), !values.contains(where: \.isNull) else {
      return true
    }
    return try !RowFetcher(view: view).rows([values], by: key.referenced, in: other).isEmpty
  }
}

extension AppTable {
  /// The values of a row by column.
  func values(of row: Row) -> [String: TableValue] {
    Dictionary(zip(columns.map(\.name), row.values)) { first, _ in first }
  }
}
