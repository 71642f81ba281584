import Testing

@testable import PropertyTesting

/// `PROPERTY_CASES=x0.1` and `x10`: fewer cases and more, for properties and loops.
@Suite(.tags(.unit)) struct ScalingTests {
  private func environment(_ cases: String) throws -> Environment {
    try Environment { $0 == "PROPERTY_CASES" ? cases : nil }
  }

  @Test func `cases and loops are multiplied, with a minimum of one`() throws {
    for (text, cases) in [
      ("x0.1", 20), ("x2.5", 500), ("x1", 200), ("x0.001", 1), ("x1e300", .max),
    ] {
      #expect(try environment(text).cases(for: 200) == cases, "\(text)")
      #expect(try environment(text).scaled(200) == cases, "\(text)")
    }
    #expect(try environment("x0.1").scaled(0) == 0)
  }

  @Test func `a plain number of cases changes no loop`() throws {
    let environment = try environment("5000")
    #expect(environment.cases(for: 20) == 5000)
    #expect(environment.scaled(20) == 20)
    #expect(environment.step(7) == 7)
  }

  @Test func `a sample holds everything once the step is one`() throws {
    for (text, step) in [("x1", 7), ("x2", 3), ("x4", 1), ("x100", 1), ("x0.5", 14)] {
      #expect(try environment(text).step(7) == step, "\(text)")
    }
  }

  @Test(arguments: ["x0", "x-1", "xinf", "xnan", "x", "x 2", "0.5", "-3", "many"])
  func `a malformed factor is refused with what to write`(text: String) {
    let error = #expect(throws: Environment.Malformed.self) { try environment(text) }
    #expect(error?.description.contains("x10 to multiply it") == true)
  }

  @Test(.pinnedRuns) func `without a variable a loop keeps its length`() throws {
    #expect(try scaled(40) == 40)
    #expect(try sample(0..<10, every: 4) == [0, 4, 8])
    #expect(try sample(["a", "b", "c"][1...], every: 1) == ["b", "c"])
    #expect(try sample([Int](), every: 3) == [])
  }

  @Test func `a scaled-down run still draws enough cases for its coverage`() throws {
    let numbers = Generator<Int>.integer(in: 1...100)
    var run = PropertyRun(name: "run", generator: numbers, shrinkLimit: 0) { number, statistics in
      statistics.cover("one in a hundred", atLeast: 0.1, number == 100)
    }
    let report = run.random(cases: 200, seed: 1, environment: try environment("x0.01"))
    #expect(report.passed, "\(report)")
    #expect(report.cases > 20, "it was covered by chance at once: take another seed")
    #expect(report.cases <= 2000)
  }
}
