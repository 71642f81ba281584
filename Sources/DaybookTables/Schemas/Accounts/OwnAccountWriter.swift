import Daybook
import DaybookStore
import Values

/// Carries out an account's writes to its own row, which exists as long as the account does.
struct OwnAccountWriter: TableWriter {
  let table: String
  /// Whether the row counts as new until its account is first changed.
  var isNewAtFirst = false
  /// Records the columns that are set, given the row before; that is empty for an inserted row.
  let change: @Sendable (RowColumns, RowColumns, inout TableWrite) throws -> Void

  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let key = write.key, row.key("id") == key else { throw TableError.rowSecurity(table) }
    try change(row.filled(given), [:], &write)
    return [.uuid(key)]
  }

  func isUnwritten(_ row: RowColumns, _ write: TableWrite) -> Bool {
    guard isNewAtFirst, row.key("id") == write.key,
      let account = write.batch.state.accounts[write.viewer]
    else { return false }
    return account.updated == account.created
  }

  func mayChange(_ row: RowColumns, _ write: TableWrite) -> Bool { row.key("id") == write.key }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    try change(changes, row, &write)
  }

  /// An account is not erased by deleting its row.
  func mayDelete(_ row: RowColumns, _ write: TableWrite) -> Bool { false }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    throw TableError.denied(table)
  }
}
