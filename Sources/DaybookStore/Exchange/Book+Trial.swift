import Daybook
import Journal

/// Ends a trial, with what it came to.
private struct TrialEnd<Result: Sendable>: Error {
  let result: Result
}

extension Book {
  /// Carries out commands in one commit, or only tries them.
  ///
  /// - Parameters:
  ///   - isTrial: Whether all of it is taken back, so that nothing changes.
  ///   - body: Records them.
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
