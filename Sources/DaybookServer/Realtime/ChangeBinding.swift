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
  /// The table; nothing when all are meant, or there is none of the name.
  let table: DaybookTables.Table?
  /// What the rows must be like; anything without one.
  let filter: RowFilter?
  /// Why nothing will be heard, if so.
  let fault: String?

  /// What it costs to tell whether a change is wanted, as so many comparisons.
  var weight: Int { 1 + (filter?.weight ?? 0) }

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
    } else if !Self.meansAllTables(json) {
      fault = "There is no table \"\(json["table"]?.text ?? "")\"."
    }
    if table == nil, fault == nil, json["filter"]?.text.map({ !$0.isEmpty }) ?? false {
      fault = "A filter needs a table."
    }
    self.filter = filter
    self.fault = fault
  }

  /// Whether a binding names a schema and no table of it.
  private static func meansAllTables(_ json: JSON) -> Bool {
    guard json["schema"]?.text != nil else { return false }
    switch json["table"] {
    case nil, .null, .string("*"): return true
    default: return false
    }
  }

  /// Whether some changes of rows of a table are wanted.
  func wants(_ table: DaybookTables.Table) -> Bool {
    fault == nil && (self.table == nil || self.table?.name == table.name)
  }

  /// Whether a change of a row of a table is wanted.
  func wants(_ kind: ChangeKind, _ row: Row, of table: DaybookTables.Table) -> Bool {
    wants(table) && (self.kind == nil || self.kind == kind)
      && (filter?.takes(row) ?? true)
  }
}
