/// Something took longer than it may.
struct TimeoutError: Error {}

/// Carries something out, and gives up when it takes too long.
///
/// - Throws: ``TimeoutError``, or what the operation throws.
func withTimeout<Result: Sendable>(
  _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimeoutError()
    }
    defer { group.cancelAll() }
    guard let result = try await group.next() else { throw TimeoutError() }
    return result
  }
}

extension Duration {
  /// How many nanoseconds it is; the most that there are where it is longer.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? .max : product + attoseconds / 1_000_000_000
  }
}
