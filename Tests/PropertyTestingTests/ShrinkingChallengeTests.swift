import Testing

@testable import PropertyTesting

/// Problems on which shrinkers are compared in public, those on which single steps lead nowhere.
@Suite(.tags(.law), .pinnedRuns) struct ShrinkingChallengeTests {
  private static let seeds = (UInt64(1)...30).map { $0 << 32 }

  /// The minimal counter-examples from thirty seeds.
  private func minima(
    of holds: (Int, Int) -> Bool, drawnFrom generator: Generator<(Int, Int)>
  ) throws -> Set<[Int]> {
    var found: Set<[Int]> = []
    for seed in Self.seeds {
      let report = check("false", generator, cases: 100_000, seed: seed) { holds($0.0, $0.1) }
      let example = try #require(report.counterExample, "\(report)")
      found.insert([example.minimal.0, example.minimal.1])
    }
    return found
  }

  /// Two numbers of which the second lies near the first, so that cases that fail are found.
  private func near(_ distances: ClosedRange<Int>) -> Generator<(Int, Int)> {
    Generator.zip(Generator.integer(in: 4...1_000_000), Generator.integer(in: distances))
      .map { ($0, $0 + $1) }
  }

  @Test func `a difference that must stay one lets both numbers sink together`() throws {
    let differs = { (first: Int, second: Int) in first < 10 || abs(first - second) != 1 }
    #expect(try minima(of: differs, drawnFrom: near(-4...4)) == [[10, 11]])
    // Drawn apart from each other, the numbers have to be shifted as two choices.
    let apart = Generator { source in
      let first = try source.draw(Generator.integer(in: 0...1_000_000))
      let second = try source.draw(Generator.integer(in: 0...1_000_000))
      return (first, second)
    }
    #expect(try shrunk(from: [734_512, 734_511], by: apart, differs) == [10, 9])
  }

  @Test func `a small difference that is not zero ends at the smallest such pair`() throws {
    let apart = Generator.zip(
      Generator.integer(in: 0...1_000_000), Generator.integer(in: 0...1_000_000))
    let differs = { (first: Int, second: Int) in
      first < 10 || !(1...4).contains(abs(first - second))
    }
    #expect(try shrunk(from: [500_003, 500_000], by: apart, differs) == [10, 6])
  }

  /// Shrinks from one pair that fails, which chance alone would hardly draw.
  private func shrunk(
    from start: [UInt64], by generator: Generator<(Int, Int)>, _ holds: (Int, Int) -> Bool
  ) throws -> [Int] {
    var source = Source(seed: CaseSeed(bits: 0))
    source.restart(replaying: start)
    _ = try source.draw(generator)
    var shrinker = Shrinker(best: Recording(source), limit: 10_000)
    var minimal: [Int] = []
    shrinker.run { values, best in
      source.restart(replaying: values)
      guard let pair = try? source.draw(generator), !holds(pair.0, pair.1) else { return nil }
      let recording = Recording(source)
      guard recording.isSimpler(than: best) else { return nil }
      minimal = [pair.0, pair.1]
      return recording
    }
    return minimal
  }

  @Test func `what only a large case shows is found as soon when more cases are asked for`() throws
  {
    let lists = Generator.integer(in: 0...9).array(count: 0...60)
    func casesUntilFound(of cases: Int) throws -> Int {
      try Self.seeds.prefix(6).map { seed in
        let report = check("short", lists, cases: cases, seed: seed) { $0.count < 45 }
        return try #require(report.counterExample).caseNumber
      }.reduce(0, +)
    }
    let few = try casesUntilFound(of: 400)
    #expect(try casesUntilFound(of: 40_000) == few)
  }

  @Test(arguments: [200, 2_000])
  func `a long list is shrunk in attempts that grow with its length, not its square`(
    count: Int
  ) throws {
    let lists = Generator.integer(in: 0...9).array(count: 0...count)
    var attempts = 0
    let report = check("has one nine at most", lists, cases: 1, seed: 127) { list in
      attempts += 1
      return list.count { $0 == 9 } < 2
    }
    #expect(report.counterExample?.minimal == [9, 9])
    #expect(attempts <= 100 + count / 2, "\(attempts)")
  }
}
