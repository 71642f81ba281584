import Dispatch
import Foundation
import Synchronization

/// Makes pieces side by side on several threads, this one among them, and takes them on this one, in their order.
///
/// What was made and not taken yet is bounded: a few pieces for each thread, whatever their number. While this thread
/// takes, the others go on; while it waits for them, it makes pieces itself. They have done their last when it returns or
/// throws.
///
/// - Parameters:
///   - count: How many pieces there are.
///   - threads: How many make them at once, this one with them; as many as there are cores without it.
///   - make: Makes the piece of a number, from 0; several threads call it at once.
///   - take: Is given each piece; what it throws ends the work.
/// - Throws: what `take` throws; or what `make` threw, once the pieces before were taken.
func inOrder<Piece: Sendable, Failure: Error>(
  _ count: Int, threads: Int? = nil,
  _ make: @escaping @Sendable (Int) throws(Failure) -> Piece,
  _ take: (Piece) throws(Failure) -> Void
) throws(Failure) {
  let threads = min(max(1, threads ?? activeProcessorCount), count)
  guard threads > 1 else {
    for number in 0..<max(0, count) { try take(make(number)) }
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
  for number in 0..<count { try take(work.piece(number)) }
}

/// Pieces between the threads that make them and the one that takes them.
private final class OrderedWork<Piece: Sendable, Failure: Error>: Sendable {
  private struct Progress {
    /// The piece that is begun next.
    var next = 0
    /// What was made and is not taken yet.
    var made: [Int: Result<Piece, Failure>] = [:]
    var isStopped = false
  }

  private let count: Int
  private let make: @Sendable (Int) throws(Failure) -> Piece
  private let progress = Mutex(Progress())
  /// Counts what may be begun before more is taken.
  private let room = DispatchSemaphore(value: 0)
  /// Counts what the other threads made.
  private let made = DispatchSemaphore(value: 0)

  init(
    _ count: Int, ahead: Int, _ make: @escaping @Sendable (Int) throws(Failure) -> Piece
  ) {
    self.count = count
    self.make = make
    // Not counted from there on: a semaphore must not end lower than it began.
    for _ in 0..<ahead { room.signal() }
  }

  /// Makes pieces until none is left, or no more are wanted.
  func makeUntilEnd() {
    while true {
      room.wait()
      guard let number = begin() else { return }
      finish(number)
      made.signal()
    }
  }

  /// The piece of a number, after those before it: what others make is waited for, and meanwhile another one made.
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
        // Who waits for it learns from it that nothing is left.
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
