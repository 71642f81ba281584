import Daybook
import HTTPTypes

extension RejectionCode {
  /// Whether something is another's that may be there once.
  var isOfTaken: Bool {
    switch self {
    case .keyTaken, .identityTaken, .codeTaken, .nameTaken: true
    default: false
    }
  }
}

extension TableError {
  /// What a refusal of the domain is to one who writes to a table.
  ///
  /// - Parameters:
  ///   - rejection: The refusal.
  ///   - table: Where it was written.
  ///   - row: The key of the row, for telling which is there already.
  init(_ rejection: Rejection, writing table: Table, _ row: [String: Value] = [:]) {
    switch rejection.kind {
    case .malformed where rejection.reason == .missingField:
      self = .isNull(rejection.field ?? "", of: table.name)
    case .malformed: self.init(.badRequest, "22P02", rejection.description)
    case .invalid, .limit, .untimely: self.init(.badRequest, "23514", rejection.description)
    // A state that does not go with what is written, as of an archived habit: no row is there already.
    case .conflict where !rejection.reason.isOfTaken:
      self.init(.badRequest, "23514", rejection.description)
    case .conflict:
      // The key that the row says itself; nobody said one that follows from others.
      let said = table.keys.first { key in key.allSatisfy { row[$0]?.isNull == false } }
      self = .duplicate(of: said ?? table.primaryKey, row, in: table)
      hint = rejection.description
    // What is not there for the one who writes looks like what is another's.
    case .notFound, .forbidden: self = .rowSecurity(table.name)
    case .unauthenticated: self = .unknownAccount
    }
  }

  /// What a refusal of the domain is to one who calls a function.
  init(raising rejection: Rejection) {
    self = rejection.kind == .unauthenticated ? .unknownAccount : .raised(rejection.description)
  }

  /// A row with the same key is there already.
  static func duplicate(
    of key: [String], _ row: [String: Value], in table: Table
  ) -> TableError {
    let name =
      key == table.primaryKey
      ? "\(table.name)_pkey" : "\(table.name)_\(key.joined(separator: "_"))_key"
    return TableError(
      .conflict, "23505", "duplicate key value violates unique constraint \"\(name)\"",
      details: "Key \(named(key, row)) already exists.")
  }

  /// A row names another that is not there.
  static func missing(_ key: ForeignKey, _ row: [String: Value], of table: Table) -> TableError {
    TableError(
      .conflict, "23503",
      "insert or update on table \"\(table.name)\" violates foreign key constraint \"\(key.name)\"",
      details: "Key \(named(key.columns, row)) is not present in table \"\(key.table)\".")
  }

  private static func named(_ columns: [String], _ row: [String: Value]) -> String {
    let values = columns.map { row[$0]?.text ?? "null" }
    return "(\(columns.joined(separator: ", ")))=(\(values.joined(separator: ", ")))"
  }
}
