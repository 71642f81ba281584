import Avro
import Daybook

/// An export as a table: a record for each entry, with columns to sort and sum by.
///
/// A field with a column of its own goes there; all other fields are in the JSON of the last
/// column. So a table holds all that JSON Lines hold, and is read back into the same entries.
enum ExportTable {
  static let columns = [
    "position", "at", "actor", "id", "step", "event", "account", "habit", "goal", "day", "value",
    "entered", "source", "note", "data",
  ]
  /// The columns for fields of events.
  private static let fieldColumns = Set(columns.dropFirst(6).dropLast())

  /// The columns of each event's fields, and whether a column holds numbers.
  private static let places: [String: [Place]] = {
    guard case .union(let records) = Event.schema else { return [:] }
    return Dictionary(
      zip(records, EntityKind.createdByTypes).map { schema, own in
        (schema.name ?? "", places(schema, own))
      },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The column of an event's field.
  private struct Place {
    var field: String
    var column: String
    var isNumber: Bool
  }

  /// The record of an entry, given as a line of an export.
  static func fields(of json: JSON) -> [String] {
    var cells: [String: String] = [:]
    for name in ["position", "step"] { cells[name] = json[name]?.encoded ?? "" }
    for name in ["at", "actor", "id", "event"] { cells[name] = json[name]?.text ?? "" }
    let places = places[cells["event"] ?? ""] ?? []
    var rest: [JSON.Member] = []
    for member in json["data"]?.members ?? [] {
      let column = places.first { $0.field == member.name }?.column
      switch (column, member.value) {
      case (.some, .null): break
      // An empty cell stands for null, so an empty text goes to the JSON.
      case (.some(let column), .string(let text)) where !text.isEmpty: cells[column] = text
      case (.some(let column), .number(let digits)): cells[column] = digits
      default: rest.append(member)
      }
    }
    if !rest.isEmpty { cells["data"] = JSON.object(rest).encoded }
    return columns.map { cells[$0] ?? "" }
  }

  /// The entry of a record, as a line of an export.
  ///
  /// - Parameters:
  ///   - fields: The record's fields.
  ///   - header: The names of the columns, in the record's order.
  /// - Returns: The line.
  /// - Throws: when a cell does not fit its column.
  static func json(of fields: [String], _ header: [String]) throws(TranscodingError) -> JSON {
    guard fields.count == header.count else {
      throw TranscodingError(
        "it has \(fields.count) fields, but the first line has \(header.count)")
    }
    var cells = Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first })
    let event = cells["event"] ?? ""
    var data: [JSON.Member] = []
    if let text = cells.removeValue(forKey: "data"), !text.isEmpty {
      do throws(JSONError) { data = try JSON(parsing: text).members ?? [] } catch {
        throw TranscodingError("data: it is \(error.description)")
      }
    }
    for place in places[event] ?? [] where !data.contains(where: { $0.name == place.field }) {
      let text = cells.removeValue(forKey: place.column) ?? ""
      data.append(.init(place.field, place.isNumber ? number(text) : self.text(text)))
    }
    for column in header where fieldColumns.contains(column) {
      guard cells[column] ?? "" == "" else {
        throw TranscodingError("\(column): a \(event) has none")
      }
    }
    var members: [JSON.Member] = []
    for name in ["position", "step"] {
      if let text = cells[name], !text.isEmpty { members.append(.init(name, number(text))) }
    }
    for name in ["at", "actor", "id"] {
      if let text = cells[name], !text.isEmpty { members.append(.init(name, .string(text))) }
    }
    return .object(members + [.init("event", .string(event)), .init("data", .object(data))])
  }

  private static func text(_ text: String) -> JSON { text.isEmpty ? .null : .string(text) }

  /// The number in a cell. Any other text stays a text, and is refused as such.
  private static func number(_ text: String) -> JSON {
    if text.isEmpty { return .null }
    guard case .number(let digits)? = try? JSON(parsing: text) else { return .string(text) }
    return .number(digits)
  }

  private static func places(_ schema: Schema, _ own: EntityKind?) -> [Place] {
    guard case .record(let record) = schema else { return [] }
    return record.fields.compactMap { field in
      let column =
        switch field.name {
        case "key": own?.word ?? ""
        case "owner": "account"
        default: field.name
        }
      guard fieldColumns.contains(column), let isNumber = field.schema.isNumberInExport else {
        return nil
      }
      return Place(field: field.name, column: column, isNumber: isNumber)
    }
  }
}

extension Schema {
  /// Whether an export shows a value as a number (`true`) or as a text (`false`); nil when it does
  /// neither.
  fileprivate var isNumberInExport: Bool? {
    switch self {
    case .primitive(.string, _), .enumeration, .fixed: false
    case .primitive(.int, let type), .primitive(.long, let type):
      type.logicalType == nil || type.logicalType == "thousandths"
    case .union(let branches):
      branches.count == 2 && branches.first == .primitive(.null)
        ? branches.last?.isNumberInExport : nil
    default: nil
    }
  }
}
