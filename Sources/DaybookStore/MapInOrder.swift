import Dispatch
import Foundation
import Synchronization

/// Makes pieces on several threads, this one included, and consumes them on this one in order.
///
/// The number of pieces made and not yet consumed is bounded by a few for each thread. While this
/// thread consumes, the others go on; while it waits for them, it makes pieces itself. No thread
/// still works when this returns or throws.
///
/// - Parameters:
///   - count: The number of pieces.
///   - threads: How many threads make pieces, this one included; nil for one per core.
///   - make: Makes the piece with a number, from 0; several threads call it at once.
///   - consume: Receives each piece; an error from it ends the work.
/// - Throws: what `consume` throws; or what `make` threw, once the pieces before that were consumed.
func mapInOrder<Piece: Sendable, Failure: Error>(
  _ count: Int, threads: Int? = nil,
  _ make: @escaping @Sendable (Int) throws(Failure) -> Piece,
  _ consume: (Piece) throws(Failure) -> Void
) throws(Failure) {
  let threads = min(max(1, threads ?? activeProcessorCount), count)
  guard threads > 1 else {
    for number in 0..<max(0, count) { try consume(make(number)) }
    return
  }
  let work = OrderedWork(count, ahead: threads * 4, make)
  let others = DispatchGroup()
  for _ in 1..<threads {
    others.enter()
    Thread.detachNewThread {
      work.makeUntilEnd()
      others.leave()
    }
  }
  defer {
    work.stop(threads)
    others.wait()
  }
  for number in 0..<count { try consume(work.piece(number)) }
}

/// The queue between the threads that make pieces and the one that consumes them.
private final class OrderedWork<Piece: Sendable, Failure: Error>: Sendable {
  private struct Progress {
    /// The number of the next piece to begin.
    var next = 0
    /// The pieces made and not yet consumed.
    var made: [Int: Result<Piece, Failure>] = [:]
    var isStopped = false
  }

  private let count: Int
  private let make: @Sendable (Int) throws(Failure) -> Piece
  private let progress = Mutex(Progress())
  /// Counts the pieces that may be begun before more are consumed.
  private let room = DispatchSemaphore(value: 0)
  /// Counts the pieces that other threads made.
  private let made = DispatchSemaphore(value: 0)

  init(
    _ count: Int, ahead: Int, _ make: @escaping @Sendable (Int) throws(Failure) -> Piece
  ) {
    self.count = count
    self.make = make
    // Signalled here instead of as the initial value, because a semaphore must not end below its
    // initial value.
    for _ in 0..<ahead { room.signal() }
  }

  /// Makes pieces until there are no more, or the work is stopped.
  func makeUntilEnd() {
    while true {
      room.wait()
      guard let number = begin() else { return }
      finish(number)
      made.signal()
    }
  }

  /// The piece with a number; earlier ones were already asked for. While other threads make it,
  /// this thread makes another.
  func piece(_ number: Int) throws(Failure) -> Piece {
    while true {
      if let result = progress.withLock({ $0.made.removeValue(forKey: number) }) {
        room.signal()
        return try result.get()
      }
      if room.wait(timeout: .now()) == .success {
        if let next = begin() {
          finish(next)
          continue
        }
        // The signal tells the next waiting thread that nothing is left.
        room.signal()
      }
      made.wait()
    }
  }

  /// Lets the other threads end.
  func stop(_ threads: Int) {
    progress.withLock { $0.isStopped = true }
    for _ in 1..<threads { room.signal() }
  }

  private func begin() -> Int? {
    progress.withLock { progress in
      guard !progress.isStopped, progress.next < count else { return nil }
      defer { progress.next += 1 }
      return progress.next
    }
  }

  private func finish(_ number: Int) {
    let result = Result { () throws(Failure) in try make(number) }
    progress.withLock { $0.made[number] = result }
  }
}
