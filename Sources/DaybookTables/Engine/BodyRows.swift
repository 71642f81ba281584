import Avro
import DaybookStore
import HTTPTypes

/// The rows of a request body, and the columns that they set.
struct BodyRows: Sendable {
  /// The most rows that a request may write. Other writes wait for all of them, some tenths of a second.
  static let mostRows = 5000

  /// The columns that the body sets, without those that the server decides.
  let given: [TableColumn]
  /// The values of each row by column; a column that the row does not set is missing.
  let rows: [[String: JSON]]

  /// Whether writing the rows takes so long that they have a commit of their own.
  var isLong: Bool { rows.count > Batch.shortCount }

  /// Reads a body: an object, or an array of objects.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - columns: The only columns to read. Without them, all rows must have the same members.
  ///   - table: The table of the rows.
  ///   - isUpdate: Whether the body changes existing rows.
  /// - Throws: ``TableError``: `PGRST102`, `PGRST204`, `428C9`, `54000`.
  init(
    _ body: [UInt8], columns: [String]?, of table: AppTable, isUpdate: Bool = false
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
    var given: [TableColumn] = []
    for name in names where !given.contains(where: { $0.name == name }) {
      guard let place = table.place(of: name) else {
        throw .unknownBodyColumn(name, of: table.name)
      }
      let column = table.columns[place]
      switch column.writing {
      case .client: given.append(column)
      case .once: if !isUpdate { given.append(column) }
      case .server: break
      case .computed: throw .computed(column, isUpdate: isUpdate)
      }
    }
    (self.given, self.rows) = (given, rows)
  }
}

extension TableError {
  fileprivate static func computed(_ column: TableColumn, isUpdate: Bool) -> TableError {
    TableError(
      .badRequest, "428C9",
      isUpdate
        ? "column \"\(column.name)\" can only be updated to DEFAULT"
        : "cannot insert a non-DEFAULT value into column \"\(column.name)\"",
      details: "Column \"\(column.name)\" is a generated column.")
  }
}
