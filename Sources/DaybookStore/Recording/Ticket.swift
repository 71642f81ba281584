import Dispatch
import Synchronization

/// The ticket of a task or thread that waits for an answer.
///
/// A ticket goes from waiting to admitted to settled, or from waiting to cancelled; each step happens once. An admitted
/// write is carried out even if its task is cancelled meanwhile.
struct Ticket<Answer: Sendable>: ~Copyable, Sendable {
  enum Stage: Sendable {
    case waiting
    case admitted
    case cancelled
    case settled(Result<Answer, any Error>)
  }

  enum Waiter: Sendable {
    /// Unchecked, because a checked continuation costs an allocation per write. It is resumed only once: settling or
    /// cancelling the ticket, which happens once, removes the waiter.
    case task(UnsafeContinuation<Answer, any Error>)
    case thread(DispatchSemaphore)
  }

  // Not private: otherwise the compiler (6.3.1) cannot lay out the mutex from another file.
  struct Progress: Sendable {
    var stage = Stage.waiting
    var waiter: Waiter?
  }

  private let progress = Mutex(Progress())

  /// Attaches a task to be resumed with the answer; returns whether the ticket still waits.
  func wait(_ continuation: UnsafeContinuation<Answer, any Error>) -> Bool {
    let waits = progress.withLock { progress in
      guard case .waiting = progress.stage else { return false }
      progress.waiter = .task(continuation)
      return true
    }
    if !waits { continuation.resume(throwing: CancellationError()) }
    return waits
  }

  /// Attaches a thread to be woken with the answer.
  func wait(_ thread: DispatchSemaphore) {
    progress.withLock { $0.waiter = .thread(thread) }
  }

  /// Admits the write unless it was cancelled; returns whether it was admitted.
  func admit() -> Bool {
    progress.withLock { progress in
      guard case .waiting = progress.stage else { return false }
      progress.stage = .admitted
      return true
    }
  }

  /// Whether the wait was cancelled.
  var isCancelled: Bool {
    progress.withLock { progress in
      if case .cancelled = progress.stage { true } else { false }
    }
  }

  /// Cancels the wait unless the write was admitted; returns whether the wait was cancelled.
  func cancel() -> Bool {
    let (didCancel, waiter) = progress.withLock { progress -> (Bool, Waiter?) in
      guard case .waiting = progress.stage else { return (false, nil) }
      progress.stage = .cancelled
      return (true, progress.waiter.take())
    }
    if case .task(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    return didCancel
  }

  /// Settles the ticket with the answer.
  func settle(_ answer: Result<Answer, any Error>) {
    let waiter = progress.withLock { progress in
      progress.stage = .settled(answer)
      return progress.waiter.take()
    }
    switch waiter {
    case .task(let continuation): continuation.resume(with: answer)
    case .thread(let semaphore): semaphore.signal()
    case nil: break
    }
  }

  /// The answer, once there is one.
  var answer: Result<Answer, any Error>? {
    progress.withLock { progress in
      if case .settled(let answer) = progress.stage { answer } else { nil }
    }
  }
}
