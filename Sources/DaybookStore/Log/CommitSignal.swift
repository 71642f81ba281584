import Synchronization

/// Notifies the tails of this process that a log has grown, so that they need not poll while it is
/// open.
public final class CommitSignal: Sendable {
  private struct Contents {
    /// The position of the last durable entry.
    var head: Int64
    var isOpen = true
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextNumber = 0

    mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
      guard !waiting.isEmpty else { return [] }
      defer { waiting.removeAll(keepingCapacity: true) }
      return Array(waiting.values)
    }
  }

  private let contents: Mutex<Contents>

  /// Starts at the position of the last entry.
  public init(head: Int64) { contents = Mutex(Contents(head: head)) }

  /// The position of the last entry; nil once the log is closed, because others may append to it
  /// then.
  public var head: Int64? {
    contents.withLock { $0.isOpen ? $0.head : nil }
  }

  /// Notifies that the log reaches a position, unless it was already known to reach further.
  package func advance(to head: Int64) {
    let woken = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      guard head > contents.head else { return [] }
      contents.head = head
      return contents.takeWaiting()
    }
    for continuation in woken { continuation.resume() }
  }

  /// Notifies that others may append from now on.
  package func close() {
    let woken = contents.withLock { contents in
      contents.isOpen = false
      return contents.takeWaiting()
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until the log grows past a position or is closed, or the task is cancelled.
  package func wait(past position: Int64) async {
    let number = contents.withLock { contents in
      contents.nextNumber += 1
      return contents.nextNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = contents.withLock { contents in
          // A task cancelled before this point is noticed here; one cancelled later, by the
          // handler, which finds the continuation.
          guard contents.isOpen, contents.head <= position, !Task.isCancelled else { return false }
          contents.waiting[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
