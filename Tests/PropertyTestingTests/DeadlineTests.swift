import PropertyExpectations
import PropertyTesting
import Testing

/// A slow body falsifies its property.
@Suite(.tags(.unit), .pinnedRuns) struct DeadlineTests {
  private let numbers = Generator.integer(in: 0...100)

  /// Spends time.
  private func work(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }

  @Test func `a case over its deadline is shrunk to the simplest slow one`() throws {
    let report = check("fast", numbers, seed: 1, deadline: .milliseconds(20)) { number in
      if number > 30 { work(.milliseconds(25)) }
    }
    let example = try #require(report.counterExample, "\(report)")
    let error = try #require(example.error as? DeadlineExceeded)
    #expect(example.minimal == 31)
    #expect(error.deadline == .milliseconds(20) && error.elapsed > .milliseconds(20))
    #expect("\(error)".hasSuffix(" ms, and may take 20.0"), "\(error)")
  }

  @Test func `a failure is reported as itself, however slow`() throws {
    let report = check("fast and right", numbers, seed: 1, deadline: .nanoseconds(1)) { number in
      try expect(number < 0, "never")
    }
    #expect(report.counterExample?.error is Falsified)
  }

  @Test func `an asynchronous body has a deadline as well`() async throws {
    let report = await checkAwaiting("fast", numbers, seed: 1, deadline: .milliseconds(20)) {
      number in
      await Task.yield()
      if number > 30 { work(.milliseconds(25)) }
    }
    #expect(report.counterExample?.error is DeadlineExceeded)
    #expect(await property("in time", numbers, deadline: .seconds(60)) { _ in }.passed)
  }
}
