import Calendar
import HTTPTypes

/// Resolves the columns of conditions and parses their literals.
struct PredicateBuilder {
  /// The longest pattern, in bytes.
  static let maximumPatternLength = 1000

  let table: AppTable
  /// The meaning of "now"; `nil` where "now" is not a valid literal.
  var now: Instant?
  /// The embeds whose presence conditions may test.
  var embeds: [EmbedItem] = []

  /// - Throws: ``TableError``: `42703` for an unknown column, `22P02` and the like for a literal.
  func predicate(_ condition: Condition) throws(TableError) -> Predicate {
    switch condition {
    case .not(let condition): return .not(try predicate(condition))
    case .all(let conditions): return .all(try predicates(conditions))
    case .any(let conditions): return .any(try predicates(conditions))
    case .comparison(let column, let comparison):
      if let (place, isThere) = condition.presence(of: embeds, in: table) {
        return isThere ? .embeds(place) : .not(.embeds(place))
      }
      return try predicate(Operand(column, of: table), comparison)
    }
  }

  func predicates(_ conditions: [Condition]) throws(TableError) -> [Predicate] {
    var predicates: [Predicate] = []
    for condition in conditions { predicates.append(try predicate(condition)) }
    return predicates
  }

  private func predicate(
    _ operand: Operand, _ comparison: Comparison
  ) throws(TableError) -> Predicate {
    if let quantifier = comparison.quantifier {
      guard let values = Literal.array(comparison.value) else {
        throw TableError(
          .badRequest, "22P02", "malformed array literal: \"\(comparison.value)\"")
      }
      var predicates: [Predicate] = []
      for value in values {
        var one = comparison
        one.quantifier = nil
        one.value = value
        predicates.append(try predicate(operand, one))
      }
      return quantifier == .any ? .any(predicates) : .all(predicates)
    }
    let text = comparison.value
    switch comparison.comparing {
    case .equal: return try compared(operand, .equal, text)
    case .unequal: return try compared(operand, .unequal, text)
    case .greater: return try compared(operand, .greater, text)
    case .greaterOrEqual: return try compared(operand, .greaterOrEqual, text)
    case .less: return try compared(operand, .less, text)
    case .lessOrEqual: return try compared(operand, .lessOrEqual, text)
    case .among:
      var values: [TableValue] = []
      for text in comparison.values {
        let literal = try literal(text, operand)
        if !literal.isTruncated { values.append(literal.value) }
      }
      let among = Predicate.among(operand, values, Set(values))
      // NULL is not in an empty list; whether it is in any other list is unknown.
      return comparison.values.isEmpty ? .all([.any([]), among]) : among
    case .state: return try state(operand, comparison.state)
    case .like, .ilike:
      // The cost of a pattern grows with its length, for every row.
      guard text.utf8.count <= Self.maximumPatternLength else {
        throw TableError(.badRequest, "54000", "the pattern is too long")
      }
      return .like(operand, LikePattern(text, ignoringCase: comparison.comparing == .ilike))
    case .contains: return .contains(operand, try container(operand, "@>", text))
    case .contained: return .contained(operand, try container(operand, "<@", text))
    case .overlaps:
      guard operand.type == .textArray,
        case .array(let elements) = try Literal(text, operand.type, at: now).value
      else { throw missing("&&", operand) }
      return .overlaps(operand, elements)
    case .distinct:
      let literal = try Literal(text, operand.type, at: now)
      // NULL is distinct from every moment, and every moment is distinct from one that no column can hold.
      return literal.isTruncated
        ? .any([.isNull(operand), .not(.isNull(operand))])
        : .distinct(operand, literal.value)
    }
  }

  /// A text as a value of a column, normalised if the column has a normal form.
  private func literal(_ text: String, _ operand: Operand) throws(TableError) -> Literal {
    var literal = try Literal(text, operand.type, at: now)
    if operand.path.steps.isEmpty, let normalised = table.columns[operand.index].normalised {
      literal.value = normalised(literal.value)
    }
    return literal
  }

