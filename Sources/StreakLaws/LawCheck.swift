public import PropertyTesting
public import Streaks

/// The result of checking a rule against a law.
public struct LawReport: Sendable {
  /// The law.
  public let law: StreakLaw
  /// Whether the rule claims the law; `nil` for a rule in code, which makes no claims.
  public let isClaimed: Bool?
  /// The report, with the smallest history on which the rule violates the law, if there is one.
  public let report: Report<HabitHistory>

  /// Whether no history was found that violates the law.
  public var holds: Bool { report.passed }

  /// Whether the rule claims the law but violates it.
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
///   - cases: The number of histories to try for each law.
///   - seed: Fixes the histories; otherwise the environment variable `PROPERTY_SEED` does, and otherwise the
///     seed is random.
///   - histories: The histories; by default those of ``Streaks/HabitHistory/generator``.
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

/// Searches for the smallest history for which two rules give different current or longest streaks.
///
/// - Parameters:
///   - rule: One rule.
///   - other: The other.
///   - cases: The number of histories to try.
///   - seed: Fixes the histories.
///   - histories: The histories; by default those of ``Streaks/HabitHistory/generator``.
/// - Returns: The report; its counterexample is the history.
public func check(
  _ rule: StreakRule, against other: StreakRule, cases: Int = 1000, seed: UInt64? = nil,
  histories: Generator<HabitHistory>? = nil
) -> Report<HabitHistory> {
  check(
    "\(rule.id) and \(other.id) give the same streaks", histories ?? HabitHistory.generator,
    cases: cases,
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
