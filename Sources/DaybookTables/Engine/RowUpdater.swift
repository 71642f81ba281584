import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values

/// Updates and deletes existing rows.
struct RowUpdater: Sendable {
  let table: AppTable
  let schema: TableSchema

  private var checks: RowChecks { RowChecks(table: table, schema: schema) }

  /// The changes that a body makes to every row.
  ///
  /// - Parameters:
  ///   - body: A body of one row.
  ///   - now: The meaning of "now".
  /// - Returns: The new value of each column.
  /// - Throws: ``TableError`` for a body without exactly one row, or a literal of the wrong type.
  static func changes(_ body: BodyRows, at now: Instant) throws(TableError) -> [String: TableValue]
  {
    guard body.rows.count == 1, let row = body.rows.first else {
      throw .invalidBody("All object keys must match")
    }
    var changes: [String: TableValue] = [:]
    for column in body.given {
      changes[column.name] = column.stored(
        try TableValue(row[column.name] ?? .null, column.type, at: now))
    }
    return changes
  }

  /// Updates a row and returns its key.
  ///
  /// A column that already has the value does not change: clients send whole rows, and most columns stay the same.
  ///
  /// - Throws: ``TableError``, or what writing throws; then the whole write must be dropped.
  func update(
    _ row: Row, to given: [String: TableValue], _ caller: Key, _ write: inout TableWrite
  ) throws -> WrittenRow {
    let before = table.values(of: row)
    let changes = given.filter { name, value in
      guard let place = table.place(of: name) else { return false }
      return !TableValue.areSame(row.values[place], value, table.columns[place].type)
    }
    let after = before.merging(changes) { $1 }
    let changed = Set(changes.keys)
    let written = WrittenRow(
      key: table.primaryKey.map { after[$0] ?? .null },
      near: table.naturalKey(of: after, changed: changed))
    guard let writer = table.writer, !changes.isEmpty else { return written }
    if let column = table.primaryKey.first(where: { changed.contains($0) && table.isFixed($0) }) {
      throw TableError.fixedKey(column, of: table.name)
    }
    try checks.checkOwner(changes, caller, isNew: false)
    try checks.checkValues(changes)
    try checks.checkKeys(
      after, changed: changed, own: table.primaryKey.map { before[$0] ?? .null }, in: write.view)
    try checks.checkReferences(after, changed: changed, in: write.view)
    let naming = RowNaming(table: table)
    try naming.checkName(before, changed, caller)
    do {
      let kept = naming.withoutName(changes)
      write.given = Set(given.keys)
      if !kept.isEmpty { try writer.update(naming.withoutName(before), to: kept, &write) }
    } catch let rejection as Rejection {
      throw TableError(rejection, writing: table, after)
    }
    try naming.keep(before, after, changed, checks, &write)
    return written
  }

  /// Deletes a row. A row that was deleted along with another of the same request is already gone.
  ///
  /// - Throws: ``TableError``, or what writing throws; then the whole write must be dropped.
  func delete(_ row: Row, _ write: inout TableWrite) throws {
    let position = write.batch.state.position
    do {
      try table.writer?.delete(table.values(of: row), &write)
    } catch let rejection as Rejection {
      guard rejection.kind == .notFound, write.batch.state.position == position else {
        throw TableError(rejection, writing: table)
      }
    }
  }
}

extension AppTable {
  /// Whether a column identifies the row for its whole life.
  fileprivate func isFixed(_ column: String) -> Bool {
    guard let place = place(of: column), case .freshKey = columns[place].defaultValue else {
      return false
    }
    return true
  }
}
