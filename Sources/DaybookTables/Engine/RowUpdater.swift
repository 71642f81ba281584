import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values

/// Changes rows that are there, and takes rows away.
struct RowUpdater: Sendable {
  let table: Table
  let schema: TableSchema

  private var checks: RowChecks { RowChecks(table: table, schema: schema) }

  /// What a body says of every row that it changes.
  ///
  /// - Parameters:
  ///   - body: The one row.
  ///   - now: What "now" means in it.
  /// - Returns: What each column is to be.
  /// - Throws: ``TableError`` for a body that is not of one row, or a literal that does not fit.
  static func changes(_ body: BodyRows, at now: Instant) throws(TableError) -> [String: Value] {
    guard body.rows.count == 1, let row = body.rows.first else {
      throw .invalidBody("All object keys must match")
    }
    var changes: [String: Value] = [:]
    for column in body.said {
      changes[column.name] = column.meant(
        by: try Value(row[column.name] ?? .null, column.type, at: now))
    }
    return changes
  }

  /// Changes a row, and tells by what it is found then.
  ///
  /// What a row says already is no change: clients send whole rows, and most of their columns are never changed.
  ///
  /// - Throws: ``TableError``, or what writing throws; then nothing may be kept.
  func update(
    _ row: Row, to said: [String: Value], _ caller: Key, _ write: inout TableWrite
  ) throws -> WrittenRow {
    let before = table.values(of: row)
    let changes = said.filter { name, value in
      guard let place = table.place(of: name) else { return false }
      return !Value.areSame(row.values[place], value, table.columns[place].type)
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
      after, changed: changed, own: table.primaryKey.map { before[$0] ?? .null }, in: write.sight)
    try checks.checkReferences(after, changed: changed, in: write.sight)
    let naming = RowNaming(table: table)
    try naming.checkName(before, changed, caller)
    do {
      let held = naming.withoutName(changes)
      write.said = Set(said.keys)
      if !held.isEmpty { try writer.update(naming.withoutName(before), to: held, &write) }
    } catch let rejection as Rejection {
      throw TableError(rejection, writing: table, after)
    }
    try naming.keep(before, after, changed, checks, &write)
    return written
  }

  /// Takes a row away. One that went with another of the same request is gone already.
  ///
  /// - Throws: ``TableError``, or what writing throws; then nothing may be kept.
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

extension Table {
  /// Whether a column says which row it is, from when it is made until it is gone.
  fileprivate func isFixed(_ column: String) -> Bool {
    guard let place = place(of: column), case .freshKey = columns[place].standard else {
      return false
    }
    return true
  }
}
