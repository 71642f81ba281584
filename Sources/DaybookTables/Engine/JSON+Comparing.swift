import Avro

// The comparisons that PostgreSQL defines for `jsonb`.
extension JSON {
  /// The order of two values, first by kind: null, then strings, numbers, booleans, arrays and objects. The order
  /// of an object's members does not matter.
  static func order(_ left: JSON, _ right: JSON) -> Int {
    let (leftRank, rightRank) = (left.rank, right.rank)
    guard leftRank == rightRank else { return TableValue.order(leftRank, rightRank) }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return left == right ? 0 : left ? 1 : -1
    case (.string(let left), .string(let right)): return TableValue.order(left, right)
    case (.number(let left), .number(let right)):
      // A number out of range is kept and compared as text.
      guard let one = DecimalText(left), let other = DecimalText(right) else {
        return TableValue.order(left, right)
      }
      return TableValue.order(one, other)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return TableValue.order(left.count, right.count) }
      for (one, other) in zip(left, right) {
        let found = order(one, other)
        if found != 0 { return found }
      }
      return 0
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return TableValue.order(left.count, right.count) }
      for (one, other) in zip(sorted(left), sorted(right)) {
        let names = TableValue.order(one.name, other.name)
        if names != 0 { return names }
        let values = order(one.value, other.value)
        if values != 0 { return values }
      }
      return 0
    default: return 0
    }
  }

  /// The number of values inside it, where a long text counts as several.
  var weight: Int {
    switch self {
    case .null, .bool: 1
    case .number(let text), .string(let text): 1 + text.utf8.count / 32
    case .array(let elements): elements.reduce(1) { $0 + $1.weight }
    case .object(let members): members.reduce(1) { $0 + 2 + $1.value.weight }
    }
  }

  private static func sorted(_ members: [Member]) -> [Member] {
    members.sorted { TableValue.order($0.name, $1.name) < 0 }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .string: 1
    case .number: 2
    case .bool: 3
    case .array: 4
    case .object: 5
    }
  }

  /// Whether it contains another value (`@>`): all members of an object, or all elements of an array in any order.
  func contains(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      others.allSatisfy { other in
        members.contains {
          $0.name.utf8.elementsEqual(other.name.utf8) && $0.value.contains(other.value)
        }
      }
    case (.array(let elements), .array(let others)):
      others.allSatisfy { other in elements.contains { $0.isFound(by: other) } }
    // An array contains a scalar that is one of its elements, but only at the top level.
    case (.array(let elements), .string), (.array(let elements), .number),
      (.array(let elements), .bool), (.array(let elements), .null):
      elements.contains { JSON.order($0, other) == 0 }
    default: JSON.order(self, other) == 0
    }
  }

  private func isFound(by other: JSON) -> Bool {
    switch (self, other) {
    case (.object, .object), (.array, .array): contains(other)
    default: JSON.order(self, other) == 0
    }
  }

  /// The value at the end of a path, if there is one.
  func value(at steps: [ColumnPath.Step]) -> JSON? {
    var value = self
    for step in steps {
      switch (step, value) {
      case (.member(let name), .object(let members)):
        guard let member = members.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
          return nil
        }
        value = member.value
      case (.element(let index), .array(let elements)):
        let place = index < 0 ? elements.count + index : index
        guard elements.indices.contains(place) else { return nil }
        value = elements[place]
      // A number may also name a member.
      case (.element(let index), .object(let members)):
        guard let member = members.first(where: { $0.name == String(index) }) else { return nil }
        value = member.value
      default: return nil
      }
    }
    return value
  }
}
