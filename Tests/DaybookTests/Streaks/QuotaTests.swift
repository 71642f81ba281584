import Testing

@testable import Daybook

/// The windows of quota schedules, by the reference's worked examples (days ago; larger is older).
@Suite(.tags(.unit)) struct QuotaTests {
  /// The days, of the last 60, that windows cover; day 0 is number 1000.
  private func covered(_ ago: [Int], _ times: Int, _ days: Int) -> [Int] {
    let spans = LoopIntervals.spans(
      done: ago.map { 1000 - $0 }.sorted(), times: times, days: days)
    return (-20...60).filter { day in spans.contains { $0.contains(1000 - day) } }
  }

  @Test(arguments: [
    ([4, 9, 10], 1, 3, [2...4, 7...12]),
    ([8, 18, 23], 1, 7, [2...8, 12...18, 19...25]),
    // (begin, centre, end) 18/15/12, 22/18/16, 23/22/17: the second slides onto 25…19 but no further
    // than its centre 18; the third onto its centre 22.
    ([8, 15, 18, 22, 23], 2, 7, [12...28]),
    ([8, 12, 20, 27], 1, 7, [2...8, 9...15, 16...22, 23...29]),
    ([], 1, 7, []),
    ([5], 2, 7, []),
    ([5, 11], 2, 7, [5...11]),
    ([5, 12], 2, 7, []),
  ])
  func `windows lie and slide as in the reference`(
    ago: [Int], times: Int, days: Int, expected: [ClosedRange<Int>]
  ) {
    #expect(covered(ago, times, days) == expected.flatMap { $0 }.sorted())
  }

  @Test(arguments: [
    ("2026-02-10", 30, "2026-03-09"), ("2026-02-10", 31, "2026-03-09"),
    ("2026-01-10", 30, "2026-02-09"), ("2026-01-31", 30, "2026-02-27"),
    ("2026-02-28", 31, "2026-03-30"), ("2026-12-31", 30, "2027-01-30"),
    ("2028-01-31", 30, "2028-02-28"), ("2026-02-10", 29, "2026-03-10"),
  ])
  func `a window of 30 or 31 days is as long as its month`(first: String, days: Int, last: String) {
    let number = Int(day(first).number)
    let spans = LoopIntervals.spans(done: [number], times: 1, days: days)
    #expect(spans == [number...Int(day(last).number)])
  }

  @Test func `a quota outside its bounds is clamped`() {
    for (times, days) in [(Int.min, Int.max), (0, 0), (Int.max, Int.min), (5, 3), (-1, 7)] {
      var world = history("x.x.", .quota(times: times, days: days))
      for type in HabitType.allCases {
        world.type = type
        for rule in StreakRule.all { #expect(!rule.judgement(of: world).days.isEmpty) }
        #expect(world.strength > 0)
      }
    }
  }

  @Test func `windows count days done under any version, and cover only their own days (HH-7)`() {
    var history = history("x.xxx....", .daily)
    history.versions.append(
      .init(
        since: day("2026-03-06"), schedule: .quota(times: 2, days: 5), target: Target(amount(2))))
    // Days 4 and 5 (full under daily) open 4…8 and the 5th and 6th 5…9; the 3rd stays missed.
    #expect(letters(StreakRule.daybook.judgement(of: history)) == "FmFFFooo?")
  }

  @Test func `a late log changes no past day of a weekday schedule, but may cover a quota's`() {
    let before = StreakRule.daybook.judgement(of: history("x....", .quota(times: 2, days: 5)))
    let after = StreakRule.daybook.judgement(of: history("x...x", .quota(times: 2, days: 5)))
    #expect(letters(before) == "Fmmm?")
    #expect(letters(after) == "FoooF")
  }

  @Test func `an open quota day is pending unless covered`() {
    let judgement = StreakRule.daybook.judgement(of: history("x.", .quota(times: 1, days: 3)))
    #expect(letters(judgement) == "Fo")
    #expect(judgement.days.last?.due == false)
    let none = StreakRule.daybook.judgement(of: history(".", .quota(times: 1, days: 3)))
    #expect(letters(none) == "?")
  }
}
