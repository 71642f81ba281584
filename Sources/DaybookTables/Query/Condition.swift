/// A condition on rows.
indirect enum Condition: Hashable, Sendable {
  case comparison(ColumnPath, Comparison)
  case all([Condition])
  case any([Condition])
  case not(Condition)
}

/// A comparison of a column with a value.
struct Comparison: Hashable, Sendable {
  enum Operator: String, Sendable {
    case equal = "eq"
    case unequal = "neq"
    case greater = "gt"
    case greaterOrEqual = "gte"
    case less = "lt"
    case lessOrEqual = "lte"
    case among = "in"
    case state = "is"
    case like
    case ilike
    case contains = "cs"
    case contained = "cd"
    case overlaps = "ov"
    case distinct = "isdistinct"

    /// Whether it may compare with each of several values.
    var isQuantifiable: Bool {
      switch self {
      case .equal, .unequal, .greater, .greaterOrEqual, .less, .lessOrEqual, .like, .ilike: true
      case .among, .state, .contains, .contained, .overlaps, .distinct: false
      }
    }
  }

  /// The number of values for which a comparison must hold.
  enum Quantifier: String, Sendable {
    case any
    case all
  }

  /// The operand of `is`.
  enum State: String, Sendable {
    case null
    case notNull = "not_null"
    case `true`
    case `false`
    case unknown
  }

  var comparing: Operator
  var quantifier: Quantifier?
  /// The one value, as text.
  var value = ""
  /// The values of `in`.
  var values: [String] = []
  /// The operand of `is`.
  var state: State = .null
}

extension Condition {
  /// Reads a parameter's condition on a column: `not.eq.3`. The value is the rest of the text, without its
  /// quotation marks where it may have some.
  ///
  /// - Throws: ``TableError`` (`PGRST100`).
  init(
    _ column: ColumnPath, _ text: String, mayBeQuoted: Bool = false
  ) throws(TableError) {
    var reader = QueryReader(text, as: "filter")
    self = try reader.comparison(of: column, mayBeQuoted ? .quotable : .alone)
    try reader.expectEnd()
  }

  /// Reads an `or` or `and` parameter: `(a.eq.1,not.and(b.gt.2,c.is.null))`.
  ///
  /// - Throws: ``TableError`` (`PGRST100`).
  init(joining word: String, _ text: String) throws(TableError) {
    var reader = QueryReader(text, as: "logic tree")
    reader.skipSpaces()
    self = try reader.conditions(joinedBy: word, depth: 0)
    try reader.expectEnd()
  }
}

extension QueryReader {
  fileprivate mutating func conditions(
    joinedBy word: String, depth: Int
  ) throws(TableError) -> Condition {
    guard depth < Self.maximumConditionDepth else {
      throw unexpected("conditions at most \(Self.maximumConditionDepth) deep")
    }
    try expect(UInt8(ascii: "("))
    var conditions: [Condition] = []
    repeat {
      skipSpaces()
      conditions.append(try condition(depth: depth + 1))
      skipSpaces()
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: ")"))
    skipSpaces()
    return word == "or" ? .any(conditions) : .all(conditions)
  }

  /// Reads a word and the spaces after it, if a list of conditions follows.
  private mutating func takeJoint(_ word: String) -> Bool {
    var reader = self
    guard reader.take(word) else { return false }
    reader.skipSpaces()
    guard reader.next == UInt8(ascii: "(") else { return false }
    self = reader
    return true
  }

  private mutating func condition(depth: Int) throws(TableError) -> Condition {
    for word in ["or", "and"] {
      if takeJoint(word) { return try conditions(joinedBy: word, depth: depth) }
      if takeJoint("not.\(word)") {
        return .not(try conditions(joinedBy: word, depth: depth))
      }
    }
    let column = try column(upTo: Array(".,()".utf8))
    try expect(UInt8(ascii: "."))
    return try comparison(of: column, .listed)
  }

  /// The context of a comparison's value.
  fileprivate enum ValuePlace {
    /// The rest of the text, unchanged.
    case alone
    /// The rest of the text, perhaps in quotation marks.
    case quotable
    /// An item of a list.
    case listed
  }

  /// Reads an operator and its value.
  fileprivate mutating func comparison(
    of column: ColumnPath, _ place: ValuePlace
  ) throws(TableError) -> Condition {
    let isNegated = take("not.")
    let start = self
    guard let comparing = Comparison.Operator(rawValue: take(upTo: Array(".(,)".utf8))) else {
      throw start.unexpected("operator (eq, gt, ...)")
    }
    var comparison = Comparison(comparing: comparing)
    if comparing.isQuantifiable, take(UInt8(ascii: "(")) {
      let start = self
      comparison.quantifier = Comparison.Quantifier(rawValue: take(upTo: [UInt8(ascii: ")")]))
      if comparison.quantifier == nil { throw start.unexpected("any or all") }
      try expect(UInt8(ascii: ")"))
    }
    try expect(UInt8(ascii: "."))
    switch comparing {
    case .among: comparison.values = try list()
    case .state:
      let start = self
      guard let state = Comparison.State(rawValue: value(place).lowercased()) else {
        throw start.unexpected("null, not_null, true, false or unknown")
      }
      comparison.state = state
    default: comparison.value = (place == .listed ? braced() : nil) ?? value(place)
    }
    return isNegated ? .not(.comparison(column, comparison)) : .comparison(column, comparison)
  }

  private mutating func value(_ place: ValuePlace) -> String {
    switch place {
    case .alone: takeRest()
    case .quotable: quoted(isEnd: { $0 == nil }) ?? takeRest()
    case .listed: listedValue()
    }
  }
}
