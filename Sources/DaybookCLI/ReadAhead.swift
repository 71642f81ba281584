import Dispatch
import Foundation
import Synchronization

/// Produces values on a thread of its own, one ahead of the consumer.
///
/// Unlike `prefetch` of the store, a consumer that stops early does not wait for the thread, which may be
/// waiting for a person's input.
final class ReadAhead<Value: Sendable>: Sendable {
  private let made = DispatchSemaphore(value: 0)
  private let wanted = DispatchSemaphore(value: 0)
  private let slot = Mutex<Result<Value?, any Error>>(.success(nil))

  /// Starts producing the first value.
  ///
  /// - Parameter make: Produces the next value, or `nil` after the last. What it captures is released when it
  ///   returns `nil` or throws.
  init(_ make: sending @escaping () throws -> Value?) {
    // The semaphore does not start at 1: it must not be deallocated below its initial value, and a consumer
    // that stops early requests nothing more.
    wanted.signal()
    // Only the thread calls this closure.
    nonisolated(unsafe) var make: (() throws -> Value?)? = make
    Thread.detachNewThread { [self] in
      while make != nil {
        wanted.wait()
        let result = Result { try make?() ?? nil }
        if (try? result.get()) == nil { make = nil }
        slot.withLock { $0 = result }
        made.signal()
      }
    }
  }

  /// The next value; `nil` after the last, after which it must not be called again.
  ///
  /// - Throws: The error of producing the value.
  func next() throws -> Value? {
    made.wait()
    defer { wanted.signal() }
    return try slot.withLock { $0 }.get()
  }
}
