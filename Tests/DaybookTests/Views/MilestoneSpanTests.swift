import PropertyTesting
import Testing

@testable import Daybook

/// Consecutive spans together report each milestone of a habit's whole timeline once (HH-25).
@Suite(.tags(.law)) struct MilestoneSpanTests {
  private struct Step {
    var minutes: Int
    var back: Int
    var action: Int
  }

  private static let steps = Generator<Step> { source in
    Step(
      minutes: try source.draw(.integer(in: 1...700)), back: try source.draw(.integer(in: 0...6)),
      action: try source.draw(.integer(in: 0...11)))
  }.array(count: 5...60)

  /// Days are logged, partially and repeatedly, cleared and skipped, and their targets change meanwhile.
  private static func played(_ steps: [Step]) throws -> Scenario {
    let noon = moment("2026-03-02T12:00:00Z")
    var at = noon
    var scenario = try Scenario().and(.accountCreated(person(1)), at: at).and(
      CreateHabit(key: Key(high: 2, low: 1), name: "Read", type: .counter, target: 2), at: at)
    for step in steps {
      at = at.advanced(byMilliseconds: Int64(step.minutes) * 60_000)
      let passed = Int((at.milliseconds - noon.milliseconds) / 86_400_000)
      let day = DayChoice.day(day("2026-03-02").advanced(by: passed - step.back))
      let next: Scenario? =
        switch step.action {
        case 0: try? scenario.and(ClearLog(First.habit, day: day), at: at)
        case 1: try? scenario.and(SkipDay(First.habit, day: day), at: at)
        case 2: try? scenario.and(UpdateHabit(First.habit) { $0.target = 1 }, at: at)
        case 3: try? scenario.and(UpdateHabit(First.habit) { $0.target = 3 }, at: at)
        case 4: try? scenario.and(LogHabit(First.habit, value: 1, day: day), at: at)
        default: try? scenario.and(LogHabit(First.habit, value: 3, day: day), at: at)
        }
      scenario = next ?? scenario
    }
    return scenario
  }

  @Test(arguments: [false, true])
  func `each milestone appears once in any division into spans (HH-25)`(
    judgesAtOnce: Bool
  ) {
    let worlds = Generator.zip(Self.steps, .integer(in: 1...9))
    let report = check("milestones in spans", worlds, cases: 75) { given, statistics in
      let (steps, width) = given
      let entries = try Self.played(steps).entries
      let timeline = HabitTimeline(
        habit: First.habit, owner: First.account, entries: entries)
      let all = Set(timeline.completions(before: .max).map(\.position))
      let expected = timeline.milestones(at: all).map { "\($0.at) \($0.streak ?? 0) \($0.day)" }

      var found: [String] = []
      var (state, completed) = (BookState(), CompletedDays())
      var (seen, lookedUp) = (0, 0)
      while seen < entries.count {
        let span = entries[seen..<min(seen + width, entries.count)]
        let end = entries[span.endIndex - 1].head.at
        var due = DueReplay(
          from: state, after: state.at, through: end, in: TableZones(), knowing: completed,
          judgesAtOnce: judgesAtOnce)
        for entry in span { due.apply(entry) }
        due.finish()
        lookedUp += due.completedHabits.count
        for habit in due.completedHabits {
          found += due.milestones(of: habit, Array(entries[..<span.endIndex])).map {
            guard case .milestone(_, let streak) = $0.content else { return "\($0)" }
            return "\($0.at) \(streak) \($0.day)"
          }
        }
        (state, completed, seen) = (due.state, due.completedDays, span.endIndex)
      }
      try expectEqual(found, expected)
      statistics.cover("milestones", atLeast: 40, !expected.isEmpty)
      // Each entry that was looked up crossed a milestone, for the first time or again.
      let mostLookedUp = judgesAtOnce && expected.isEmpty ? 0 : all.count
      try expect(lookedUp <= mostLookedUp, "\(lookedUp) are looked up")
    }
    #expect(report.passed, "\(report)")
  }
}
