import Dispatch
import Foundation
import Synchronization

/// Makes pieces on a thread of its own, a few ahead of this one, which takes them in their order.
///
/// The other thread has done its last when it returns or throws: so what makes the pieces must not wait for a person.
///
/// - Parameters:
///   - make: Hands one piece after another over. Handing over waits while the pieces before were not taken, and throws
///     when no more are wanted; what it throws is to be passed on.
///   - take: Is given each piece; what it throws ends the work.
/// - Throws: what `take` throws; after the last piece, what `make` threw.
func workAhead<Piece: Sendable>(
  _ make: @escaping @Sendable (_ handOver: (Piece) throws -> Void) throws -> Void,
  _ take: (Piece) throws -> Void
) throws {
  let handover = Handover<Piece>()
  Thread.detachNewThread {
    handover.end(Result { try make { try handover.put($0) } })
  }
  while let piece = try handover.next() {
    do { try take(piece) } catch {
      handover.stop()
      throw error
    }
  }
}

/// Pieces between the thread that makes them and the one that takes them.
private final class Handover<Piece: Sendable>: Sendable {
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
    // Two: one is taken while the next one waits. They are not counted from two on, for a semaphore must not end lower
    // than it began.
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

  /// The next piece; nothing after the last.
  func next() throws -> Piece? {
    filled.wait()
    defer { room.signal() }
    let (piece, end) = waiting.withLock { waiting in
      waiting.pieces.isEmpty ? (nil, waiting.end) : (waiting.pieces.removeFirst(), nil)
    }
    try end?.get()
    return piece
  }

  /// Lets the other thread end, and waits for it.
  func stop() {
    waiting.withLock { $0.isStopped = true }
    room.signal()
    while waiting.withLock({ $0.end == nil }) { filled.wait() }
  }
}
