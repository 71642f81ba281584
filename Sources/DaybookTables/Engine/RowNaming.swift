import Daybook
import DaybookStore
import Values

/// The names that apps give to rows with derived keys. A phone that logs a day gives the row a UUID of its own
/// before the server hears of it, and later changes and deletes the row by that UUID.
struct RowNaming {
  let table: AppTable

  /// The values of a row without its name.
  func withoutName(_ row: [String: TableValue]) -> [String: TableValue] {
    guard let column = table.derivedKey else { return row }
    var row = row
    row[column] = nil
    return row
  }

  /// Records the client's name for a new row.
  ///
  /// - Parameters:
  ///   - key: The derived primary key.
  ///   - row: The values that the client set.
  ///   - write: The write that records the name.
  /// - Returns: The primary key that the row shows.
  /// - Throws: what writing throws.
  func name(
    _ key: [TableValue], _ row: [String: TableValue], _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let (column, rows) = named, case .uuid(let own)? = key.first else { return key }
    guard case .uuid(let name)? = row[column] else {
      return [.uuid(write.names[rows].shown(own))]
    }
    try write.recordName(NameRow(own, of: rows, name: name))
    return [.uuid(name)]
  }

  /// Keeps the name of a changed row, or records the client's new one. Where the key is derived from the day, the
  /// row has another key once it moves to another day.
  ///
  /// - Throws: what writing throws.
  func keep(
    _ before: [String: TableValue], _ after: [String: TableValue], _ changed: Set<String>,
    _ checks: RowChecks, _ write: inout TableWrite
  ) throws {
    guard let (column, rows) = named, case .uuid(let former)? = before[column],
      case .uuid(let name)? = after[column]
    else { return }
    var own = write.names[rows].row(shownAs: former)
    if let moving = table.uniqueKeys.first(where: { !changed.isDisjoint(with: $0) }) {
      guard let place = table.place(of: column),
        let moved = try checks.row(with: moving, of: after, in: write.view),
        case .uuid(let shown) = moved.values[place]
      else { return }
      own = write.names[rows].row(shownAs: shown)
    }
    try write.recordName(NameRow(own, of: rows, name: name))
  }

  /// Checks that only the owner of a row renames it; its name is the owner's choice.
  ///
  /// - Throws: ``TableError`` (`0A000`).
  func checkName(
    _ row: [String: TableValue], _ changed: Set<String>, _ caller: Key
  ) throws(TableError) {
    guard let column = table.derivedKey, changed.contains(column) else { return }
    for owner in table.columns {
      guard case .caller = owner.defaultValue, row[owner.name] != .uuid(caller) else { continue }
      throw .fixedKey(column, of: table.name)
    }
  }

  /// Whether no row can have this primary key: it is neither a derived key nor a name that the viewer gave.
  func isUnknown(_ values: [TableValue], _ columns: [String], _ view: AccountView) -> Bool {
    guard let (_, rows) = named, columns == table.primaryKey, case .uuid(let key)? = values.first
    else { return false }
    return !key.isDerived && !view.isName(key, in: rows)
  }

  /// The column of the names, and the book's identifier for the table.
  private var named: (column: String, rows: NamedTable)? {
    guard let column = table.derivedKey, let rows = NamedTable(rawValue: table.name) else {
      return nil
    }
    return (column, rows)
  }
}

/// The columns that identify a written row.
struct WrittenRow {
  let key: [TableValue]
  /// The rest of its natural key, which finds it sooner; `nil` where that is unknown.
  let near: [String: TableValue]?

  /// The bounds of some rows.
  static func bounds(_ rows: [WrittenRow]) -> ScanBounds {
    var bounds = ScanBounds()
    guard let columns = rows.first?.near?.keys else { return bounds }
    for column in columns {
      let values = rows.compactMap { $0.near?[column] }
      if values.count == rows.count { bounds.equal[column] = Set(values) }
    }
    return bounds
  }
}

extension TableWrite {
  /// The names that the writer's apps give to their rows.
  fileprivate var names: RowNames { batch.state.rowNames(of: viewer) }
}

extension AppTable {
  /// The primary key's column, if the key is derived.
  var derivedKey: String? {
    guard primaryKey.count == 1, let column = primaryKey.first.flatMap(place(of:)),
      case .derivedKey = columns[column].defaultValue
    else { return nil }
    return columns[column].name
  }

  /// Whether the book names rows by their content.
  var namesRows: Bool {
    derivedKey != nil
      || places(of: primaryKey)?.allSatisfy { columns[$0].writing == .server } ?? false
  }

  /// The values besides the primary key that identify a row, where the primary key is derived from
  /// them.
  func naturalKey(
    of row: [String: TableValue], changed: Set<String> = []
  ) -> [String: TableValue]? {
    guard derivedKey != nil else { return nil }
    let keys =
      uniqueKeys.filter { !changed.isDisjoint(with: $0) }
      + uniqueKeys.filter { changed.isDisjoint(with: $0) }
    for key in keys {
      let values = key.compactMap { column in row[column].map { (column, $0) } }
      guard values.count == key.count, !values.contains(where: \.1.isNull) else { continue }
      return Dictionary(values) { first, _ in first }
    }
    return nil
  }
}
