import Avro
import DaybookTables

/// A channel's subscription to changes of rows, from its join message.
struct ChangeBinding: Sendable {
  /// The number that identifies it in deliveries; never 0.
  let id: Int64
  /// The binding as the reply echoes it: as sent, with the number added.
  let echo: JSON
  /// The kind of changes; `nil` for all.
  let kind: ChangeKind?
  /// The table; `nil` for all tables, or if there is none of that name.
  let table: AppTable?
  /// The filter on rows; `nil` for none.
  let filter: RowFilter?
  /// The reason why it will never receive anything, if so.
  let fault: String?

  /// The cost of testing a change, in comparisons.
  var weight: Int { 1 + (filter?.weight ?? 0) }

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

  /// Whether a binding names a schema, but no table in it.
  private static func meansAllTables(_ json: JSON) -> Bool {
    guard json["schema"]?.text != nil else { return false }
    switch json["table"] {
    case nil, .null, .string("*"): return true
    default: return false
    }
  }

  /// Whether it may want changes of a table.
  func wants(_ table: AppTable) -> Bool {
    fault == nil && (self.table == nil || self.table?.name == table.name)
  }

  /// Whether it wants a change of a row.
  func wants(_ kind: ChangeKind, _ row: Row, of table: AppTable) -> Bool {
    wants(table) && (self.kind == nil || self.kind == kind)
      && (filter?.matches(row) ?? true)
  }
}
