import Avro

/// A column of a row, or what a way into its JSON leads to.
struct Operand: Sendable {
  /// Where the column stands.
  let index: Int
  let path: ColumnPath
  /// What it gives.
  let type: ColumnType

  /// Finds a column of a table.
  ///
  /// - Throws: ``TableError`` (`42703`) when there is none.
  init(_ path: ColumnPath, of table: Table) throws(TableError) {
    guard let index = table.place(of: path.name) else {
      throw .unknownColumn(path.name, of: table.name)
    }
    self.index = index
    self.path = path
    type = path.steps.isEmpty ? table.columns[index].type : path.isText ? .text : .json
  }

  /// The value in a row.
  func value(in row: Row) -> Value {
    let value = row.values[index]
    if path.steps.isEmpty || value.isNull { return value }
    guard let found = value.json.value(at: path.steps) else { return .null }
    guard path.isText else { return .json(found) }
    if found == .null { return .null }
    return .text(found.text ?? found.encoded)
  }
}
