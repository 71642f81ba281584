import Testing

@testable import PropertyTesting

/// Now and then a value equals an earlier one.
@Suite(.tags(.unit), .pinnedRuns) struct DuplicateTests {
  private let pairs = Generator.zip(Generator.integer(in: 0...9_999), Generator<UInt64>.bits())

  @Test func `equal values are generated where chance alone gives none`() throws {
    for seed in UInt64(1)...10 {
      let report = check("no two are equal", pairs.array(count: 0...20), seed: seed << 32) { list in
        Set(list.map(\.1)).count == list.count
      }
      let minimal = try #require(report.counterExample?.minimal, "\(report)")
      #expect(minimal.map(\.0) == [0, 0] && minimal.map(\.1) == [0, 0], "\(minimal)")
    }
  }

  @Test func `a case with equal values is found again by its seed`() throws {
    let lists = pairs.array(count: 0...20)
    func holds(_ list: [(Int, UInt64)]) -> Bool { Set(list.map(\.1)).count == list.count }
    let found = try #require(check("equal", lists, cases: 1000, seed: 3, holds).counterExample)
    let again = try #require(
      check("equal", lists, cases: 1, seed: found.seed, holds).counterExample)
    #expect(again.caseNumber == 1)
    #expect(again.original.map(\.1) == found.original.map(\.1))
  }

  @Test func `about one case in eight repeats values, and the others are unchanged`() {
    let seeds = (UInt64(0)..<8_000).map { CaseSeed(bits: SplitMix64.mix($0)) }
    let count = seeds.count { RecordedChoices.repeats(in: $0) }
    #expect((900...1_100).contains(count), "\(count)")
  }

  @Test func `a generator's invariants hold with repeated values`() {
    let distinct = Generator.integer(in: 0...1_000).filter { $0.isMultiple(of: 2) }
      .distinct(count: 2...9)
    let report = check("distinct and even", distinct, cases: 2_000, seed: 1) { list in
      Set(list).count == list.count && list.allSatisfy { $0.isMultiple(of: 2) }
    }
    #expect(report.passed && report.cases == 2_000, "\(report)")
  }
}
