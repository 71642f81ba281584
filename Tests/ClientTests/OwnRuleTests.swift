import PropertyTesting
import Streaks
import Testing

/// A custom rule, written and tested with nothing but the product `Streaks`.
@Suite(.tags(.unit)) struct OwnRuleTests {
  @Test func `a custom rule forgives the first miss of a week`() throws {
    let first: Day = "2026-03-02"
    let history = HabitHistory(
      created: first,
      versions: [.init(since: first, schedule: .daily, target: Target(.one))],
      records: [0, 1, 3, 4].map { .init(day: first.advanced(by: $0), value: .one) },
      today: first.advanced(by: 5))
    let lenient = StreakRule(id: "lenient", version: 1, basedOn: .daybook) { days in
      guard let today = days.last, today.effect == .breaks else { return nil }
      let earlier = days.dropLast().suffix(today.day.weekday)
      return earlier.contains { $0.mark == .missed } ? nil : .neutral
    }
    #expect(StreakRule.daybook.summary(of: history).longest?.length == 2)
    #expect(lenient.summary(of: history).longest?.length == 4)
    #expect(lenient.judgement(of: history).count(of: .missed) == 1)
    #expect(history.strength > 0)
  }
}
