import PropertyTesting
import StreakLaws
import Testing

@testable import Daybook

/// The first day on which two rules' streaks differ, found in few passes, matches their full judgements.
@Suite(.tags(.law)) struct FirstDifferenceTests {
  @Test func `the first differing day, with its reason, matches the full judgements`() {
    // A rule that does not judge every day.
    let sparse = StreakRule(id: "sparse", version: 1) { history in
      StreakRule.daybook.judgement(of: history).days.filter { $0.day.weekday != 2 }
    }
    let rules = StreakRule.shipped + [sparse]
    let choice = Generator.integer(in: 0...rules.count - 1)
    let asked = Generator.integer(in: 0...40).optional(nilProbability: 0.6)
    let cases = Generator.zip(HabitHistory.generator, choice, choice, asked)
    let report = check("first difference", cases, cases: 1_500) { value, statistics in
      let (history, own, others, ago) = value
      let (rule, other) = (rules[own], rules[others])
      let day = ago.map { history.today.advanced(by: -$0) }
      let found = FirstDifference(rule, other, history, on: day)
      let one = rule.judgement(of: history, on: day)
      let two = other.judgement(of: history, on: day)
      let days = Set(one.days.map(\.day)).union(two.days.map(\.day)).sorted()
      let first = days.first { one[$0]?.streak ?? 0 != two[$0]?.streak ?? 0 }
      statistics.cover("differ", atLeast: 30, first != nil)
      try expectEqual(found.days.0, first.flatMap { one[$0] }, "\(rule.id)")
      try expectEqual(found.days.1, first.flatMap { two[$0] }, "\(other.id)")
      let reasons = (
        rule.reasons(in: rule.seen(history, on: day).history),
        other.reasons(in: other.seen(history, on: day).history)
      )
      let told = first.map { (one[$0].map(\.day), two[$0].map(\.day)) }
      try expectEqual(
        found.reasons.0, told?.0.flatMap { reasons.0[$0] } ?? [], "\(rule.id)")
      try expectEqual(
        found.reasons.1, told?.1.flatMap { reasons.1[$0] } ?? [], "\(other.id)")
    }
    #expect(report.passed, "\(report)")
  }
}
