import Daybook
import Journal

/// Thrown to end a trial, with its result.
private struct TrialEnd<Result: Sendable>: Error {
  let result: Result
}

extension Book {
  /// Carries out commands in one commit, or just tries them.
  ///
  /// - Parameters:
  ///   - isTrial: Whether everything is rolled back, so that nothing changes.
  ///   - body: Records the commands.
  /// - Returns: What `body` returns.
  /// - Throws: what `body` throws, or ``JournalError``; then nothing changed.
  package func transaction<Result: Sendable>(
    trying isTrial: Bool, _ body: (inout Batch) throws -> Result
  ) throws -> Result {
    guard isTrial else { return try transaction(body) }
    do {
      return try transaction { (batch: inout Batch) throws -> Result in
        throw TrialEnd(result: try body(&batch))
      }
    } catch let end as TrialEnd<Result> { return end.result }
  }
}
