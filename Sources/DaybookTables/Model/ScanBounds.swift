public import Values

/// The bounds of the rows that a request can match. A scan may skip rows outside them, but need not.
public struct ScanBounds: Sendable {
  /// The allowed values of columns.
  public var equal: [String: Set<TableValue>] = [:]
  /// The lower and upper bounds of columns, both inclusive.
  public var ranges: [String: (lower: TableValue?, upper: TableValue?)] = [:]
  /// The places of the columns that are read; a scan may leave the others NULL. `nil` for all.
  public var places: Set<Int>?

  /// Whether only written rows count, and none that are derived from the journal.
  var onlyWritten = false

  /// All rows.
  public init() {}

  /// The rows with these values.
  public init(_ key: [String: TableValue]) { equal = key.mapValues { [$0] } }

  /// The keys that a column may have, if they are known.
  public func keys(_ column: String) -> [Key]? {
    equal[column]?.compactMap { value in
      guard case .uuid(let key) = value else { return nil }
      return key
    }
  }
}
