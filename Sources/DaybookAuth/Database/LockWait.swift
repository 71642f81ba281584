import Synchronization

/// Waits for a database that another process has locked, for up to a quarter of a second after the lock was first
/// found. Later callers try only once, so that waits do not add up.
final class LockWait: Sendable {
  private static let patience = Duration.milliseconds(250)
  /// A lock found longer ago than this is taken for a new one.
  private static let memory = Duration.seconds(10)

  /// When the database was first found locked, since it was last available.
  private let start = Mutex<ContinuousClock.Instant?>(nil)

  /// Runs a body, and repeats it while the database is locked and the wait is not over.
  ///
  /// - Throws: what the body throws, including that the database is locked.
  func retrying<Value>(
    _ body: () async throws -> Value, whileLocked isLocked: (any Error) -> Bool
  ) async throws -> Value {
    while true {
      do {
        let value = try await body()
        start.withLock { $0 = nil }
        return value
      } catch {
        guard isLocked(error), continues() else { throw error }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  private func continues() -> Bool {
    let now = ContinuousClock.now
    return start.withLock { start in
      let first = start.flatMap { now - $0 < Self.memory ? $0 : nil } ?? now
      start = first
      return now - first < Self.patience
    }
  }
}
