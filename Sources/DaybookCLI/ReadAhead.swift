import Dispatch
import Foundation
import Synchronization

/// Makes values on a thread of its own, one ahead of who takes them.
///
/// Who stops early does not wait for the thread, as `workAhead` of the store does: it may be waiting for what a person types.
final class ReadAhead<Value: Sendable>: Sendable {
  private let made = DispatchSemaphore(value: 0)
  private let wanted = DispatchSemaphore(value: 0)
  private let slot = Mutex<Result<Value?, any Error>>(.success(nil))

  /// Begins with the first.
  ///
  /// - Parameter make: Makes the next value, or nothing after the last. What it holds it holds until it made nothing, or
  ///   threw.
  init(_ make: sending @escaping () throws -> Value?) {
    // Not counted from 1 on: a semaphore must not end lower than it began, and who stops early wants no more.
    wanted.signal()
    // Only the thread calls it.
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

  /// The next value; nothing after the last, and then nobody asks again.
  ///
  /// - Throws: what making it threw.
  func next() throws -> Value? {
    made.wait()
    defer { wanted.signal() }
    return try slot.withLock { $0 }.get()
  }
}
