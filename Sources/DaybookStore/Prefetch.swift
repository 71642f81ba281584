import Dispatch
import Foundation
import Synchronization

/// Makes pieces on another thread, a few ahead of this one, which consumes them in order.
///
/// The other thread has ended when this returns or throws, so making a piece must not wait for a
/// person.
///
/// - Parameters:
///   - make: Hands over one piece after another. Handing over waits until earlier pieces were
///     consumed, and throws when no more are wanted; `make` must pass that error on.
///   - consume: Receives each piece; an error from it ends the work.
/// - Throws: what `consume` throws; after the last piece, what `make` threw.
func prefetch<Piece: Sendable>(
  _ make: @escaping @Sendable (_ handOver: (Piece) throws -> Void) throws -> Void,
  _ consume: (Piece) throws -> Void
) throws {
  let queue = PieceQueue<Piece>()
  Thread.detachNewThread {
    queue.end(Result { try make { try queue.put($0) } })
  }
  while let piece = try queue.next() {
    do { try consume(piece) } catch {
      queue.stop()
      throw error
    }
  }
}

/// The queue between the thread that makes pieces and the one that consumes them.
private final class PieceQueue<Piece: Sendable>: Sendable {
  private struct Waiting {
    var pieces: [Piece] = []
    var end: Result<Void, any Error>?
    var isStopped = false
  }

  private struct Stopped: Error {}

  private let waiting = Mutex(Waiting())
  private let filled = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)

  init() {
    // Two pieces: one is consumed while the next one waits. They are signalled instead of being the
    // initial value, because a semaphore must not end below its initial value.
    room.signal()
    room.signal()
  }

  func put(_ piece: Piece) throws {
    room.wait()
    try waiting.withLock { waiting throws(Stopped) in
      if waiting.isStopped { throw Stopped() }
      waiting.pieces.append(piece)
    }
    filled.signal()
  }

  func end(_ result: Result<Void, any Error>) {
    waiting.withLock { $0.end = result }
    filled.signal()
  }

  /// The next piece; nil after the last.
  func next() throws -> Piece? {
    filled.wait()
    defer { room.signal() }
    let (piece, end) = waiting.withLock { waiting in
      waiting.pieces.isEmpty ? (nil, waiting.end) : (waiting.pieces.removeFirst(), nil)
    }
    try end?.get()
    return piece
  }

  /// Stops the other thread and waits for it.
  func stop() {
    waiting.withLock { $0.isStopped = true }
    room.signal()
    while waiting.withLock({ $0.end == nil }) { filled.wait() }
  }
}
