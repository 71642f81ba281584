import Synchronization

/// Hands chunks from one task to another, one at a time: the giver waits until the chunk before was taken.
final class ChunkSlot: Sendable {
  private typealias Sender = (chunk: [UInt8], continuation: CheckedContinuation<Bool, Never>)

  private struct Contents {
    var sender: Sender?
    var receiver: CheckedContinuation<[UInt8]?, any Error>?
    var isClosed = false
    var failure: (any Error)?
  }

  private let contents = Mutex(Contents())

  /// Gives a chunk and waits until it is taken.
  ///
  /// - Returns: Whether it was taken; `false` once the slot is closed.
  func send(_ chunk: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let receiver = contents.withLock { contents -> CheckedContinuation<[UInt8]?, any Error>?? in
        if contents.isClosed { return .some(nil) }
        if let receiver = contents.receiver.take() { return receiver }
        contents.sender = (chunk, continuation)
        return .none
      }
      guard let receiver else { return }
      receiver?.resume(returning: chunk)
      continuation.resume(returning: receiver != nil)
    }
  }

  /// Takes the next chunk.
  ///
  /// - Returns: The chunk; `nil` once the slot is closed.
  /// - Throws: The failure with which the slot was closed.
  func receive() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let next = contents.withLock { contents -> (sender: Sender?, failure: (any Error)?)? in
          if let sender = contents.sender.take() { return (sender, nil) }
          if contents.isClosed { return (nil, contents.failure.take()) }
          contents.receiver = continuation
          return nil
        }
        guard let next else { return }
        if let failure = next.failure { return continuation.resume(throwing: failure) }
        continuation.resume(returning: next.sender?.chunk)
        next.sender?.continuation.resume(returning: true)
      }
    } onCancel: {
      close()
    }
  }

  /// Gives a chunk only if a taker is waiting.
  func giveAtOnce(_ chunk: [UInt8]) {
    contents.withLock { $0.receiver.take() }?.resume(returning: chunk)
  }

  /// Closes the slot, and drops a chunk that was given and not taken.
  func close(_ failure: (any Error)? = nil) {
    let (sender, receiver) = contents.withLock { contents in
      if !contents.isClosed { (contents.isClosed, contents.failure) = (true, failure) }
      if contents.receiver != nil { contents.failure = nil }
      return (contents.sender.take(), contents.receiver.take())
    }
    sender?.continuation.resume(returning: false)
    guard let receiver else { return }
    if let failure { receiver.resume(throwing: failure) } else { receiver.resume(returning: nil) }
  }
}
