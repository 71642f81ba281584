import Testing

@testable import PropertyTesting

/// Problems on which shrinkers are compared publicly, whose single steps lead nowhere.
@Suite(.tags(.law)) struct ShrinkingChallengeTests {
  private static let seeds = (UInt64(1)...30).map { $0 << 32 }

  /// The minimal counter-examples from thirty seeds.
  private func minima(
    of holds: (Int, Int) -> Bool, drawnFrom generator: Generator<(Int, Int)>
  ) throws -> Set<[Int]> {
    var found: Set<[Int]> = []
    for seed in Self.seeds {
      let report = checkUndisturbed(generator, cases: 100_000, seed: seed) {
        holds($0.0, $0.1)
      }
      let example = try #require(report.counterExample, "\(report)")
      found.insert([example.minimal.0, example.minimal.1])
    }
    return found
  }

  /// Two numbers, the second near the first, so that failing cases are found.
  private func near(_ distances: ClosedRange<Int>) -> Generator<(Int, Int)> {
    Generator.zip(Generator.integer(in: 4...1_000_000), Generator.integer(in: distances))
      .map { ($0, $0 + $1) }
  }

  @Test func `two numbers whose difference must stay one shrink together`() throws {
    let differs = { (first: Int, second: Int) in first < 10 || abs(first - second) != 1 }
    #expect(try minima(of: differs, drawnFrom: near(-4...4)) == [[10, 11]])
    // Drawn separately, the numbers must be shifted as two choices.
    let apart = Generator { source in
      let first = try source.draw(Generator.integer(in: 0...1_000_000))
      let second = try source.draw(Generator.integer(in: 0...1_000_000))
      return (first, second)
    }
    #expect(try shrunk(from: [734_512, 734_511], by: apart, differs) == [10, 9])
  }

  @Test func `a small nonzero difference shrinks to the smallest such pair`() throws {
    let apart = Generator.zip(
      Generator.integer(in: 0...1_000_000), Generator.integer(in: 0...1_000_000))
    let differs = { (first: Int, second: Int) in
      first < 10 || !(1...4).contains(abs(first - second))
    }
    #expect(try shrunk(from: [500_003, 500_000], by: apart, differs) == [10, 6])
  }

  /// Shrinks from one failing pair, which chance alone would hardly draw.
  private func shrunk(
    from start: [UInt64], by generator: Generator<(Int, Int)>, _ holds: (Int, Int) -> Bool
  ) throws -> [Int] {
    var source = Source(seed: CaseSeed(bits: 0))
    source.restart(replaying: start)
    _ = try source.draw(generator)
    var shrinker = Shrinker(best: RecordedChoices(source), limit: 10_000)
    var minimal: [Int] = []
    shrinker.run { values, best in
      source.restart(replaying: values)
      guard let pair = try? source.draw(generator), !holds(pair.0, pair.1) else { return nil }
      guard source.isSimpler(than: best) else { return nil }
      minimal = [pair.0, pair.1]
      return RecordedChoices(source)
    }
    return minimal
  }

  @Test func `a failure of large cases is found as early among more cases`() throws {
    let lists = Generator.integer(in: 0...9).array(count: 0...60)
    func casesUntilFound(of cases: Int) throws -> Int {
      try Self.seeds.prefix(6).map { seed in
        let report = checkUndisturbed(lists, cases: cases, seed: seed) { $0.count < 45 }
        return try #require(report.counterExample).caseNumber
      }.reduce(0, +)
    }
    let few = try casesUntilFound(of: 400)
    #expect(try casesUntilFound(of: 40_000) == few)
  }

  @Test(arguments: [200, 2_000])
  func `a long list shrinks in attempts linear in its length`(
    count: Int
  ) throws {
    let lists = Generator.integer(in: 0...9).array(count: 0...count)
    func evaluations(_ minimal: [Int], _ holds: ([Int]) -> Bool) -> Int {
      var evaluations = 0
      let report = checkUndisturbed(lists, cases: 1, seed: (5 << 32) + 127) { list in
        evaluations += 1
        return holds(list)
      }
      #expect(report.counterExample?.minimal == minimal)
      #expect(report.counterExample?.isCutShort == false)
      return evaluations
    }
    #expect(evaluations([9, 9]) { list in list.count { $0 == 9 } < 2 } <= 150)
    let half = count / 2
    #expect(evaluations(Array(repeating: 0, count: half)) { list in list.count < half } <= 900)
  }

  @Test(arguments: ChallengeProblem.all)
  func `every problem shrinks to its simplest value`(problem: ChallengeProblem) throws {
    var seeds = SplitMix64(seed: 42)
    for _ in 0..<(try scaled(30)) {
      let seed = CaseSeed(random: seeds.next(), size: 0).bits
      let ending = try #require(problem.run(seed, 1_000_000), "seed \(seed)")
      #expect(ending.minimal == problem.minimal, "seed \(seed)")
      #expect(!ending.isCutShort, "seed \(seed)")
    }
  }

  @Test(arguments: ChallengeProblem.all)
  func `a failing case is found as early among many cases as among few`(problem: ChallengeProblem)
    throws
  {
    for seed in Self.seeds.prefix(try scaled(5)) {
      let few = try #require(problem.run(seed, 10_000))
      #expect(problem.run(seed, 1_000_000)?.casesToFind == few.casesToFind, "seed \(seed)")
      if few.casesToFind <= 100 { #expect(problem.run(seed, 100)?.casesToFind == few.casesToFind) }
    }
  }
}
