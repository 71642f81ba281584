import PropertyTesting
import Testing

@testable import Daybook

/// A judgement in one pass, without keeping days, equals the judged days.
@Suite(.tags(.law)) struct BriefTests {
  private static let rules = [
    StreakRule.daybook, .loop,
    StreakRule(id: "bonus", version: 1, basedOn: .daybook) { days in
      days.last?.mark == .bonus ? .extends : nil
    },
  ]

  @Test(arguments: rules.indices)
  func `streaks and strength in one pass match those of the judged days (HH-13, HH-14)`(
    _ number: Int
  ) throws {
    let rule = Self.rules[number]
    for seed in 0..<(try scaled(400)) {
      let history = randomHistory(seed: seed)
      for on in [nil, history.today, history.today.advanced(by: -7)] {
        var judgement = rule.judgement(of: history)
        if let on { judgement = judgement.upTo(on) }
        let asked = on ?? history.today
        let brief = rule.walk(
          history, into: StreakStrengthSink(history, rule, through: on ?? .last, asked: asked))
        var completion = Completion()
        for day in judgement.days { completion.add(day.mark) }
        let summary = StreakSummary(
          current: judgement.current, longest: judgement.longest, completion: completion,
          dayCount: judgement.days.count)
        // Bit for bit: skipping a stretch at once gives the same as day by day.
        let strength = history.strengths.last { $0.day <= asked }?.score ?? 0
        guard brief.summary == summary, brief.strength ?? history.strength(after: asked) == strength
        else {
          Issue.record("seed \(seed), on \(String(describing: on))")
          return
        }
      }
    }
  }

  @Test func `years without a log are judged alike at once and day by day`() {
    for schedule in [Schedule.daily, weekdays("M-W-F--"), .quota(times: 2, days: 7)] {
      for target in [Target(amount(2)), Target(amount(2), .atMost), Target(.zero, .atMost)] {
        for type in [HabitType.checkbox, .counter] {
          var world = history("xbxx", schedule, target: target, today: "2046-03-02")
          world.type = type
          let brief = DayMarker.walk(
            world, into: StreakStrengthSink(world, .daybook, through: .last, asked: world.today))
          #expect(brief.strength == world.strengths.last?.score)
          #expect(brief.summary.dayCount == world.strengths.count)
        }
      }
    }
  }

  @Test func `full days in a row are judged alike at once and day by day`() throws {
    for seed in 0..<(try scaled(150)) {
      var chance = Chance(seed: seed)
      var world = history(String(repeating: "x", count: chance.pick(30...120)))
      world.type = chance.happens(50) ? .checkbox : .counter
      let first = world.created
      world.versions = (0..<chance.pick(1...4)).map { number in
        let schedule = chance.pick([.daily, .daily, .quota(times: 6, days: 7), weekdays("M-W-F--")])
        // A week across two versions asks how much was logged on days of the other version.
        return .init(
          since: first.advanced(by: number * 17), schedule: schedule,
          target: Target(amount(chance.pick([2, 9]))))
      }
      // Values differ from day to day, and are sometimes too small or missing.
      for index in world.records.indices {
        world.records[index].value = amount(chance.happens(4) ? 1 : chance.pick(2...9))
      }
      world.records.removeAll { _ in chance.happens(4) }
      let brief = DayMarker.walk(
        world, into: StreakStrengthSink(world, .daybook, through: .last, asked: world.today))
      let judgement = StreakRule.daybook.judgement(of: world)
      guard brief.strength == world.strengths.last?.score ?? 0,
        brief.summary.current == judgement.current, brief.summary.longest == judgement.longest,
        brief.summary.completion.full == judgement.days.count(where: { $0.mark == .full }),
        brief.summary.dayCount == judgement.days.count
      else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  @Test(arguments: [true, false])
  func `a habit without logs or without gaps costs one step for each stretch`(_ isFull: Bool) {
    /// Counts its calls.
    struct Counter: DaySink {
      var callCount = 0
      var dayCount = 0
      var needsValues: Bool { false }
      mutating func receive(_ day: JudgedDay) {
        (callCount, dayCount) = (callCount + 1, dayCount + 1)
      }
      mutating func receive(_ day: JudgedDay, through last: Int) {
        (callCount, dayCount) = (callCount + 1, dayCount + last - Int(day.day.number) + 1)
      }
    }
    let counts = [400, 4000].map { count in
      let days = "xx.x" + String(repeating: isFull ? "x" : ".", count: count)
      return DayMarker.walk(history(days), into: Counter())
    }
    #expect(counts[0].callCount == counts[1].callCount)
    #expect(counts[1].dayCount == counts[0].dayCount + 3600)
  }

  @Test func `runs of days are a set of days`() {
    let days = Generator<Int>.integer(in: 0...12).array(count: 0...20)
    let report = check("a set of days", days, cases: 1000) { numbers in
      var runs = DayRuns()
      var model: Set<Int> = []
      for number in numbers {
        try expectEqual(runs.insert(Day(clampingNumber: number)), model.insert(number).inserted)
      }
    }
    #expect(report.passed, "\(report)")
  }
}
