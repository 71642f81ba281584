import PropertyExpectations
import PropertyTesting
import Synchronization
import Testing

/// The issues that `property` records in its test.
@Suite(.tags(.unit), .pinnedRuns) struct PropertyTests {
  private let numbers = Generator.integer(in: 0...1_000).array(count: 0...30)

  /// The issues that a function records, without recording them for this test.
  private func issues(of run: @escaping @Sendable () async -> Void) async throws -> [Issue] {
    let seen = Mutex<[Issue]>([])
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      seen.withLock { $0.append(issue) }
      return nil
    }
    let test = try #require(Test.current)
    try await trait.provideScope(for: test, testCase: Test.Case.current) { await run() }
    return seen.withLock { $0 }
  }

  @Test func `a property that holds records no issue`() async {
    let report = await property("sorting keeps the count", numbers) { list in
      #expect(list.sorted().count == list.count)
      try #require(list.count <= 30)
    }
    #expect(report.passed && report.cases == 100)
  }

  @Test func `a failing expectation is shrunk, and reported once at the call's place`()
    async throws
  {
    let line = #line + 2
    let found = try await issues {
      await property("lists are short", numbers, seed: 1) { list in
        #expect(list.count < 3)
      }
    }
    let issue = try #require(found.first)
    #expect(found.count == 1)
    #expect(issue.sourceLocation?.line == line)
    let text = "\(issue.comments)"
    #expect(text.contains("counter-example: [0, 0, 0]"), "\(text)")
    #expect(text.contains("Expectation failed"), "\(text)")
  }

  @Test func `shrinking does not replace one expectation by another`() async throws {
    let lists = Generator.integer(in: -100...100).array(count: 8...30)
    let found = Mutex<[Int]>([])
    let issues = try await issues {
      let report = await property("two mistakes", lists, cases: 1_000) { list in
        #expect(list.count <= 10)
        try #require(list.contains { $0 != 0 })
      }
      found.withLock { $0 = report.counterExample?.minimal ?? [] }
    }
    #expect(issues.count == 1)
    #expect(found.withLock { $0 } == Array(repeating: 0, count: 11))
  }

  @Test func `a requirement, an error and false are failures as well`() async throws {
    struct Broken: Error {}
    let bodies: [@Sendable ([Int]) throws -> Bool] = [
      { list in
        try #require(list.isEmpty)
        return true
      },
      { list in
        if !list.isEmpty { throw Broken() }
        return true
      },
      { list in list.isEmpty },
    ]
    for body in bodies {
      let found = try await issues { await property("empty", numbers, body) }
      #expect(found.count == 1)
      #expect("\(found)".contains("counter-example: [0]"))
    }
  }

  @Test func `an asynchronous body is shrunk as well, and keeps its task-local values`()
    async throws
  {
    enum Local { @TaskLocal static var name = "" }
    let found = try await issues {
      await Local.$name.withValue("inner") {
        _ = await property("sums are small", numbers, seed: 1) { list in
          await Task.yield()
          #expect(Local.name == "inner")
          #expect(list.reduce(0, +) < 700)
        }
      }
    }
    #expect(found.count == 1)
    #expect("\(found)".contains("counter-example: [700]"), "\(found)")
  }

  @Test func `many asynchronous bodies at once all finish`() async {
    await withTaskGroup { group in
      for seed in UInt64(1)...40 {
        group.addTask {
          let report = await checkAwaiting("false", numbers, seed: seed << 32) { list in
            await Task.yield()
            return list.count < 4
          }
          return report.counterExample?.minimal
        }
      }
      for await minimal in group { #expect(minimal == [0, 0, 0, 0]) }
    }
  }

  @Test func `a run whose task is cancelled gives up`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await checkAwaiting("never runs", numbers) { _ in false }
    }
    #expect(await task.value.description.contains("the task was cancelled"))
  }

  @Test func `an example is tried before random cases, and reported unshrunk`() async throws {
    let report = check("small", numbers, seed: 1, examples: [[], [1, 2_000]]) { list in
      !list.contains(2_000)
    }
    #expect(
      report.description == """
        “small” is false in example 2
          counter-example: [1, 2000]
          because: the body returned false
        """)
    #expect(check("small", numbers, examples: [[1]]) { $0.count <= 30 }.passed)
  }

  @Test func `a warning in a body is reported once`() async throws {
    let found = try await issues {
      await property("warns", numbers) { _ in Issue.record("careful", severity: .warning) }
    }
    #expect(found.count == 1)
  }

  @Test func `shrinking does not replace one named condition by another`() {
    let lists = Generator.integer(in: -100...100).array(count: 8...30)
    let report = check("two mistakes", lists, cases: 1_000) { list in
      ["has ten elements at most": list.count <= 10, "is not zero": list.contains { $0 != 0 }]
    }
    #expect(report.counterExample?.minimal == Array(repeating: 0, count: 11))
    #expect(report.description.contains("“has ten elements at most” is false"))
  }

  @Test func `an expectation about a report shows the report once, in full`() async throws {
    let report = check("empty", numbers, seed: 1) { $0.isEmpty }
    let found = try await issues { #expect(report.passed) }
    let issue = try #require(found.first)
    #expect("\(issue)".split(separator: "counter-example").count == 2, "\(issue)")
  }
}
