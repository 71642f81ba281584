import Avro

/// A column of a row, or a path into its JSON.
struct Operand: Sendable {
  /// The place of the column among the table's columns.
  let index: Int
  let path: ColumnPath
  /// The type of its value.
  let type: ColumnType

  /// The cost of finding the value in a row: following a JSON path is slow.
  var weight: Int { 1 + 50 * path.steps.count }

  /// Finds the column in a table.
  ///
  /// - Throws: ``TableError`` (`42703`) when there is none.
  init(_ path: ColumnPath, of table: AppTable) throws(TableError) {
    guard let index = table.place(of: path.name) else {
      throw .unknownColumn(path.name, of: table.name)
    }
    self.index = index
    self.path = path
    type = path.steps.isEmpty ? table.columns[index].type : path.isText ? .text : .json
  }

  /// The value in a row.
  func value(in row: Row, _ budget: RequestBudget? = nil) -> TableValue {
    let value = row.values[index]
    budget?.spend(1)
    if path.steps.isEmpty || value.isNull { return value }
    budget?.spend(10 * path.steps.count)
    guard let found = value.json.value(at: path.steps) else { return .null }
    guard path.isText else { return .json(found) }
    budget?.spend(10 * found.weight)
    if found == .null { return .null }
    return .text(found.text ?? found.encoded)
  }
}
