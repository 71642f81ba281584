import Dispatch
import Synchronization

/// Runs what may wait for a disk on a thread that runs no tasks.
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

/// Runs what may take long on a thread that runs no tasks, as long as somebody waits for it.
///
/// - Parameter body: Is given what tells whether its result is still wanted, which it is until the task is cancelled.
/// - Returns: What `body` returns.
/// - Throws: what `body` throws; `CancellationError` when the task was cancelled before it began.
func onThreadWhileWanted<Result: Sendable>(
  _ body: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) throws -> Result
) async throws -> Result {
  let cancellation = Cancellation()
  return try await withTaskCancellationHandler {
    try await onThread {
      guard cancellation.isWanted else { throw CancellationError() }
      return try body { cancellation.isWanted }
    }
  } onCancel: {
    cancellation.cancel()
  }
}

/// Whether a task was cancelled, for a thread that runs none.
private final class Cancellation: Sendable {
  private let isCancelled = Atomic<Bool>(false)

  var isWanted: Bool { !isCancelled.load(ordering: .relaxed) }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }
}
