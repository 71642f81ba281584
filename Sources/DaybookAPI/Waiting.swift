import Dispatch

/// Runs blocking work on a thread that runs no tasks.
///
/// - Throws: what `body` throws.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
