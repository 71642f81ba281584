package import Avro
package import Streaks

extension RuleReason {
  /// The effect of the clause on the day, in words.
  package var words: String {
    switch self {
    case .partialCredit: "enough of the target"
    case .lateTaken(let hours): "logged \(hours) h after the day, which counts"
    case .lateRefused(let hours): "logged \(hours) h after the day, which does not count"
    case .skipSpent(let left): "a skip spent, \(left) left"
    case .noSkipLeft: "no skip was left"
    case .graceSpent: "forgiven"
    case .freezeSpent(let left): "a freeze spent, \(left) left"
    case .freezeEarned(let held): "a freeze earned, \(held) held"
    case .period(let full, let needed): "\(full) of \(needed) full days"
    case .strength(let score, let needed): "strength \(score)% of \(needed)%"
    }
  }

  /// The reason as JSON.
  package var json: JSON {
    let clause = JSON.Member("clause", .string(clause))
    switch self {
    case .partialCredit: return .object([clause, .init("did", "credited")])
    case .lateTaken(let hours):
      return .object([clause, .init("did", "taken"), .init("hours", .number(hours))])
    case .lateRefused(let hours):
      return .object([clause, .init("did", "refused"), .init("hours", .number(hours))])
    case .skipSpent(let left), .freezeSpent(let left):
      return .object([clause, .init("did", "spent"), .init("left", .number(left))])
    case .noSkipLeft: return .object([clause, .init("did", "refused"), .init("left", 0)])
    case .graceSpent: return .object([clause, .init("did", "forgave")])
    case .freezeEarned(let held):
      return .object([clause, .init("did", "earned"), .init("held", .number(held))])
    case .period(let found, let needed):
      return .object([
        clause, .init("did", found >= needed ? "reached" : "failed"),
        .init("found", .number(found)), .init("needed", .number(needed)),
      ])
    case .strength(let found, let needed):
      return .object([
        clause, .init("did", found >= needed ? "reached" : "failed"),
        .init("found", .number(found)), .init("needed", .number(needed)),
      ])
    }
  }
}

extension StreakRule {
  /// The unit of its streaks, as the rule has it now: "day", "week", "month".
  package var unit: String {
    guard case .periods(let period, _)? = definition?.stages.last?.clauses.counted else {
      return "day"
    }
    return period.rawValue
  }
}
