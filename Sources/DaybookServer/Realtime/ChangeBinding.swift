import Avro
import DaybookTables

/// Which changes of which rows a channel wants to hear, as its join said it.
struct ChangeBinding: Sendable {
  /// The number by which deliveries name it; never 0.
  let id: Int64
  /// The binding as the reply echoes it: what was sent, and the number.
  let echo: JSON
  /// Which changes; all without one.
  let kind: ChangeKind?
  /// The table; nothing when there is none of the name, or more was asked than can be.
  let table: DaybookTables.Table?
  /// What the rows must be like; anything without one.
  let filter: RowFilter?
  /// Why nothing will be heard, if so.
  let fault: String?

  /// Reads a binding.
  init(_ json: JSON, id: Int64, in schema: TableSchema) {
    self.id = id
    let fields = ["event", "schema", "table", "filter"]
    echo = .object(
      [JSON.Member("id", .number(id))]
        + fields.compactMap { name in json[name].map { JSON.Member(name, $0) } })
    kind = json["event"]?.text.flatMap { ChangeKind(rawValue: $0.uppercased()) }
    var fault: String?
    if let event = json["event"]?.text, event != "*", kind == nil {
      fault = "There is no event \"\(event)\": INSERT, UPDATE, DELETE or *."
    }
    if let name = json["schema"]?.text, name != "public", name != "*" {
      fault = "There is no schema \"\(name)\" but public."
    }
    table = json["table"]?.text.flatMap { schema.table($0) }
    var filter: RowFilter?
    if let table {
      if let text = json["filter"]?.text, !text.isEmpty {
        do throws(TableError) { filter = try RowFilter(text, of: table) } catch {
          fault = error.message
        }
      }
    } else {
      fault = "There is no table \"\(json["table"]?.text ?? "")\"."
    }
    self.filter = filter
    self.fault = fault
  }

  /// Whether a change of a row of the table is wanted.
  func wants(_ kind: ChangeKind, _ row: Row) -> Bool {
    fault == nil && (self.kind == nil || self.kind == kind)
      && (filter?.takes(row) ?? true)
  }
}
