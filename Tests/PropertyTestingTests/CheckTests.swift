import Testing

@testable import PropertyTesting

@Suite(.tags(.unit), .pinnedRuns) struct CheckTests {
  private let numbers = Generator.integer(in: 0...1_000).array(count: 0...30)

  @Test func `a passing report states the number of cases`() {
    let report = check("counts are not negative", numbers, cases: 50, seed: 1) { $0.count >= 0 }
    #expect(report.passed)
    #expect(
      report.description == """
        “counts are not negative” holds in 50 cases
          seed of the run: 0x0000000000000001
        """)
  }

  @Test func `a failure shows the value, the reason and how to replay it`() throws {
    let report = check("sums are small", numbers, seed: 1) { list in
      try expectEqual(list.reduce(0, +) > 900, false, "large", fileID: "Rules/Sums.swift", line: 7)
    }
    let example = try #require(report.counterExample)
    let seed = try #require(example.seed)
    #expect(
      report.description == """
        “sums are small” is false in case \(example.caseNumber)
          counter-example: [901]
          because: large: expected false, found true (Rules/Sums.swift:7)
          shrunk \(example.shrinks) times from: \(example.original)
          replay: PROPERTY_SEED=\(CaseSeed.text(seed)), or seed: \(CaseSeed.text(seed))
          seed of the run: 0x0000000000000001
        """)
    #expect(throws: PropertyFailure.self) { try report.require() }
  }

  @Test func `the printed seed replays the failing case first, and shrinks it alike`() throws {
    let rule: ([Int]) -> Bool = { $0.count < 12 || !$0.contains { $0 > 700 } }
    let found = try #require(check("rule", numbers, cases: 1_000, rule).counterExample)
    #expect(found.caseNumber > 1)
    for cases in [1, 1_000] {
      let replayed = check("rule", numbers, cases: cases, seed: found.seed, rule).counterExample
      let example = try #require(replayed)
      #expect(example.caseNumber == 1)
      #expect(example.original == found.original)
      #expect(example.minimal == found.minimal)
      #expect(example.shrinks == found.shrinks)
    }
  }

  @Test func `the environment sets a seed and a number of cases`() throws {
    var variables = ["PROPERTY_SEED": "0xFF", "PROPERTY_CASES": "x10"]
    var environment = try Environment { variables[$0] }
    #expect(environment.seed == 255)
    #expect(environment.cases(for: 20) == 200)
    var run = PropertyRun(name: "run", generator: numbers, shrinkLimit: 0) { _, _ in }
    let report = run.random(cases: 20, seed: nil, environment: environment)
    #expect(report.seed == 255)
    #expect(report.cases == 200)

    variables = ["PROPERTY_SEED": "77", "PROPERTY_CASES": "5000"]
    environment = try Environment { variables[$0] }
    #expect(environment.seed == 77)
    #expect(environment.cases(for: 20) == 5_000)
    #expect(try Environment { _ in nil }.cases(for: 20) == 20)
  }

  @Test(arguments: [["PROPERTY_SEED": "twelve"], ["PROPERTY_CASES": "x"], ["PROPERTY_CASES": "0"]])
  func `a malformed variable is an error`(variables: [String: String]) {
    #expect(throws: Environment.Malformed.self) { try Environment { variables[$0] } }
  }

  @Test func `a filter that refuses everything gives up with its reason`() {
    let none = numbers.filter("no list is longer than itself") { $0.count > $0.count }
    let report = check("never runs", none, cases: 20, seed: 1) { _ in false }
    #expect(!report.passed)
    #expect(
      report.description == """
        “never runs” gave up: 201 cases were discarded and 0 ran
          most often because: no list is longer than itself
          generate fitting values instead of refusing the others
          seed of the run: 0x0000000000000001
        """)
  }

  @Test func `an assumption discards a case without failing it`() {
    let report = check("assumed", numbers, cases: 100) { list in
      try assume(!list.isEmpty, "empty")
      try expect(list.max() != nil)
    }
    #expect(report.passed, "\(report)")
    #expect(report.cases == 100)
    #expect(report.discarded > 0)
  }

  @Test func `an error of the generator is reported as such`() {
    struct Broken: Error {}
    let broken = Generator<Int> { _ in throw Broken() }
    let report = check("broken", broken) { _ in true }
    #expect(report.description.contains("the generator failed: Broken()"))
  }

  @Test func `zero cases do not pass`() {
    #expect(!check("nothing", numbers, cases: 0) { _ in true }.passed)
  }

  @Test func `text in a report is quoted`() throws {
    let report = check("short", .ascii(count: 0...9), seed: 3) { $0.count < 2 }
    #expect(report.description.contains("counter-example: \"aa\""))
  }

  @Test func `values are described without the names of modules`() {
    enum Step: Hashable { case done, moved(to: Int, Int), named(String), none }
    struct Habit { var name: String, steps: [Step], goal: Int? }
    #expect(
      describe(Habit(name: "run", steps: [.done, .moved(to: 1, 2), .named("x")], goal: nil))
        == "Habit(name: \"run\", steps: [done, moved(to: 1, 2), named(\"x\")], goal: nil)")
    #expect(describe(["b": Step.none, "a": .done]) == "[\"a\": done, \"b\": none]")
    #expect(describe(Set([3, 1, 2])) == "[1, 2, 3]")
    #expect(describe((1, "x", Optional(2.5))) == "(1, \"x\", 2.5)")
    #expect(describe([Int]()) == "[]" && describe([Int: Int]()) == "[:]")
  }

  @Test func `a body that returns another type is refused`() {
    let report = check("count", numbers) { $0.count }
    #expect(
      report.description == """
        “count” did not run: its body returns Int; return whether the property holds, or nothing
        """)
  }
}
