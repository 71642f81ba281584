import Synchronization

/// Tells the tails of this process that a log has grown: they need not look for themselves while it is open.
public final class CommitSignal: Sendable {
  private struct Contents {
    /// The last entry that is on disk.
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

  /// Begins at the last entry that is there.
  public init(head: Int64) { contents = Mutex(Contents(head: head)) }

  /// The last entry that is there; nothing once the log was closed, for then others may append to it.
  public var head: Int64? {
    contents.withLock { $0.isOpen ? $0.head : nil }
  }

  /// Tells that the log goes up to an entry, if it was not told to go further.
  package func advance(to head: Int64) {
    let woken = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      guard head > contents.head else { return [] }
      contents.head = head
      return contents.takeWaiting()
    }
    for continuation in woken { continuation.resume() }
  }

  /// Tells that others may append from now on.
  package func close() {
    let woken = contents.withLock { contents in
      contents.isOpen = false
      return contents.takeWaiting()
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until the log goes beyond an entry, or is closed, or the task is cancelled.
  package func wait(past position: Int64) async {
    let number = contents.withLock { contents in
      contents.nextNumber += 1
      return contents.nextNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = contents.withLock { contents in
          // Who is cancelled before this point sees it here; after it, the handler finds the continuation.
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
