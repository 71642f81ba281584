import Synchronization

/// How long is waited for a database that another process has locked: a quarter of a second after somebody found it so
/// first. Whoever comes later tries once, so waits do not add up, however many wait.
final class LockWait: Sendable {
  private static let patience = Duration.milliseconds(250)
  /// A lock that was found so long ago is taken for another one.
  private static let memory = Duration.seconds(10)

  /// When it was found locked first, since it was last had.
  private let start = Mutex<ContinuousClock.Instant?>(nil)

  /// Carries something out, again and again while the database is locked and somebody waits for it.
  ///
  /// - Throws: what it throws, also that the database is locked.
  func retrying<Value>(
    _ body: () async throws -> Value, whileLocked isLocked: (any Error) -> Bool
  ) async throws -> Value {
    while true {
      do {
        let value = try await body()
        start.withLock { $0 = nil }
        return value
      } catch {
        guard isLocked(error), goesOn() else { throw error }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }

  private func goesOn() -> Bool {
    let now = ContinuousClock.now
    return start.withLock { start in
      let first = start.flatMap { now - $0 < Self.memory ? $0 : nil } ?? now
      start = first
      return now - first < Self.patience
    }
  }
}
