import Avro
import Calendar
import Values

extension TableValue {
  var isNull: Bool {
    if case .null = self { return true }
    return false
  }

  /// The order of two values of a type: below zero when the left one is less. NULL and values of different types do
  /// not compare.
  static func order(_ left: TableValue, _ right: TableValue, _ type: ColumnType) -> Int? {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right ? 0 : left ? 1 : -1
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.text(let left), .text(let right)):
      if case .enumeration(let values) = type {
        order(place(of: left, in: values), place(of: right, in: values))
      } else {
        order(left, right)
      }
    case (.uuid(let left), .uuid(let right)): order(left, right)
    case (.timestamp(let left), .timestamp(let right)): order(left, right)
    case (.date(let left), .date(let right)): order(left, right)
    case (.json(let left), .json(let right)): JSON.order(left, right)
    case (.array(let left), .array(let right)): order(left, right)
    case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal):
      left.decimal.flatMap { left in right.decimal.map { order(left, $0) } }
    default: nil
    }
  }

  private var decimal: DecimalText? {
    switch self {
    case .decimal(let text): DecimalText(text)
    case .integer(let number): DecimalText(String(number))
    default: nil
    }
  }

  /// The place of an enumeration's value: values are ordered as declared.
  private static func place(of text: String, in values: [String]) -> Int {
    values.firstIndex(of: text) ?? values.count
  }

  static func order<Thing: Comparable>(_ left: Thing, _ right: Thing) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// Orders texts by code points, as databases do; Swift's own order treats canonically equivalent texts as equal.
  static func order(_ left: String, _ right: String) -> Int {
    let (left, right) = (left.utf8Span.span, right.utf8Span.span)
    let count = min(left.count, right.count)
    for place in 0..<count where left[place] != right[place] {
      return left[place] < right[place] ? -1 : 1
    }
    return order(left.count, right.count)
  }

  private static func order(_ left: [String], _ right: [String]) -> Int {
    for (one, other) in zip(left, right) {
      let found = order(one, other)
      if found != 0 { return found }
    }
    return order(left.count, right.count)
  }

  /// Whether two values of a type are equal; NULL equals NULL.
  static func areSame(_ left: TableValue, _ right: TableValue, _ type: ColumnType) -> Bool {
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    return order(left, right, type) == 0
  }
}
