import PropertyTesting
import Testing

/// The search for cases with a high score.
@Suite(.tags(.unit), .pinnedRuns) struct GuidedSearchTests {
  /// Whether a run finds lists whose sum is near the maximum; only a guided search gets near it.
  private func finds(seed: UInt64, isGuided: Bool) -> Report<[Int]> {
    let lists = Generator.integer(in: 0...1_000_000).array(count: 6...6)
    return check("sums are not large", lists, cases: 4000, seed: seed) { list, statistics in
      let sum = list.reduce(0, +)
      if isGuided { statistics.target("the sum", Double(sum)) }
      return sum < 5_950_000
    }
  }

  @Test func `guided search climbs to what chance does not find`() throws {
    for seed in UInt64(1)...10 {
      #expect(finds(seed: seed << 32, isGuided: false).passed)
      let example = try #require(finds(seed: seed << 32, isGuided: true).counterExample)
      #expect(example.origin == .guided && example.isReproducible)
      #expect(example.minimal.reduce(0, +) == 5_950_000)
    }
  }

  @Test func `each of several scores is climbed`() {
    let pairs = Generator.zip(
      Generator.integer(in: 0...1_000_000), Generator.integer(in: 0...1_000_000))
    var best = (first: 0, second: 0)
    let report = check("pairs", pairs, cases: 400, seed: 7) { pair, statistics in
      best = (max(best.first, pair.0), max(best.second, 1_000_000 - abs(pair.1 - 123_456)))
      statistics.target("the first is large", Double(pair.0))
      statistics.target("the second is near", -Double(abs(pair.1 - 123_456)))
    }
    #expect(report.passed && report.cases == 400)
    #expect(best.first == 1_000_000 && best.second > 999_990, "\(best)")
  }

  @Test func `a case found by guided search is found again by the run's seed`() throws {
    let first = finds(seed: 1 << 32, isGuided: true)
    let example = try #require(first.counterExample)
    #expect(example.seed == first.seed)
    let seed = try #require(example.seed)
    let again = try #require(finds(seed: seed, isGuided: true).counterExample)
    #expect(again.minimal == example.minimal && again.caseNumber == example.caseNumber)
    #expect(first.description.contains("in case \(example.caseNumber), which was looked for"))
  }

  @Test func `NaN scores, cases without choices and filters do not stop the search`() {
    let none = check("constant", .constant(1), cases: 300, seed: 1) { _, statistics in
      statistics.target("nothing", .nan)
      statistics.target("the same", 0)
    }
    #expect(none.passed && none.cases == 300)
    let even = Generator.integer(in: 0...1_000_000).filter { $0.isMultiple(of: 2) }
    let report = check("even", even, cases: 300, seed: 1) { number, statistics in
      statistics.target("odd", .infinity)
      statistics.target("large", Double(number))
      return number.isMultiple(of: 2)
    }
    #expect(report.passed && report.cases == 300 && report.discarded == 0, "\(report)")
  }

  @Test func `shrunk and discarded cases leave no score`() {
    let report = check("small", Generator.integer(in: 0...1_000_000), cases: 300, seed: 1) {
      number, statistics in
      statistics.target("large", Double(number))
      try assume(number.isMultiple(of: 3))
      return number < 999_999
    }
    #expect(report.counterExample?.minimal == 999_999, "\(report)")
  }
}
