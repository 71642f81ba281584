import Synchronization

/// Hands chunks from one task to another, one at a time: the giver waits until the chunk before was taken.
final class ChunkSlot: Sendable {
  private typealias Giver = (chunk: [UInt8], continuation: CheckedContinuation<Bool, Never>)

  private struct Contents {
    var giver: Giver?
    var taker: CheckedContinuation<[UInt8]?, any Error>?
    var isClosed = false
    var failure: (any Error)?
  }

  private let contents = Mutex(Contents())

  /// Gives a chunk and waits until it is taken.
  ///
  /// - Returns: Whether it was taken; `false` once the slot is closed.
  func give(_ chunk: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let taker = contents.withLock { contents -> CheckedContinuation<[UInt8]?, any Error>?? in
        if contents.isClosed { return .some(nil) }
        if let taker = contents.taker.take() { return taker }
        contents.giver = (chunk, continuation)
        return .none
      }
      guard let taker else { return }
      taker?.resume(returning: chunk)
      continuation.resume(returning: taker != nil)
    }
  }

  /// Takes the next chunk.
  ///
  /// - Returns: The chunk; `nil` once the slot is closed.
  /// - Throws: The failure with which the slot was closed.
  func take() async throws -> [UInt8]? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let next = contents.withLock { contents -> (giver: Giver?, failure: (any Error)?)? in
          if let giver = contents.giver.take() { return (giver, nil) }
          if contents.isClosed { return (nil, contents.failure.take()) }
          contents.taker = continuation
          return nil
        }
        guard let next else { return }
        if let failure = next.failure { return continuation.resume(throwing: failure) }
        continuation.resume(returning: next.giver?.chunk)
        next.giver?.continuation.resume(returning: true)
      }
    } onCancel: {
      close()
    }
  }

  /// Gives a chunk only if a taker is waiting.
  func giveAtOnce(_ chunk: [UInt8]) {
    contents.withLock { $0.taker.take() }?.resume(returning: chunk)
  }

  /// Closes the slot, and drops a chunk that was given and not taken.
  func close(_ failure: (any Error)? = nil) {
    let (giver, taker) = contents.withLock { contents in
      if !contents.isClosed { (contents.isClosed, contents.failure) = (true, failure) }
      if contents.taker != nil { contents.failure = nil }
      return (contents.giver.take(), contents.taker.take())
    }
    giver?.continuation.resume(returning: false)
    guard let taker else { return }
    if let failure { taker.resume(throwing: failure) } else { taker.resume(returning: nil) }
  }
}
