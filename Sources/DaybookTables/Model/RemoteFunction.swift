/// A function that clients call by `POST /rest/v1/rpc/<name>`.
public struct RemoteFunction: Sendable {
  /// An argument, which callers pass by name.
  public struct Argument: Sendable {
    /// Its name.
    public let name: String
    /// The type of its value.
    public let type: ColumnType
    /// Its default; `nil` for a required argument.
    public let defaultValue: TableValue?

    public init(_ name: String, _ type: ColumnType, defaultValue: TableValue? = nil) {
      self.name = name
      self.type = type
      self.defaultValue = defaultValue
    }
  }

  /// What a function answers.
  public enum Answer: Sendable {
    /// A value: bare JSON.
    case scalar(TableValue)
    /// A row of a table of the same schema: an object.
    case row(table: String, key: [String: TableValue])
    /// Rows: an array of objects, the members in order.
    case rows([[(String, TableValue)]])
    /// Nothing: 204.
    case void
  }

  /// Its name.
  public let name: String
  /// What it takes.
  public let arguments: [Argument]
  /// Whether it writes nothing, so that GET may also call it.
  public let isReadOnly: Bool
  /// Runs the function for a signed-in caller.
  ///
  /// Throws ``TableError``, or `Rejection`; then nothing is recorded.
  public let call:
    @Sendable (_ arguments: [String: TableValue], _ write: inout TableWrite) throws -> Answer

  public init(
    _ name: String, _ arguments: [Argument], isReadOnly: Bool = false,
    call: @escaping @Sendable ([String: TableValue], inout TableWrite) throws -> Answer
  ) {
    self.name = name
    self.arguments = arguments
    self.isReadOnly = isReadOnly
    self.call = call
  }
}

/// The tables and functions of one app, or of all of them together.
public struct TableSchema: Sendable {
  /// The path component, `habithive` in `/p/habithive/rest/v1/habits`; empty for all tables
  /// together.
  public let name: String
  /// The tables.
  public let tables: [AppTable]
  /// The functions.
  public let functions: [RemoteFunction]
  /// The relations of each table, computed once because every embedding request needs them.
  private(set) var relations: [String: [ForeignRelation]] = [:]

  public init(_ name: String, _ tables: [AppTable], functions: [RemoteFunction] = []) {
    self.name = name
    self.tables = tables
    self.functions = functions
    for table in tables { relations[table.name] = ForeignRelation.all(of: table, in: self) }
  }

  /// The table with a name.
  public func table(_ name: String) -> AppTable? { tables.first { $0.name == name } }
}
