import Dispatch
import Synchronization

/// The place of one who waits for an answer: a task or a thread.
///
/// A ticket goes from waiting to taken to settled, or from waiting to cancelled; each step is taken once. What
/// was taken is carried out, whether the task is cancelled meanwhile or not.
struct Ticket<Answer: Sendable>: ~Copyable, Sendable {
  enum Stage: Sendable {
    case waiting
    case taken
    case cancelled
    case settled(Result<Answer, any Error>)
  }

  enum Waiter: Sendable {
    /// Not a checked one, which costs an allocation a write: a ticket is settled or cancelled once, and takes its waiter then.
    case task(UnsafeContinuation<Answer, any Error>)
    case thread(DispatchSemaphore)
  }

  // Not private: the compiler (6.3.1) cannot lay out the mutex from another file then.
  struct Progress: Sendable {
    var stage = Stage.waiting
    var waiter: Waiter?
  }

  private let progress = Mutex(Progress())

  /// Lets a task be resumed with the answer; says whether it still waits.
  func wait(_ continuation: UnsafeContinuation<Answer, any Error>) -> Bool {
    let waits = progress.withLock { progress in
      guard case .waiting = progress.stage else { return false }
      progress.waiter = .task(continuation)
      return true
    }
    if !waits { continuation.resume(throwing: CancellationError()) }
    return waits
  }

  /// Lets a thread be woken with the answer.
  func wait(_ thread: DispatchSemaphore) {
    progress.withLock { $0.waiter = .thread(thread) }
  }

  /// Takes up what waits; a cancelled one is not to be taken.
  func take() -> Bool {
    progress.withLock { progress in
      guard case .waiting = progress.stage else { return false }
      progress.stage = .taken
      return true
    }
  }

  /// Whether nobody waits any more.
  var isCancelled: Bool {
    progress.withLock { progress in
      if case .cancelled = progress.stage { true } else { false }
    }
  }

  /// Gives up waiting, if it was not taken yet; says whether it did.
  func cancel() -> Bool {
    let (didCancel, waiter) = progress.withLock { progress -> (Bool, Waiter?) in
      guard case .waiting = progress.stage else { return (false, nil) }
      progress.stage = .cancelled
      return (true, progress.waiter.take())
    }
    if case .task(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
    return didCancel
  }

  /// Gives the answer.
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

  /// The answer, once it was given.
  var answer: Result<Answer, any Error>? {
    progress.withLock { progress in
      if case .settled(let answer) = progress.stage { answer } else { nil }
    }
  }
}
