import PropertyTesting
import Testing

/// The examples of `Docs/PropertyTesting.md`, as they stand there.
@Suite(.tags(.unit), .pinnedRuns) struct GuideTests {
  private enum Entry: CaseIterable { case done, missed, skipped }
  private enum Step { case paused, resumed, done, missed }

  private func streak(_ entries: [Entry]) -> Int {
    entries.reversed().filter { $0 != .skipped }.prefix { $0 == .done }.count
  }

  private let histories = Generator { source in
    var steps: [Step] = []
    var isPaused = false
    try source.repeated(0...60) { source in
      if try source.draw(.bool(probability: 0.1)) {
        isPaused.toggle()
        steps.append(isPaused ? .paused : .resumed)
      } else if !isPaused {
        steps.append(try source.draw(.element(of: [.done, .missed])))
      }
    }
    return steps
  }

  @Test func `a skipped day never changes a streak`() {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a skipped day never changes a streak", histories, cases: 10_000) {
      history in
      streak(history) == streak(history + [.skipped])
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `a rule that forgets the skipped days is found out`() throws {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a skipped day never changes a streak", histories, cases: 10_000) {
      history in
      let broken: ([Entry]) -> Int = { $0.reversed().prefix { $0 == .done }.count }
      return broken(history) == broken(history + [.skipped])
    }
    #expect(report.counterExample?.minimal == [.done])
  }

  @Test func `a failure reads as the guide shows it`() {
    let histories = Generator<Entry>.anyCase().array(count: 0...60)
    let report = check("a streak is shorter than its history", histories, cases: 500, seed: 22) {
      history in
      history.isEmpty || streak(history) < history.count
    }
    #expect(
      report.description == """
        “a streak is shorter than its history” is false in case 4
          counter-example: [done]
          because: the body returned false
          shrunk 1 times from: [done, done]
          replay: PROPERTY_SEED=0x1398B51CED0A2807, or seed: 0x1398B51CED0A2807
          seed of the run: 0x0000000000000016
        """)
  }

  @Test func `histories with pauses are counted`() {
    let report = check("a pause ends", histories, cases: 1_000) { history, statistics in
      statistics.cover("has a pause", atLeast: 20, history.contains(.paused))
      statistics.classify("empty", history.isEmpty)
      statistics.collect("pauses", history.count { $0 == .paused })
      return history.count { $0 == .resumed } <= history.count { $0 == .paused }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `every history of up to six days is checked`() {
    let weeks = Generator<Entry>.anyCase().array(count: 0...6)
    let exhaustive = checkExhaustively(
      "a skipped day never changes a streak", weeks, limit: 2_000
    ) { history in
      streak(history) == streak(history + [.skipped])
    }
    #expect(exhaustive.passed, "\(exhaustive)")
    #expect(exhaustive.cases == 1_093)
  }
}
