/// A column to order rows by, their own or that of the single row embedded in each: `hives(name)`.
struct OrderTerm: Hashable, Sendable {
  /// The embed that has the column; `nil` for a column of the row itself.
  var embed: String?
  var column: ColumnPath
  var isDescending = false
  /// Whether NULL comes first; `nil` for the default of the direction.
  var nullsFirst: Bool?
}

extension OrderTerm {
  /// Reads an `order` parameter.
  ///
  /// - Throws: ``TableError`` (`PGRST100`).
  static func list(_ text: String) throws(TableError) -> [OrderTerm] {
    var reader = QueryReader(text, as: "order")
    var terms: [OrderTerm] = []
    repeat {
      terms.append(try reader.orderTerm())
      reader.skipSpaces()
    } while reader.take(UInt8(ascii: ","))
    try reader.expectEnd()
    return terms
  }
}

extension QueryReader {
  fileprivate mutating func orderTerm() throws(TableError) -> OrderTerm {
    var term = OrderTerm(column: try column(upTo: Array(".,(".utf8)))
    if term.column.steps.isEmpty, take(UInt8(ascii: "(")) {
      term.embed = term.column.name
      term.column = try column(upTo: Array(".,)".utf8))
      try expect(UInt8(ascii: ")"))
    }
    var hasDirection = false
    while take(UInt8(ascii: ".")) {
      guard term.nullsFirst == nil else { throw unexpected("\",\"") }
      switch try name(upTo: Array(".,".utf8)) {
      case "asc" where !hasDirection: hasDirection = true
      case "desc" where !hasDirection:
        hasDirection = true
        term.isDescending = true
      case "nullsfirst": term.nullsFirst = true
      case "nullslast": term.nullsFirst = false
      default: throw unexpected("asc, desc, nullsfirst or nullslast before it")
      }
    }
    return term
  }
}
