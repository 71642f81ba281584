import Daybook
import PropertyTesting
import StreakLaws

/// Your own rules, and the laws that they should satisfy.
///
/// The first, in code, forgives the first miss of a week (Monday first). The second is made of clauses, as a rule file
/// is: half of a target is enough, a pause breaks after all, and every five full days pay for a miss. Random histories
/// with skips, pauses, targets that change and late logs say which laws they hold, and the smallest of them which not.
@main
enum TestAStreakRule {
  static let lenient = StreakRule(id: "lenient", version: 1, basedOn: .daybook) { days in
    guard let today = days.last, today.effect == .breaks else { return nil }
    let earlier = days.dropLast().suffix(today.day.weekday)
    return earlier.contains { $0.mark == .missed || $0.mark == .partial } ? nil : .neutral
  }

  static var driven: StreakRule {
    var clauses = RuleClauses()
    clauses.partialCredit = 50
    clauses.effects.paused = .breaks
    clauses.freezes = FreezesClause(perFullDays: 5, hold: 2)
    return StreakRule(
      RuleDefinition(id: "driven", clauses, holds: [.closed, .incremental, .bounds]))
  }

  static func main() throws {
    let kinder = check(
      "lenient is never harsher than daybook", HabitHistory.generator, cases: 2000
    ) { history in
      let own = StreakRule.daybook.summary(of: history).longest?.length ?? 0
      return lenient.summary(of: history).longest?.length ?? 0 >= own
    }
    try kinder.require()
    print(kinder)

    for outcome in check(driven, laws: [.closed, .incremental, .bounds]) {
      try outcome.report.require()
      print(outcome.report)
    }

    // Freezes are spent where they do most harm: a further full day may cost a streak. The smallest history shows it.
    for outcome in check(driven, laws: [.monotone], cases: 5000, seed: 1) where !outcome.holds {
      print(outcome.report)
    }

    // And where the two part ways.
    print(check(driven, against: lenient, seed: 1))
  }
}
