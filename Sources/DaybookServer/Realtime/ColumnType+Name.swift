import DaybookTables

extension ColumnType {
  /// PostgreSQL's name of the type.
  var name: String {
    switch self {
    case .bool: "bool"
    case .integer: "int4"
    case .decimal: "numeric"
    case .text, .enumeration: "text"
    case .uuid: "uuid"
    case .timestamp: "timestamptz"
    case .date: "date"
    case .time: "time"
    case .json: "jsonb"
    case .textArray: "_text"
    }
  }
}
