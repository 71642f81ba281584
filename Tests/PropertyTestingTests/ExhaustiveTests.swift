import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct ExhaustiveTests {
  @Test func `every history is enumerated exactly once`() throws {
    let entries = Generator.element(of: ["done", "missed", "skipped"])
    let histories = try entries.array(count: 0...4).allValues()
    #expect(histories.count == 1 + 3 + 9 + 27 + 81)
    #expect(Set(histories).count == histories.count)
    #expect(histories.first == [])
  }

  @Test func `numbers, permutations, choices and options are enumerated exactly once`() throws {
    #expect(try Generator.integer(in: -2...3).allValues() == [0, 1, -1, 2, -2, 3])
    #expect(try Set(Generator.permutation(of: [1, 2, 3]).allValues()).count == 6)
    #expect(try Generator.subsequence(of: [1, 2, 3]).allValues().count == 8)
    #expect(try Generator<Bool>.bool().optional().allValues() == [nil, false, true])
    let either = Generator.oneOf(.constant(7), .integer(in: 1...2))
    #expect(try either.allValues() == [7, 1, 2])
    #expect(try Generator<Bool>.bool(probability: 1).allValues() == [true])
    #expect(try Generator<Int8>.integer().allValues().count == 256)
  }

  @Test func `a filter enumerates the values it accepts`() throws {
    let even = Generator.integer(in: 0...9).filter { $0.isMultiple(of: 2) }
    #expect(try even.allValues() == [0, 2, 4, 6, 8])
    #expect(try even.array(count: 2...2).allValues().count == 25)
  }

  @Test func `distinct lists are enumerated exactly once`() throws {
    let lists = try Generator.integer(in: 1...3).distinct(count: 0...3).allValues()
    #expect(lists.count == 1 + 3 + 6 + 6)
    #expect(Set(lists).count == lists.count)
  }

  @Test func `a broken rule is found and shrunk`() throws {
    let histories = Generator<Bool>.bool().array(count: 0...8)
    let report = checkExhaustively("never three in a row", histories) { days in
      !days.split(separator: false).contains { $0.count >= 3 }
    }
    let example = try #require(report.counterExample)
    #expect(example.minimal == [true, true, true])
    #expect(example.seed == nil)
    #expect(!report.description.contains("PROPERTY_SEED"))
  }

  @Test func `a world over the limit does not pass`() {
    let report = checkExhaustively("large", Generator<UInt64>.bits(), limit: 100) { _ in true }
    #expect(!report.passed)
    #expect(
      report.description == """
        “large” holds in 100 cases, but there are more than 100
          narrow the generator, or raise the limit
        """)
    #expect(throws: PropertyFailure.self) {
      try Generator<UInt64>.bits().allValues(limit: 100)
    }
  }

  @Test func `a world exactly at the limit passes`() {
    let report = checkExhaustively("exact", .integer(in: 0...99), limit: 100) { $0 < 100 }
    #expect(report.passed, "\(report)")
    #expect(report.cases == 100)
  }
}