  private func compared(
    _ operand: Operand, _ relation: Predicate.Comparison, _ text: String
  ) throws(TableError) -> Predicate {
    let literal = try literal(text, operand)
    guard literal.isTruncated else { return .compared(operand, relation, literal.value) }
    // The literal's moment lies after the value, and before the next value that a column can hold.
    switch relation {
    case .equal: return .constant(operand, false)
    case .unequal: return .constant(operand, true)
    case .greater, .greaterOrEqual: return .compared(operand, .greater, literal.value)
    case .less, .lessOrEqual: return .compared(operand, .lessOrEqual, literal.value)
    }
  }

  private func state(
    _ operand: Operand, _ state: Comparison.State
  ) throws(TableError) -> Predicate {
    switch state {
    case .null: return .isNull(operand)
    case .notNull: return .not(.isNull(operand))
    case .true, .false, .unknown:
      guard operand.type == .bool else {
        throw TableError(
          .badRequest, "42804",
          "argument of IS \(state.rawValue.uppercased()) must be type boolean")
      }
      return state == .unknown ? .isNull(operand) : .isTruth(operand, state == .true)
    }
  }

  private func container(
    _ operand: Operand, _ sign: String, _ text: String
  ) throws(TableError) -> TableValue {
    guard operand.type == .textArray || operand.type == .json else {
      throw missing(sign, operand)
    }
    return try Literal(text, operand.type, at: now).value
  }

  private func missing(_ sign: String, _ operand: Operand) -> TableError {
    TableError(
      .notFound, "42883", "operator does not exist: \(sign) on column \(operand.path.name)",
      hint: "No operator matches the given name and argument types.")
  }
}

extension ScanBounds {
  /// The conditions on single columns that a scan can use, from predicates that must all hold.
  init(_ predicates: [Predicate]) {
    self.init()
    for predicate in predicates { limit(predicate) }
  }

  /// Whether no row can match.
  var isEmpty: Bool { equal.values.contains { $0.isEmpty } }

  /// Restricts a column to these values, in addition to earlier restrictions.
  mutating func limit(_ column: String, to values: Set<TableValue>) {
    equal[column] = equal[column]?.intersection(values) ?? values
  }

  private mutating func limit(_ predicate: Predicate) {
    switch predicate {
    case .all(let predicates): for predicate in predicates { limit(predicate) }
    case .any(let predicates):
      // `eq(any)`, and an `or` over one column, come down to one of several values.
      var values: Set<TableValue> = []
      var column: String?
      for predicate in predicates {
        guard case .compared(let operand, .equal, let value) = predicate, operand.canBoundScan,
          column == nil || column == operand.path.name
        else { return }
        column = operand.path.name
        values.insert(value)
      }
      if let column { limit(column, to: values) }
    case .compared(let operand, let relation, let value) where operand.canBoundScan:
      let column = operand.path.name
      switch relation {
      case .equal: limit(column, to: [value])
      case .unequal: break
      case .greater, .greaterOrEqual: raise(column, value, operand.type)
      case .less, .lessOrEqual: lower(column, value, operand.type)
      }
    case .among(let operand, _, let values) where operand.canBoundScan:
      limit(operand.path.name, to: values)
    case .isTruth(let operand, let truth) where operand.canBoundScan:
      limit(operand.path.name, to: [.bool(truth)])
    default: break
    }
  }

  private mutating func raise(_ column: String, _ value: TableValue, _ type: ColumnType) {
    guard type.hasRanges else { return }
    let range = ranges[column] ?? (nil, nil)
    if let lower = range.lower, TableValue.order(lower, value, type) ?? 0 >= 0 { return }
    ranges[column] = (value, range.upper)
  }

  private mutating func lower(_ column: String, _ value: TableValue, _ type: ColumnType) {
    guard type.hasRanges else { return }
    let range = ranges[column] ?? (nil, nil)
    if let upper = range.upper, TableValue.order(upper, value, type) ?? 0 <= 0 { return }
    ranges[column] = (range.lower, value)
  }
}

extension Operand {
  /// Whether a scan can use the operand's values: a scan finds rows by Swift's equality, which numbers and JSON
  /// lack.
  fileprivate var canBoundScan: Bool {
    guard path.steps.isEmpty else { return false }
    switch type {
    case .decimal, .json, .textArray: return false
    default: return true
    }
  }
}

extension ColumnType {
  /// Whether a scan can use a range of the type's values.
  fileprivate var hasRanges: Bool {
    switch self {
    case .integer, .timestamp, .date: true
    default: false
    }
  }
}
