import Daybook
import Testing

@Suite(.tags(.unit)) struct StreakTests {
  @Test(arguments: [
    // days, current, longest
    ("x", 1, 1),  // the first check-in shows 1 (MO-5)
    ("xxx.", 3, 3),  // today not yet logged does not break it (MO-5)
    ("xxx..", 0, 3),
    ("xx.x", 1, 2),  // a gap starts it over (MO-5)
    ("xxb.", 0, 2),
    ("xsx", 2, 2),
    ("ssxss", 1, 1),
    ("sss", 0, 0),
    ("", 0, 0),
    ("xx.xx", 2, 2),
  ])
  func `daily streaks by example (HH-10, HH-13, MO-5)`(days: String, current: Int, longest: Int) {
    let history = history(days, today: days.isEmpty ? "2026-03-02" : nil)
    let judgement = StreakRule.daybook.judgement(of: history)
    #expect(judgement.current?.length ?? 0 == current)
    #expect(judgement.longest?.length ?? 0 == longest)
  }

  @Test func `a skip never breaks a streak and never counts in it (HH-10)`() {
    let judgement = StreakRule.daybook.judgement(of: history("xsssxs."))
    #expect(
      judgement.current
        == Streak(start: day("2026-03-02"), end: day("2026-03-06"), length: 2))
  }

  @Test func `days off the schedule neither extend nor break a streak, bonus days included`() {
    // Friday 6th, the weekend, Monday 9th.
    let judgement = StreakRule.daybook.judgement(
      of: history("x.xx", from: "2026-03-06", weekdays("MTWTF--")))
    #expect(letters(judgement) == "FoBF")
    #expect(judgement.days.map(\.streak) == [1, 1, 1, 2])
  }

  @Test func `the newer of two longest streaks is named`() {
    let judgement = StreakRule.daybook.judgement(of: history("xx.xx.x."))
    #expect(
      judgement.longest
        == Streak(start: day("2026-03-05"), end: day("2026-03-06"), length: 2))
    #expect(judgement.streaks.map(\.length) == [2, 2, 1])
  }

  @Test func `a break has its day, mark and lost length, and a second miss is no break`() {
    let judgement = StreakRule.daybook.judgement(of: history("xx..xb.x"))
    #expect(
      judgement.breaks == [
        Break(day: day("2026-03-04"), lost: 2, mark: .missed),
        Break(day: day("2026-03-07"), lost: 1, mark: .partial),
      ])
    #expect(judgement.days.map(\.streak) == [1, 2, 0, 0, 1, 0, 0, 1])
  }

  @Test func `a streak on a day depends only on the days up to it`() {
    let judgement = StreakRule.daybook.judgement(of: history("xxx.x"))
    let earlier = judgement.upTo(day("2026-03-04"))
    #expect(earlier.current?.length == 3)
    #expect(earlier.days == Array(judgement.days.prefix(3)))
    #expect(judgement.upTo(day("2026-03-05")).current == nil)
    #expect(judgement.upTo(day("2026-03-01")).days.isEmpty)
    #expect(judgement.upTo(day("2027-01-01")) == judgement)
  }

  @Test func `completion is full over full, partial and missed (HH-13)`() {
    let judgement = StreakRule.daybook.judgement(of: history("xxxsb..s."))
    #expect(judgement.completion == 3.0 / 6.0)
    #expect(StreakRule.daybook.judgement(of: history("sss")).completion == nil)
  }

  @Test func `a quota's run counts covered days between full ones`() {
    // Twice in 7 days: the 2nd and 5th open 2…8, the 5th and 10th open 5…11.
    let judgement = StreakRule.daybook.judgement(
      of: history("x..x....x...", .quota(times: 2, days: 7)))
    #expect(letters(judgement) == "FooFooooFom?")
    #expect(
      judgement.streaks == [Streak(start: day("2026-03-02"), end: day("2026-03-10"), length: 9)])
    #expect(judgement.current == nil)
    #expect(judgement.days.map(\.streak) == [1, 1, 1, 4, 4, 4, 4, 4, 9, 9, 0, 0])
    #expect(judgement.days.map(\.due).prefix(4) == [true, false, false, true])
  }

  @Test func `a skip in a quota neither counts nor breaks`() {
    let judgement = StreakRule.daybook.judgement(
      of: history("x.s.x", .quota(times: 2, days: 7)))
    #expect(letters(judgement) == "FosoF")
    #expect(judgement.current?.length == 4)
  }

  @Test func `a tally continued from a checkpoint equals the recomputed one (law 7)`() {
    for seed in 0..<40 {
      let days = StreakRule.daybook.judgement(of: randomHistory(seed: seed)).days
      var whole = StreakTally()
      for day in days { whole.add(day.day, day.effect) }
      for cut in days.indices {
        var checkpoint = StreakTally()
        for day in days[..<cut] { checkpoint.add(day.day, day.effect) }
        var continued = checkpoint
        for day in days[cut...] { continued.add(day.day, day.effect) }
        guard continued == whole else {
          Issue.record("seed \(seed), cut \(cut)")
          return
        }
      }
    }
  }
}
