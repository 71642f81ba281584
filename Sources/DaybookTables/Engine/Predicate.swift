import Avro

/// A condition on the rows of a table, with columns resolved and literals parsed.
indirect enum Predicate: Sendable {
  /// A comparison of two values.
  enum Comparison: Sendable {
    case equal
    case unequal
    case greater
    case greaterOrEqual
    case less
    case lessOrEqual

    fileprivate func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .unequal: order != 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      }
    }
  }

  /// Holds for every value but NULL, or for no value.
  case constant(Operand, Bool)
  case compared(Operand, Comparison, TableValue)
  /// Is one of several values. The set serves for quick rejection.
  case among(Operand, [TableValue], Set<TableValue>)
  case isNull(Operand)
  case isTruth(Operand, Bool)
  case like(Operand, LikePattern)
  case contains(Operand, TableValue)
  case contained(Operand, TableValue)
  case overlaps(Operand, [String])
  case distinct(Operand, TableValue)
  /// Holds if something is embedded, by the embed's place in the plan.
  case embeds(Int)
  case not(Predicate)
  case all([Predicate])
  case any([Predicate])

  /// Whether a row satisfies the predicate; the result is meaningless once the budget is spent. `embeds` tells
  /// whether anything is embedded in the row, by the embed's place in the plan.
  func matches(
    _ row: Row, _ budget: RequestBudget?, embeds: (Int) -> Bool = { _ in false }
  ) -> Bool {
    truth(in: row, budget, embeds) == true
  }

  /// Whether the condition holds for a row; `nil` (unknown) where NULL is compared.
  private func truth(
    in row: Row, _ budget: RequestBudget?, _ embeds: (Int) -> Bool
  ) -> Bool? {
    switch self {
    case .constant(let operand, let holds):
      return operand.value(in: row, budget).isNull ? nil : holds
    case .compared(let operand, let relation, let value):
      let own = operand.value(in: row, budget)
      budget?.spend(own.weight)
      return TableValue.order(own, value, operand.type).map(relation.holds)
    case .among(let operand, let values, let set):
      return Self.isAmong(values, set, operand.value(in: row, budget), operand.type, budget)
    case .isNull(let operand): return operand.value(in: row, budget).isNull
    case .isTruth(let operand, let truth): return operand.value(in: row, budget) == .bool(truth)
    case .like(let operand, let pattern):
      return operand.value(in: row, budget).text.map { pattern.matches($0, budget) }
    case .contains(let operand, let value):
      return operand.value(in: row, budget).contains(value, budget)
    case .contained(let operand, let value):
      return value.contains(operand.value(in: row, budget), budget)
    case .overlaps(let operand, let elements):
      guard case .array(let own) = operand.value(in: row, budget) else { return nil }
      budget?.spend((own.count + 1) * (elements.count + 1))
      return own.contains { one in elements.contains { $0.utf8.elementsEqual(one.utf8) } }
    case .distinct(let operand, let value):
      let own = operand.value(in: row, budget)
      budget?.spend(own.weight)
      return !TableValue.areSame(own, value, operand.type)
    case .embeds(let place):
      budget?.spend(10)
      return embeds(place)
    case .not(let predicate): return predicate.truth(in: row, budget, embeds).map { !$0 }
    case .all(let predicates): return Self.joined(predicates, row, budget, embeds, decisive: false)
    case .any(let predicates): return Self.joined(predicates, row, budget, embeds, decisive: true)
    }
  }

  private static func isAmong(
    _ values: [TableValue], _ set: Set<TableValue>, _ value: TableValue, _ type: ColumnType,
    _ budget: RequestBudget?
  ) -> Bool? {
    if value.isNull { return nil }
    budget?.spend(4 + value.weight)
    // Texts with the same code points are also equal in Swift, but not the other way round.
    if type.hasExactEquality { return set.contains(value) }
    if type != .decimal, type != .json, !set.contains(value) { return false }
    for other in values {
      budget?.spend(value.weight)
      if budget?.isSpent == true { return nil }
      if TableValue.order(value, other, type) == 0 { return true }
    }
    return false
  }

  /// Adds the places of the columns that the predicate reads.
  func notePlaces(_ places: inout Set<Int>) {
    switch self {
    case .constant(let operand, _), .compared(let operand, _, _), .among(let operand, _, _),
      .isNull(let operand), .isTruth(let operand, _), .like(let operand, _),
      .contains(let operand, _), .contained(let operand, _), .overlaps(let operand, _),
      .distinct(let operand, _):
      places.insert(operand.index)
    case .embeds: break
    case .not(let predicate): predicate.notePlaces(&places)
    case .all(let predicates), .any(let predicates):
      for predicate in predicates { predicate.notePlaces(&places) }
    }
  }

  /// The cost of testing a row, in comparisons with a short value: texts cost more.
  var weight: Int {
    switch self {
    case .constant(let operand, _), .isNull(let operand), .isTruth(let operand, _):
      operand.weight
    case .compared(let operand, _, let value), .distinct(let operand, let value):
      operand.weight + value.weight
    case .among(let operand, let values, _):
      operand.weight + (operand.type.hasExactEquality ? 1 : values.count)
    case .like(let operand, let pattern): operand.weight + pattern.weight
    case .contains(let operand, let value), .contained(let operand, let value):
      operand.weight + 50 * value.weight
    case .overlaps(let operand, let elements): operand.weight + 50 * elements.count
    case .embeds: 1
    case .not(let predicate): predicate.weight
    case .all(let predicates), .any(let predicates):
      predicates.reduce(1) { $0 + $1.weight }
    }
  }

  private static func joined(
    _ predicates: [Predicate], _ row: Row, _ budget: RequestBudget?, _ embeds: (Int) -> Bool,
    decisive: Bool
  ) -> Bool? {
    var isKnown = true
    for predicate in predicates {
      if budget?.isSpent == true { return nil }
      guard let truth = predicate.truth(in: row, budget, embeds) else {
        isKnown = false
        continue
      }
      if truth == decisive { return decisive }
    }
    return isKnown ? !decisive : nil
  }
}

extension ColumnType {
  /// Whether two values of the type are equal exactly when Swift's `==` says so. Equal texts may have different
  /// code points, and numbers and JSON may be written differently.
  var hasExactEquality: Bool {
    switch self {
    case .bool, .integer, .uuid, .timestamp, .date: true
    case .decimal, .text, .time, .json, .textArray, .enumeration: false
    }
  }
}

extension TableValue {
  /// Whether it contains another value of the same type; `nil` for types without containment.
  fileprivate func contains(_ other: TableValue, _ budget: RequestBudget?) -> Bool? {
    budget?.spend(weight * other.weight)
    if budget?.isSpent == true { return nil }
    return switch (self, other) {
    case (.array(let elements), .array(let others)):
      others.allSatisfy { other in elements.contains { $0.utf8.elementsEqual(other.utf8) } }
    case (.json(let value), .json(let other)): value.contains(other)
    default: nil
    }
  }
}
