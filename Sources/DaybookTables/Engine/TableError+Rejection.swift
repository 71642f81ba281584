import Daybook
import HTTPTypes

extension RejectionCode {
  /// Whether something that must be unique is already taken.
  var isOfTaken: Bool {
    switch self {
    case .keyTaken, .identityTaken, .codeTaken, .nameTaken: true
    default: false
    }
  }
}

extension TableError {
  /// The error for a rejection of a write to a table.
  ///
  /// - Parameters:
  ///   - rejection: The rejection.
  ///   - table: The table.
  ///   - row: The values of the row, which name the duplicate key.
  init(_ rejection: Rejection, writing table: AppTable, _ row: [String: TableValue] = [:]) {
    switch rejection.kind {
    case .malformed where rejection.reason == .missingField:
      self = .isNull(rejection.field ?? "", of: table.name)
    case .malformed: self.init(.badRequest, "22P02", rejection.description)
    case .invalid, .limit, .untimely: self.init(.badRequest, "23514", rejection.description)
    // A state that does not allow the write, such as an archived habit; no row exists already.
    case .conflict where !rejection.reason.isOfTaken:
      self.init(.badRequest, "23514", rejection.description)
    case .conflict:
      // The key that the row sets itself; a derived key was not sent.
      let given = table.keys.first { key in key.allSatisfy { row[$0]?.isNull == false } }
      self = .duplicate(of: given ?? table.primaryKey, row, in: table)
      hint = rejection.description
    // A row that the writer cannot see looks like a row of somebody else.
    case .notFound, .forbidden: self = .rowSecurity(table.name)
    case .unauthenticated: self = .unknownAccount
    }
  }

  /// The error for a rejection of a function call.
  init(raising rejection: Rejection) {
    self = rejection.kind == .unauthenticated ? .unknownAccount : .raised(rejection.description)
  }

  /// A row with the same key exists already.
  static func duplicate(
    of key: [String], _ row: [String: TableValue], in table: AppTable
  ) -> TableError {
    let name =
      key == table.primaryKey
      ? "\(table.name)_pkey" : "\(table.name)_\(key.joined(separator: "_"))_key"
    return TableError(
      .conflict, "23505", "duplicate key value violates unique constraint \"\(name)\"",
      details: "Key \(named(key, row)) already exists.")
  }

  /// A row refers to another that does not exist.
  static func missing(_ key: ForeignKey, _ row: [String: TableValue], of table: AppTable)
    -> TableError
  {
    TableError(
      .conflict, "23503",
      "insert or update on table \"\(table.name)\" violates foreign key constraint \"\(key.name)\"",
      details: "Key \(named(key.columns, row)) is not present in table \"\(key.table)\".")
  }

  private static func named(_ columns: [String], _ row: [String: TableValue]) -> String {
    let values = columns.map { row[$0]?.text ?? "null" }
    return "(\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", ")))"
  }
}
