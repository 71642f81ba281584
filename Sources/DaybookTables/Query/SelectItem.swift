/// An item that an answer shows for each row.
enum SelectItem: Hashable, Sendable {
  /// Every column.
  case all
  /// A column; `count` may also mean the number of rows.
  case column(ColumnPath, alias: String?, cast: String?)
  /// The number of rows.
  case count(alias: String?)
  /// Rows of another table that belong to the row.
  case embed(EmbedItem)
}

/// Rows of another table that belong to a row, as a query names them.
struct EmbedItem: Hashable, Sendable {
  /// The name of a table, of a foreign key or of its column.
  var target: String
  var alias: String?
  /// A hint that chooses one of several relations.
  var hint: String?
  /// Whether rows without an embedded row are left out.
  var isInner = false
  var items: [SelectItem] = []

  /// The name that filters and orders use.
  var name: String { alias ?? target }
}

extension SelectItem {
  /// Reads a `select` parameter; an empty one is `*`.
  ///
  /// - Throws: ``TableError`` (`PGRST100`).
  static func list(_ text: String) throws(TableError) -> [SelectItem] {
    var reader = QueryReader(text, as: "select parameter")
    reader.skipSpaces()
    if reader.isAtEnd { return [.all] }
    let items = try reader.selectItems(depth: 0)
    try reader.expectEnd()
    return items
  }
}

extension QueryReader {
  private static let ends: [UInt8] = Array(",()!:".utf8)

  fileprivate mutating func selectItems(depth: Int) throws(TableError) -> [SelectItem] {
    var items: [SelectItem] = []
    repeat {
      skipSpaces()
      items.append(try selectItem(depth: depth))
      skipSpaces()
    } while take(UInt8(ascii: ","))
    return items
  }

  private mutating func selectItem(depth: Int) throws(TableError) -> SelectItem {
    if take(UInt8(ascii: "*")) { return .all }
    if starts(with: "...") { throw unexpected("a column or a table; rows are not spread") }
    var column = try column(upTo: Self.ends)
    var alias: String?
    if next == UInt8(ascii: ":"), !starts(with: "::") {
      _ = take(UInt8(ascii: ":"))
      alias = column.name
      column = try self.column(upTo: Self.ends)
    }
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "(") {
      guard column.steps.isEmpty else { throw unexpected("the end of the column") }
      return try embed(EmbedItem(target: column.name, alias: alias), depth: depth)
    }
    return .column(column, alias: alias, cast: try cast())
  }

  private mutating func embed(
    _ item: EmbedItem, depth: Int
  ) throws(TableError) -> SelectItem {
    var item = item
    while take(UInt8(ascii: "!")) {
      let hint = try name(upTo: Self.ends)
      switch hint {
      case "inner": item.isInner = true
      case "left": item.isInner = false
      default: item.hint = hint
      }
    }
    try expect(UInt8(ascii: "("))
    skipSpaces()
    if take(UInt8(ascii: ")")) {
      if item.target == "count", item.hint == nil {
        _ = try cast()
        return .count(alias: item.alias)
      }
      return .embed(item)
    }
    guard depth < Self.maximumEmbedDepth else {
      throw unexpected("tables embedded at most \(Self.maximumEmbedDepth) deep")
    }
    item.items = try selectItems(depth: depth + 1)
    try expect(UInt8(ascii: ")"))
    return .embed(item)
  }

  private mutating func cast() throws(TableError) -> String? {
    guard take("::") else { return nil }
    return try name(upTo: Self.ends)
  }
}
