import Daybook
import DaybookStore
import Values

/// The names that apps give rows whose keys follow from what they hold: a phone that logs a day has called the row by a UUID
/// of its own before anybody hears of it, and changes and deletes it by that.
struct RowNaming {
  let table: Table

  /// What is written of a row besides what it is called.
  func withoutName(_ row: [String: Value]) -> [String: Value] {
    guard let column = table.derivedKey else { return row }
    var row = row
    row[column] = nil
    return row
  }

  /// Lets a new row be called what its client says.
  ///
  /// - Parameters:
  ///   - key: The primary key that follows from what it holds.
  ///   - row: What the client says of it.
  ///   - write: Where the name is recorded.
  /// - Returns: The primary key by which the row is shown.
  /// - Throws: what writing throws.
  func name(
    _ key: [Value], _ row: [String: Value], _ write: inout TableWrite
  ) throws -> [Value] {
    guard let (column, rows) = named, case .uuid(let own)? = key.first else { return key }
    guard case .uuid(let name)? = row[column] else {
      return [.uuid(write.names[rows].shown(own))]
    }
    try write.recordName(NameRow(own, of: rows, name: name))
    return [.uuid(name)]
  }

  /// Lets a row that was changed be called what it was called before, or what its client says now: where its key follows from
  /// the day, it has another one once it is moved.
  ///
  /// - Throws: what writing throws.
  func keep(
    _ before: [String: Value], _ after: [String: Value], _ changed: Set<String>,
    _ checks: RowChecks, _ write: inout TableWrite
  ) throws {
    guard let (column, rows) = named, case .uuid(let former)? = before[column],
      case .uuid(let name)? = after[column]
    else { return }
    var own = write.names[rows].row(shownAs: former)
    if let moving = table.uniqueKeys.first(where: { !changed.isDisjoint(with: $0) }) {
      guard let place = table.place(of: column),
        let moved = try checks.row(with: moving, of: after, in: write.sight),
        case .uuid(let shown) = moved.values[place]
      else { return }
      own = write.names[rows].row(shownAs: shown)
    }
    try write.recordName(NameRow(own, of: rows, name: name))
  }

  /// Checks that who calls a row otherwise is who has it: what others call their rows is theirs to say.
  ///
  /// - Throws: ``TableError`` (`0A000`).
  func checkName(
    _ row: [String: Value], _ changed: Set<String>, _ caller: Key
  ) throws(TableError) {
    guard let column = table.derivedKey, changed.contains(column) else { return }
    for owner in table.columns {
      guard case .caller = owner.standard, row[owner.name] != .uuid(caller) else { continue }
      throw .fixedKey(column, of: table.name)
    }
  }

  /// Whether no row can have such a primary key: it is none that the book makes, and none that the one who looks has given.
  func isNews(_ values: [Value], _ columns: [String], _ sight: Sight) -> Bool {
    guard let (_, rows) = named, columns == table.primaryKey, case .uuid(let key)? = values.first
    else { return false }
    return !key.isDerived && !sight.isName(key, in: rows)
  }

  /// The column of the names, and what the book calls the table.
  private var named: (column: String, rows: NamedTable)? {
    guard let column = table.derivedKey, let rows = NamedTable(rawValue: table.name) else {
      return nil
    }
    return (column, rows)
  }
}

/// By what a row is found that was written.
struct WrittenRow {
  /// Its primary key.
  let key: [Value]
  /// What else tells it apart, by which it is found sooner; nothing where that is not known.
  let near: [String: Value]?

  /// What is known of all of some rows.
  static func narrowing(_ rows: [WrittenRow]) -> Narrowing {
    var narrowing = Narrowing()
    guard let columns = rows.first?.near?.keys else { return narrowing }
    for column in columns {
      let values = rows.compactMap { $0.near?[column] }
      if values.count == rows.count { narrowing.equal[column] = Set(values) }
    }
    return narrowing
  }
}

extension TableWrite {
  /// What the apps of the one who writes call their rows.
  fileprivate var names: RowNames { batch.state.rowNames(of: viewer) }
}

extension Table {
  /// The column of keys that follow from what rows hold, where the primary key is such a one.
  var derivedKey: String? {
    guard primaryKey.count == 1, let column = primaryKey.first.flatMap(place(of:)),
      case .derivedKey = columns[column].standard
    else { return nil }
    return columns[column].name
  }

  /// Whether the book names rows by what they hold.
  var namesRows: Bool {
    derivedKey != nil
      || places(of: primaryKey)?.allSatisfy { columns[$0].writing == .server } ?? false
  }

  /// The values that tell a row apart besides its primary key, where that follows from them.
  func naturalKey(
    of row: [String: Value], changed: Set<String> = []
  ) -> [String: Value]? {
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
