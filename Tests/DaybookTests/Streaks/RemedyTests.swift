import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.law)) struct RemedyTests {
  @Test func `a missed day is saved by a log of its target, a skip or a pause (HH-10)`() {
    let world = history("xx.x")
    #expect(
      StreakRule.daybook.remedies(for: day("2026-03-04"), in: world)
        == [.log(amount(2)), .skip, .pause])
    #expect(StreakRule.daybook.remedies(for: day("2026-03-03"), in: world) == [])
    let saved = Remedy.log(amount(2)).applied(to: world, on: day("2026-03-04"))
    #expect(StreakRule.daybook.summary(of: saved).current?.length == 4)
  }

  @Test func `the remedy of an at-most break is the target`() {
    var world = history("x.x", target: Target(amount(3), .atMost))
    world.records.insert(.init(day: day("2026-03-03"), value: amount(5)), at: 1)
    #expect(
      StreakRule.daybook.remedies(for: day("2026-03-03"), in: world)
        == [.log(amount(3)), .skip, .pause])
  }

  @Test func `under Loop's rule neither a pause nor a counter's skip is a remedy`() {
    var world = history("xx.x")
    #expect(
      StreakRule.loop.remedies(for: day("2026-03-04"), in: world) == [.log(amount(2)), .skip])
    world.type = .counter
    #expect(StreakRule.loop.remedies(for: day("2026-03-04"), in: world) == [.log(amount(2))])
  }

  @Test func `every break of random histories has remedies, and each saves the run`() throws {
    for seed in 0..<(try scaled(40)) {
      let world = randomHistory(seed: seed)
      for broken in StreakRule.daybook.judgement(of: world).breaks {
        let remedies = StreakRule.daybook.remedies(for: broken.day, in: world)
        #expect(remedies.contains(.skip) && remedies.contains(.pause), "seed \(seed)")
        for remedy in remedies {
          let saved = remedy.applied(to: world, on: broken.day)
          let marks = Naive.marks(saved)
          let mark = marks.first { $0.day == broken.day }?.mark
          #expect(mark != .missed && mark != .partial, "seed \(seed), \(remedy)")
          let alive = Naive.current(marks.filter { $0.day <= broken.day })
          #expect(alive?.length ?? 0 >= broken.lost, "seed \(seed), \(remedy)")
        }
      }
    }
  }
}
