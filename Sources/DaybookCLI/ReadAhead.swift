import Dispatch
import Foundation
import Synchronization

/// Makes values on a thread of its own, one ahead of who takes them.
final class ReadAhead<Value: Sendable>: Sendable {
  private let made = DispatchSemaphore(value: 0)
  private let wanted = DispatchSemaphore(value: 1)
  private let slot = Mutex<Result<Value?, any Error>>(.success(nil))

  /// Begins with the first.
  ///
  /// - Parameter make: Makes the next value, or nothing after the last.
  init(_ make: sending @escaping () throws -> Value?) {
    // Only the thread calls it.
    nonisolated(unsafe) let make = make
    Thread.detachNewThread { [self] in
      var isAtEnd = false
      while !isAtEnd {
        wanted.wait()
        let result = Result { try make() }
        isAtEnd = (try? result.get()) == nil
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
