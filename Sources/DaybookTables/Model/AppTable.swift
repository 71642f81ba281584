public import Daybook

/// A column of a table.
public struct TableColumn: Sendable {
  /// The value of a column that a row does not set.
  public enum Default: Sendable {
    /// NULL; if the column is not nullable, it must be set (23502).
    case null
    /// A value.
    case value(TableValue)
    /// A value that also replaces NULL: the column is never empty, but apps may send NULL for it.
    case always(TableValue)
    /// The caller's key.
    case caller
    /// A fresh key.
    case freshKey
    /// A key derived from the row's content. An app may give the row another name.
    case derivedKey
  }

  /// Who decides a column's value.
  public enum Writing: Sendable {
    /// The writer of the row.
    case client
    /// The client that inserts the row; later values are ignored.
    case once
    /// The server; a client's value, such as that of `updated_at`, is ignored.
    case server
    /// Computed from other columns; a client that sends it is refused (428C9).
    case computed
  }

  /// Its name.
  public let name: String
  /// The type of its value.
  public let type: ColumnType
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The value of a row that does not set it.
  public let defaultValue: Default
  /// Who decides its value.
  public let writing: Writing
  /// The allowed texts; others violate a check (23514).
  public let allowed: [String]?
  /// Converts a value to its normal form, where it has several spellings.
  let normalised: (@Sendable (TableValue) -> TableValue)?

  public init(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, defaultValue: Default = .null,
    writing: Writing = .client, allowed: [String]? = nil,
    normalised: (@Sendable (TableValue) -> TableValue)? = nil
  ) {
    self.normalised = normalised
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.defaultValue = defaultValue
    self.writing = writing
    self.allowed = allowed
  }

  /// The value that the column takes when a value is written to it.
  func stored(_ value: TableValue) -> TableValue {
    if case .always(let defaultValue) = defaultValue, value.isNull { return defaultValue }
    return normalised?(value) ?? value
  }
}

/// Columns that refer to a row of another table, or of the same one.
public struct ForeignKey: Sendable {
  /// The name that hints use: `habits_user_id_fkey`.
  public let name: String
  /// The referring columns.
  public let columns: [String]
  /// The referenced table.
  public let table: String
  /// The referenced columns.
  public let referenced: [String]
  /// Whether a reference to no visible row is refused as such (23503) before the table's writer sees it. False where
  /// the writer uses the reference to decide who may write at all.
  public let isChecked: Bool
  /// Whether the key applies only where a query names it, and another key between the same tables otherwise.
  public let isSecondary: Bool

  /// Makes a reference from one column to another table's key.
  public init(
    _ column: String, of table: String, to other: String, _ referenced: String = "id",
    isChecked: Bool = true, isSecondary: Bool = false
  ) {
    name = "\(table)_\(column)_fkey"
    columns = [column]
    self.table = other
    self.referenced = [referenced]
    self.isChecked = isChecked
    self.isSecondary = isSecondary
  }
}

/// A row: one value for each column of its table, in order.
public struct Row: Hashable, Sendable {
  /// The values.
  public var values: [TableValue]

  public init(_ values: [TableValue]) { self.values = values }
}

/// A table as apps see it: the declaration that drives reading, writing, embedding and change notifications.
public final class AppTable: Sendable {
  /// Its name.
  public let name: String
  /// Its columns, in the order of `*`.
  public let columns: [TableColumn]
  /// The columns that identify a row.
  public let primaryKey: [String]
  /// Other sets of columns that are unique.
  public let uniqueKeys: [[String]]
  /// Sets of columns that identify an inserted row that exists already; it is then updated instead of duplicated.
  public let recognitionKeys: [[String]]
  /// Its references to other tables.
  public let foreignKeys: [ForeignKey]
  /// Passes on the rows that the viewer may see, in a stable order: at least all within the bounds.
  public let scan:
    @Sendable (_ view: AccountView, _ bounds: ScanBounds, _ take: (Row) throws -> Void) throws ->
      Void
  /// Carries out the writes of clients; `nil` for a read-only table.
  public let writer: (any TableWriter)?
  /// The rows that an entry inserted, updated or deleted.
  public let touched:
    @Sendable (_ entry: Entry, _ before: BookState, _ after: BookState) -> [TouchedRow]

  /// The kind of entity behind each row, when a row stands for exactly one entity.
  let kind: EntityKind?
  /// Whether the rows of a habit, named by `habit_id`, depend on that habit and its owner alone.
  let isOfHabit: Bool

  package init(
    _ name: String, _ columns: [TableColumn], of kind: EntityKind? = nil, isOfHabit: Bool = false,
    primaryKey: [String] = ["id"], uniqueKeys: [[String]] = [],
    recognitionKeys: [[String]] = [], foreignKeys: [ForeignKey] = [],
    writer: (any TableWriter)? = nil,
    touched: @escaping @Sendable (Entry, BookState, BookState) -> [TouchedRow] = { _, _, _ in [] },
    scan: @escaping @Sendable (AccountView, ScanBounds, (Row) throws -> Void) throws -> Void
  ) {
    self.name = name
    self.columns = columns
    self.kind = kind
    self.isOfHabit = isOfHabit
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.recognitionKeys = recognitionKeys
    self.foreignKeys = foreignKeys
    self.writer = writer
    self.touched = touched
    self.scan = scan
  }

  /// The place of a column.
  public func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

/// A row that an entry touched: the values that identify it, and who may see it before or after.
public struct TouchedRow: Sendable {
  /// Columns and values that identify this row alone.
  public var key: [String: TableValue]
  /// The accounts that may have seen it before, or may see it after.
  public var audience: [Account.ID]
  /// Whether it was written rather than derived from the journal; then it is looked up.
  public var isWritten = false

  public init(_ key: [String: TableValue], for audience: [Account.ID]) {
    self.key = key
    self.audience = audience
  }

  /// The bounds within which a scan finds it.
  public var bounds: ScanBounds {
    var bounds = ScanBounds(key)
    bounds.onlyWritten = isWritten
    return bounds
  }
}
