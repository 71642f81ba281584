import PropertyTesting
import Testing

@Suite(.tags(.unit), .pinnedRuns) struct StatisticsTests {
  private let days = Generator.integer(in: 1...4)

  @Test func `a report shows shares and tables`() {
    // Enumerated choices would be exact; random ones are pinned by their seed.
    var turn = 0
    let report = check("weekdays", days, cases: 8, seed: 1) { _, statistics in
      turn += 1
      statistics.classify("even", turn.isMultiple(of: 2))
      statistics.cover("first half", atLeast: 50, turn <= 4)
      statistics.collect("turn", turn / 4)
    }
    #expect(
      report.description == """
        “weekdays” holds in 8 cases
          seed of the run: 0x0000000000000001
          even         50.0 %
          first half   50.0 %  (at least 50.0 %)
          turn:
            1   50.0 %
            0   37.5 %
            2   12.5 %
        """)
    #expect(report.statistics.counts(of: "turn") == ["0": 3, "1": 4, "2": 1])
    #expect(report.statistics.percentage(of: "even") == 50)
    #expect(report.statistics.percentage(of: "odd") == nil)
  }

  @Test func `a long table shows its commonest rows`() {
    let report = check("bytes", Generator<UInt8>.integer(), cases: 1_000) { byte, statistics in
      statistics.collect("byte", byte)
    }
    let rows = report.statistics.counts(of: "byte").count
    #expect(report.description.contains("and \(rows - 10) more"))
  }

  @Test func `unreached coverage fails with a sentence`() {
    let report = check("days", days, cases: 100, seed: 1) { day, statistics in
      statistics.cover("has a pause", atLeast: 5, day > 4)
    }
    #expect(!report.passed)
    #expect(
      report.description == """
        “days” holds, but its cases are not varied enough
          only 0.0 % of 1000 cases are covered by “has a pause”, 5.0 % are required
          seed of the run: 0x0000000000000001
          has a pause    0.0 %  (at least 5.0 %)
        """)
  }

  @Test func `coverage missed by chance is reached with more cases`() {
    var cases = 0
    let report = check("late", days, cases: 100) { _, statistics in
      cases += 1
      statistics.cover("late", atLeast: 10, cases > 100)
    }
    #expect(report.passed, "\(report)")
    #expect(cases == 108)
  }

  @Test func `a share exactly as required does not fail a run by chance`() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let report = check("rare", Generator<Int>.integer(in: 0...99), cases: 30, seed: seed) {
        number, statistics in
        statistics.cover("rare", atLeast: 1, number == 50)
      }
      #expect(report.passed, "\(report)")
    }
  }

  @Test func `half of the required share fails a run`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let report = check("rare", Generator<Int>.integer(in: 0...99), cases: 300, seed: seed) {
        number, statistics in
        statistics.cover("rare", atLeast: 20, number < 10)
      }
      #expect(!report.passed, "\(report)")
    }
  }

  @Test func `a class counts a case once, and discarded cases not at all`() {
    var turn = 0
    let report = check("once", days, cases: 10) { _, statistics in
      turn += 1
      for _ in 0..<3 { statistics.classify("seen", true) }
      try assume(turn.isMultiple(of: 2))
    }
    #expect(report.statistics.percentage(of: "seen") == 100)
    #expect(report.statistics.cases == 10)
  }

  @Test func `shrinking does not change the statistics`() {
    let report = check("fails", days.array(count: 0...40), cases: 100, seed: 2) {
      list, statistics in
      statistics.collect("count", list.count)
      if list.count == 10 { statistics.classify("only met while shrinking", true) }
      return list.count < 10
    }
    #expect(report.counterExample.map { $0.original.count > 10 } == true)
    #expect(report.statistics.percentage(of: "only met while shrinking") == nil)
    let counted = report.statistics.counts(of: "count").values.reduce(0, +)
    #expect(counted == report.cases)
  }
}
