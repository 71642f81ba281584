import Dispatch
import Foundation
import Synchronization

/// Runs pieces of work on several threads; returns their results in order.
func mapConcurrently<Piece: Sendable, Failure: Error>(
  _ count: Int, _ work: @Sendable (Int) throws(Failure) -> Piece
) throws(Failure) -> [Piece] {
  guard count > 1 else { return count == 1 ? [try work(0)] : [] }
  let results = Mutex<[Int: Result<Piece, Failure>]>([:])
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let result = Result { () throws(Failure) in try work(index) }
    results.withLock { $0[index] = result }
  }
  var pieces: [Piece] = []
  for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
    pieces.append(try result.get())
  }
  return pieces
}

/// How many threads can run at once on this machine.
package let activeProcessorCount = ProcessInfo.processInfo.activeProcessorCount
