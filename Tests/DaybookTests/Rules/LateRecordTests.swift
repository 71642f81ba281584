import Daybook
import PropertyTesting
import Streaks
import Testing

/// The order in which the clause `late` takes records: that of their recording, to the millisecond.
@Suite(.tags(.unit)) struct LateRecordTests {
  /// One late record counts in thirty days.
  private static let rule: StreakRule = {
    var clauses = RuleClauses()
    clauses.late = LateClause(withinHours: 240, atMost: 1)
    return StreakRule(RuleDefinition(id: "once", clauses))
  }()

  /// The days that count for a habit whose days were logged at certain times.
  private static func counted(
    _ logs: [(day: String, at: String)], _ rule: StreakRule = rule
  ) throws -> [Day] {
    var scenario = given(habit())
    for log in logs {
      scenario = try scenario.and(
        LogHabit(First.habit, day: .day(day(log.day))), at: moment(log.at))
    }
    let habit = try #require(scenario.state.habits[First.habit])
    let query = Query(
      asOf: moment("2026-03-20T12:00:00Z"), on: nil, rule: rule, zones: TableZones())
    let view = try scenario.state.view(of: habit, query)
    return view.judgement.days.filter { $0.mark == .full }.map(\.day)
  }

  @Test func `the first of two late logs within an hour counts`() throws {
    // The later day ended at four on 11 March, so both logs are in the same hour after it.
    #expect(
      try Self.counted([
        ("2026-03-10", "2026-03-12T12:10:00Z"), ("2026-03-09", "2026-03-12T12:20:00Z"),
      ]) == [day("2026-03-10")])
    #expect(
      try Self.counted([
        ("2026-03-09", "2026-03-12T12:10:00Z"), ("2026-03-10", "2026-03-12T12:20:00Z"),
      ]) == [day("2026-03-09")])
  }

  @Test func `the earlier day's of two simultaneous late logs counts`() throws {
    #expect(
      try Self.counted([
        ("2026-03-10", "2026-03-12T12:10:00Z"), ("2026-03-09", "2026-03-12T12:10:00Z"),
      ]) == [day("2026-03-09")])
  }

  @Test func `late logs count in the order of their recording, in any order of days`() {
    let worlds = Generator<[Int]> { source in
      try (0..<6).map { _ in try source.draw(.integer(in: 0...40)) }
    }
    let report = check("late logs are looked at as they were made", worlds, cases: 200) { steps in
      // Each number is a day, logged that many quarters of an hour after the one before; the days are in the order of
      // the numbers.
      let days = steps.indices.sorted { (steps[$0], $0) < (steps[$1], $1) }
      var quarters = 0
      var logs: [(day: String, at: String)] = []
      for place in days {
        quarters += steps[place] % 5
        let at = Instant(
          clamping: moment("2026-03-12T12:00:00Z").milliseconds + Int64(quarters) * 900_000)
        logs.append(("2026-03-0\(place + 2)", "\(at)"))
      }
      let times = Dictionary(grouping: logs, by: \.at)
      let first = times[logs[0].at]?.map(\.day).min() ?? ""
      try expectEqual(try Self.counted(logs), [day(first)])
    }
    #expect(report.passed, "\(report)")
  }
}
