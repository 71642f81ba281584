internal import PropertyTesting
internal import Synchronization
internal import Testing

/// Captures the issues that a body records and withholds them from the test, because most belong to cases
/// that shrinking discards.
///
/// The mechanism is that of Swift Testing's own trait `compactMapIssues`: its transformation sees each issue
/// in the task that records it, and in its child tasks, and drops it by returning `nil`. Detached tasks are
/// not covered.
final class CaseIssues: Sendable {
  private struct State {
    var failure: Falsified?
    /// The places of the warnings and known issues already reported, so that each is reported once, not in
    /// every case.
    var told: Set<String> = []
  }

  private let state = Mutex(State())

  /// Runs code that records issues, and returns its result.
  func captured<Result: Sendable>(
    _ run: @escaping @Sendable () async -> Result
  ) async -> Result {
    // Outside of a test there are no issues to capture.
    guard let test = Test.current else { return await run() }
    let result = Mutex<Result?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues { issue in self.keep(issue) }
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        let value = await run()
        result.withLock { $0 = value }
      }
    } catch {
      Issue.record(error)
    }
    if let result = result.withLock({ $0 }) { return result }
    // The scope did not run its function; no version of Swift Testing does that.
    return await run()
  }

  /// The result of one case; an issue in it becomes a failure at the place of the issue.
  func outcome<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
    begin()
    let outcome = Result { try body() }
    try throwFailure()
    return try outcome.get()
  }

  /// The result of one case with an asynchronous body.
  func outcome<Outcome>(_ body: () async throws -> Outcome) async throws -> Outcome {
    begin()
    do {
      let outcome = try await body()
      try throwFailure()
      return outcome
    } catch {
      // The error of `#require` says less than the issue that it recorded.
      try throwFailure()
      throw error
    }
  }

  private func begin() {
    state.withLock { $0.failure = nil }
  }

  private func throwFailure() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func keep(_ issue: Issue) -> Issue? {
    let place = issue.sourceLocation
    let (fileID, line) = (place?.fileID ?? "", place?.line ?? 0)
    return state.withLock { state in
      guard issue.isFailure else {
        return state.told.insert("\(fileID):\(line)").inserted ? issue : nil
      }
      if state.failure == nil {
        state.failure = Falsified("\(issue)", fileID: fileID, line: line)
      }
      return nil
    }
  }
}
