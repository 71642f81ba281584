import Daybook
import Testing

@Suite(.tags(.unit)) struct RuleTests {
  /// Bonus days count, too.
  static let generous = StreakRule(id: "generous", version: 1, basedOn: .daybook) { days in
    days.last?.mark == .bonus ? .extends : nil
  }

  /// The first miss of a week (Monday first) is forgiven.
  static let lenient = StreakRule(id: "lenient", version: 1, basedOn: .daybook) { days in
    guard let today = days.last, today.effect == .breaks else { return nil }
    let earlier = days.dropLast().suffix(today.day.weekday)
    return earlier.contains { $0.mark == .missed || $0.mark == .partial } ? nil : .neutral
  }

  /// Seven days in a row pay for one miss.
  static let insured = StreakRule(id: "insured", version: 1, basedOn: .daybook) { days in
    guard let today = days.last, today.effect == .breaks, let before = days.dropLast().last else {
      return nil
    }
    let misses = days.dropLast().reversed().prefix { $0.effect != .breaks }
      .count { $0.mark == .missed }
    return before.streak / 7 > misses ? .neutral : nil
  }

  @Test func `the shipped rules are found by name`() {
    #expect(StreakRule.all.map(\.id) == ["daybook", "loop"])
    #expect(StreakRule.all.map(\.version) == [1, 1])
    #expect(StreakRule.named("loop")?.id == "loop")
    #expect(StreakRule.named("Loop") == nil)
  }

  @Test func `a custom rule counts bonus days`() {
    let week = history("xxxxxxxx", weekdays("MTWTF--"))
    #expect(StreakRule.daybook.summary(of: week).current?.length == 6)
    #expect(Self.generous.summary(of: week).current?.length == 8)
  }

  @Test func `a custom rule forgives one miss a week`() {
    let weeks = history("xx.xxxx" + ".xxxxxx" + "x..xxxx")
    let judgement = Self.lenient.judgement(of: weeks)
    #expect(judgement.breaks == [Break(day: day("2026-03-18"), lost: 13, mark: .missed)])
    #expect(letters(judgement) == letters(StreakRule.daybook.judgement(of: weeks)))
    #expect(Self.lenient.summary(of: weeks).longest?.length == 13)
    #expect(judgement.upTo(day("2026-03-17")).current?.length == 13)
  }

  @Test func `a custom rule reads the streak so far`() {
    #expect(Self.insured.summary(of: history("xxxxxxx.xx")).current?.length == 9)
    #expect(Self.insured.summary(of: history("xxxxxxx..x")).current?.length == 1)
    #expect(Self.insured.summary(of: history("xxxxxx.x")).current?.length == 1)
  }

  @Test func `a custom rule's days are forced to ascend`() {
    let odd = StreakRule(id: "odd", version: 1) { history in
      [3, 1, 4, 4, 5, 2].map {
        JudgedDay(
          day: history.created.advanced(by: $0), mark: .full, effect: .extends, due: true,
          target: Target(.one), scheduleSince: history.created)
      }
    }
    let judgement = odd.judgement(of: history("."))
    #expect(judgement.days.map(\.day.number) == [3, 4, 5].map { day("2026-03-02").number + $0 })
    #expect(odd.summary(of: history(".")).longest?.length == 3)
  }

  @Test func `a rule sees no later day`() {
    for rule in [StreakRule.daybook, Self.generous, Self.lenient, Self.insured] {
      for seed in 0..<30 {
        let judgement = rule.judgement(of: randomHistory(seed: seed))
        for day in judgement.days {
          let prefix = judgement.upTo(day.day)
          #expect(prefix.current?.length ?? 0 == day.streak, "seed \(seed)")
        }
      }
    }
  }
}
