import Avro
import Daybook
import PropertyTesting
import Streaks
import Testing

@Suite(.tags(.law)) struct RuleComparisonTests {
  private static let habitCount = 6

  /// Six habits of Ada's, each logged on some days.
  private static func scenario(_ logs: [(day: Int, habit: Int)]) throws -> Scenario {
    var scenario = given()
    for number in 1...habitCount {
      let key = Key(high: 2, low: UInt64(number))
      scenario = try scenario.and(CreateHabit(key: key, name: "Habit \(number)"))
    }
    for log in logs.sorted(by: { $0 < $1 }) {
      guard let habit = Habit.ID(log.habit) else { continue }
      let at = Scenario.noon.advanced(byMilliseconds: Int64(log.day) * 86_400_000)
      scenario = try scenario.and(LogHabit(habit), at: at)
    }
    return scenario
  }

  @Test func `a comparison in pieces equals the whole comparison`() throws {
    let logs = Generator<(day: Int, habit: Int)> { source in
      (try source.draw(.integer(in: 0...12)), try source.draw(.integer(in: 1...Self.habitCount)))
    }
    let cases = Generator.zip(
      logs.array(count: 0...40), Generator<Int>.integer(in: 0...Self.habitCount).array(count: 0...5)
    )
    let file = try #require(RuleFile.shipped.first { $0.id == "never-miss-twice" })
    let report = check("pieces", cases, cases: 60) { value, statistics in
      let (logs, cuts) = value
      let state = try Self.scenario(logs).state
      let query = Query(asOf: state.at, zones: TableZones())
      let work = try RuleComparison.Work(in: state, query, against: StreakRule(file))
      let bounds = [0] + cuts.sorted() + [work.count]
      let pieces = zip(bounds, bounds.dropFirst()).map { work.compared($0..<$1) }
      let whole = work.compared(0..<work.count)
      try expectEqual(work.joined(pieces).json.encoded, whole.json.encoded)
      statistics.cover("a difference", atLeast: 20, !whole.rows.isEmpty)
      let sums = whole.current
      try expectEqual(sums.longer + sums.shorter + sums.equal, Self.habitCount)
    }
    #expect(report.passed, "\(report)")
  }
}

extension RuleComparison {
  fileprivate var json: JSON { JSON(written: { write(to: &$0) }) }
}
