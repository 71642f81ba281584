import Avro
import HTTPTypes

/// The rows that a body says, and which columns they may say.
struct BodyRows: Sendable {
  /// The most rows that a request writes.
  ///
  /// The writes of others wait for all of them, some tenths of a second.
  static let mostRows = 5000

  /// The columns of the table that are said, those that are the server's left out.
  let said: [Column]
  /// What each row says, by column; one that it does not say is missing.
  let rows: [[String: JSON]]

  /// Reads a body: an object, or an array of objects.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - columns: The columns that count; without them all rows must say the same ones.
  ///   - table: Whose rows they are.
  ///   - isUpdate: Whether rows are changed that are there already.
  /// - Throws: ``TableError``: `PGRST102`, `PGRST204`, `428C9`, `54000`.
  init(
    _ body: [UInt8], columns: [String]?, of table: Table, isUpdate: Bool = false
  ) throws(TableError) {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: body, lastOfNameCounts: true) } catch {
      throw .invalidBody("Empty or invalid json")
    }
    var rows: [[String: JSON]] = []
    var names = columns ?? []
    let elements = json.elements ?? [json]
    guard elements.count <= Self.mostRows else { throw .tooManyRows }
    for (place, element) in elements.enumerated() {
      guard let members = element.members else {
        throw .invalidBody("All object keys must match")
      }
      let row = Dictionary(members.map { ($0.name, $0.value) }) { _, last in last }
      if columns == nil {
        if place == 0 { names = members.map(\.name) }
        guard row.count == names.count, names.allSatisfy({ row[$0] != nil }) else {
          throw .invalidBody("All object keys must match")
        }
      }
      rows.append(row)
    }
    var said: [Column] = []
    for name in names where !said.contains(where: { $0.name == name }) {
      guard let place = table.place(of: name) else {
        throw .unknownBodyColumn(name, of: table.name)
      }
      let column = table.columns[place]
      switch column.writing {
      case .client: said.append(column)
      case .once: if !isUpdate { said.append(column) }
      case .server: break
      case .computed: throw .computed(column, isUpdate: isUpdate)
      }
    }
    (self.said, self.rows) = (said, rows)
  }
}

extension TableError {
  fileprivate static func computed(_ column: Column, isUpdate: Bool) -> TableError {
    TableError(
      .badRequest, "428C9",
      isUpdate
        ? "column \"\(column.name)\" can only be updated to DEFAULT"
        : "cannot insert a non-DEFAULT value into column \"\(column.name)\"",
      details: "Column \"\(column.name)\" is a generated column.")
  }
}
