public import Daybook
public import Values

/// A column of a table.
public struct Column: Sendable {
  /// What a row gets that does not say the column.
  public enum Default: Sendable {
    /// NULL; where that is not taken, the column must be said (23502).
    case null
    /// A value.
    case value(Value)
    /// A value that NULL means, too: there is always something in the column, and apps for which it may be empty say so.
    case always(Value)
    /// The key of the one who asks.
    case caller
    /// A fresh key.
    case freshKey
    /// The key that follows from what the row holds. An app may call the row by another.
    case derivedKey
  }

  /// Who decides what stands in it.
  public enum Writing: Sendable {
    /// Whoever writes the row.
    case client
    /// Whoever makes the row, if they say it; what is said of it later is passed over.
    case once
    /// The server; what a client sends is passed over, as `updated_at` must be.
    case server
    /// It follows from other columns; a client that sends it is refused (428C9).
    case computed
  }

  /// Its name.
  public let name: String
  /// What it holds.
  public let type: ColumnType
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// What a row gets that does not say it.
  public let standard: Default
  /// Who decides what stands in it.
  public let writing: Writing
  /// The texts that are taken, where others break a check (23514).
  public let allowed: [String]?
  /// The one form of a value that may be written in several.
  let normalised: (@Sendable (Value) -> Value)?

  public init(
    _ name: String, _ type: ColumnType, isNullable: Bool = false, standard: Default = .null,
    writing: Writing = .client, allowed: [String]? = nil,
    normalised: (@Sendable (Value) -> Value)? = nil
  ) {
    self.normalised = normalised
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.standard = standard
    self.writing = writing
    self.allowed = allowed
  }

  /// What a value that is written to it means.
  func meant(by value: Value) -> Value {
    if case .always(let standard) = standard, value.isNull { return standard }
    return normalised?(value) ?? value
  }
}

/// Columns of a table that name a row of another, or of the same.
public struct ForeignKey: Sendable {
  /// What hints may call it: `habits_user_id_fkey`.
  public let name: String
  /// The columns that name the row.
  public let columns: [String]
  /// Whose row they name.
  public let table: String
  /// The columns by which they name it.
  public let referenced: [String]
  /// Whether a row that names nothing visible is refused as such (23503), before the table's writer sees it; not where
  /// the writer tells by it who may write at all.
  public let isChecked: Bool
  /// Whether it is meant only where a query names it, and no other key between the same tables without.
  public let isSecondary: Bool

  /// Makes a reference of one column to another table's key.
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

/// A row: its values in the order of its table's columns.
public struct Row: Hashable, Sendable {
  /// The values.
  public var values: [Value]

  public init(_ values: [Value]) { self.values = values }
}

/// A table as clients see it: a declaration, from which reading, writing, embedding and telling of changes follow.
public final class Table: Sendable {
  /// Its name.
  public let name: String
  /// Its columns, in the order in which `*` has them.
  public let columns: [Column]
  /// The columns by which a row is named.
  public let primaryKey: [String]
  /// Other sets of columns of which no two rows have the same values.
  public let uniqueKeys: [[String]]
  /// Sets of columns by which a row that is inserted is known again: it is changed then, and no second one is made.
  public let recognitionKeys: [[String]]
  /// What its rows name in other tables.
  public let foreignKeys: [ForeignKey]
  /// Gives the rows that the one who looks may see: at least all of them that go with what is narrowed to, in a stable order.
  public let scan:
    @Sendable (_ sight: Sight, _ narrowing: Narrowing, _ take: (Row) throws -> Void) throws -> Void
  /// Takes what clients write; nothing where they may only read.
  public let writer: (any TableWriter)?
  /// Which rows an entry made, changed or took away.
  public let touched:
    @Sendable (_ entry: Entry, _ before: BookState, _ after: BookState) -> [TouchedRow]

  /// Of which kind the things are whose rows they are by their keys, where one row is one thing.
  let kind: EntityKind?
  /// Whether the rows of the habit that `habit_id` names depend on that habit and its owner alone.
  let isOfHabit: Bool

  package init(
    _ name: String, _ columns: [Column], of kind: EntityKind? = nil, isOfHabit: Bool = false,
    primaryKey: [String] = ["id"], uniqueKeys: [[String]] = [],
    recognitionKeys: [[String]] = [], foreignKeys: [ForeignKey] = [],
    writer: (any TableWriter)? = nil,
    touched: @escaping @Sendable (Entry, BookState, BookState) -> [TouchedRow] = { _, _, _ in [] },
    scan: @escaping @Sendable (Sight, Narrowing, (Row) throws -> Void) throws -> Void
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

  /// Where a column stands.
  public func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

/// A row that an entry touched: by which values it is found, and who may see it, before or after.
public struct TouchedRow: Sendable {
  /// Columns and values that find this row alone.
  public var key: [String: Value]
  /// Those who may have seen it before, or may see it after.
  public var audience: [Account.ID]
  /// Whether it was written, and is not worked out of the journal: it is looked up then.
  public var isRecord = false

  /// Makes one.
  public init(_ key: [String: Value], for audience: [Account.ID]) {
    self.key = key
    self.audience = audience
  }

  /// What finds it.
  public var narrowing: Narrowing {
    var narrowing = Narrowing(key)
    narrowing.isOfRecords = isRecord
    return narrowing
  }
}

/// What a request is known to ask for: a scan may leave out what does not go with it, and need not.
public struct Narrowing: Sendable {
  /// Columns that have one of these values.
  public var equal: [String: Set<Value>] = [:]
  /// Columns that have at least the lower value and at most the upper.
  public var ranges: [String: (lower: Value?, upper: Value?)] = [:]
  /// The places of the columns that are looked at, of which a scan may leave the others NULL; nothing for all.
  public var places: Set<Int>?

  /// Whether what was written is meant alone, and not what is worked out of the journal.
  var isOfRecords = false

  /// Narrows to nothing in particular.
  public init() {}

  /// Narrows to rows with these values.
  public init(_ key: [String: Value]) { equal = key.mapValues { [$0] } }

  /// The keys that a column may have, if that is known.
  public func keys(_ column: String) -> [Key]? {
    equal[column]?.compactMap { value in
      guard case .uuid(let key) = value else { return nil }
      return key
    }
  }
}
