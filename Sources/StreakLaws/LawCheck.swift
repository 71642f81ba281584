public import PropertyTesting
public import Streaks

/// How a rule fared against a law.
public struct LawReport: Sendable {
  /// The law.
  public let law: StreakLaw
  /// Whether the rule says of itself that it holds the law; nothing for a rule in code, which says nothing.
  public let isClaimed: Bool?
  /// What was tried, and the smallest history on which the rule does not hold the law, if there is one.
  public let report: Report<HabitHistory>

  /// Whether no history was found on which it does not.
  public var holds: Bool { report.passed }

  /// Whether the rule says that it holds the law, and does not.
  public var isBroken: Bool { isClaimed ?? true && !holds }
}

/// Checks a rule against laws, each over random histories.
///
/// ```swift
/// for report in check(StreakRule.loop, laws: [.prefix], seed: 1) { print(report.report) }
/// ```
///
/// - Parameters:
///   - rule: The rule.
///   - laws: The laws; all of them unless given.
///   - cases: How many histories are tried for each.
///   - seed: Makes the histories given ones; otherwise the environment variable `PROPERTY_SEED` does, and otherwise
///     chance.
///   - histories: The histories; those of ``Streaks/HabitHistory/generator`` unless given.
/// - Returns: A report for each law, in their order.
public func check(
  _ rule: StreakRule, laws: [StreakLaw] = StreakLaw.allCases, cases: Int = 1000,
  seed: UInt64? = nil, histories: Generator<HabitHistory>? = nil
) -> [LawReport] {
  laws.map { law in
    let usual = HabitHistory.histories(hasQuotas: law != .prefix)
    let report = check(
      "\(rule.id): \(law.sentence)", histories ?? usual, cases: cases, seed: seed
    ) { history in try law.require(of: rule, on: history) }
    return LawReport(law: law, isClaimed: rule.definition?.holds.contains(law), report: report)
  }
}

/// Looks for the smallest history of which two rules tell another current or longest streak.
///
/// - Parameters:
///   - rule: One rule.
///   - other: The other.
///   - cases: How many histories are tried.
///   - seed: Makes the histories given ones.
///   - histories: The histories; those of ``Streaks/HabitHistory/generator`` unless given.
/// - Returns: The report: its counter-example is the history.
public func check(
  _ rule: StreakRule, against other: StreakRule, cases: Int = 1000, seed: UInt64? = nil,
  histories: Generator<HabitHistory>? = nil
) -> Report<HabitHistory> {
  check(
    "\(rule.id) and \(other.id) tell the same", histories ?? HabitHistory.generator, cases: cases,
    seed: seed
  ) { history in
    let (own, others) = (rule.summary(of: history), other.summary(of: history))
    try expectLength(own.current, others.current, "current", rule, other)
    try expectLength(own.longest, others.longest, "longest", rule, other)
  }
}

private func expectLength(
  _ own: Streak?, _ others: Streak?, _ which: String, _ rule: StreakRule, _ other: StreakRule
) throws {
  let (own, others) = (own?.length ?? 0, others?.length ?? 0)
  guard own != others else { return }
  throw Falsified("the \(which) streak is \(own) by \(rule.id), and \(others) by \(other.id)")
}
