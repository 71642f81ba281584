import HTTPTypes

/// A subscriber's filter on rows: `user_id=eq.…`, and further conditions after commas.
package struct RowFilter: Sendable {
  private let predicate: Predicate

  /// The cost of testing a row, in comparisons with a short value.
  package var weight: Int { predicate.weight }

  /// Reads a filter.
  ///
  /// - Throws: ``TableError`` if the filter cannot be read, names no column, or has a literal of the wrong type.
  package init(_ text: String, of table: AppTable) throws(TableError) {
    var conditions: [Condition] = []
    for piece in Self.pieces(of: text) {
      let piece = Self.trimmed(piece)
      let end = piece.firstIndex(of: "=") ?? piece.endIndex
      guard end != piece.endIndex else {
        throw TableError(
          .badRequest, "PGRST100", "\"\(piece)\" is no filter such as user_id=eq.1")
      }
      let column = ColumnPath(name: String(piece[..<end]))
      // Clients quote a value that contains commas, brackets or outer spaces, whatever the operator.
      let value = String(piece[piece.index(after: end)...])
      conditions.append(try Condition(column, value, mayBeQuoted: true))
    }
    predicate = .all(try PredicateBuilder(table: table).predicates(conditions))
  }

  /// Whether a row satisfies the filter.
  package func matches(_ row: Row) -> Bool { predicate.matches(row, nil) }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return rest
  }

  /// The pieces between commas outside brackets and quotes.
  private static func pieces(of text: String) -> [Substring] {
    var (depth, isQuoted, isEscaped) = (0, false, false)
    return text.split { character in
      if isEscaped {
        isEscaped = false
        return false
      }
      switch character {
      case "\\" where isQuoted: isEscaped = true
      case "\"": isQuoted.toggle()
      case "(" where !isQuoted: depth += 1
      case ")" where !isQuoted: depth -= 1
      case "," where !isQuoted && depth == 0: return true
      default: break
      }
      return false
    }
  }
}
