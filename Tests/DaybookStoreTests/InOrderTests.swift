import Synchronization
import Testing

@testable import DaybookStore

@Suite(.tags(.unit), .timeLimit(.minutes(15))) struct InOrderTests {
  private struct Broken: Error, Equatable { var number: Int }

  @Test(arguments: [0, 1, 2, 3, 5000], [1, 2, 5])
  func `pieces are delivered once each, in order`(count: Int, threads: Int) {
    let made = Mutex(0)
    var taken: [Int] = []
    mapInOrder(
      count, threads: threads,
      { number in
        made.withLock { $0 += 1 }
        return number * 3
      }
    ) { taken.append($0) }
    #expect(taken == (0..<count).map { $0 * 3 })
    #expect(made.withLock { $0 } == count)
  }

  @Test(arguments: [0, 1, 7, 99], [1, 2, 5])
  func `an error in a producer ends the run after the pieces before it`(broken: Int, threads: Int) {
    var taken: [Int] = []
    #expect(throws: Broken(number: broken)) {
      try mapInOrder(
        100, threads: threads,
        { number throws(Broken) in
          if number == broken { throw Broken(number: number) }
          return number
        }
      ) { piece throws(Broken) in taken.append(piece) }
    }
    #expect(taken == Array(0..<broken))
  }

  @Test(arguments: [0, 1, 9], [1, 2, 5])
  func `an error in the consumer ends the other threads`(last: Int, threads: Int) {
    let going = Mutex(0)
    #expect(throws: Broken(number: last)) {
      try mapInOrder(
        1_000_000, threads: threads,
        { number throws(Broken) in
          going.withLock { $0 += 1 }
          defer { going.withLock { $0 -= 1 } }
          return number
        }
      ) { piece throws(Broken) in
        if piece == last { throw Broken(number: piece) }
      }
    }
    #expect(going.withLock { $0 } == 0)
  }

  @Test(arguments: [2, 5])
  func `producers run at most a few pieces ahead of the consumer`(threads: Int) {
    let begun = Mutex(0)
    mapInOrder(
      500, threads: threads,
      { number in
        begun.withLock { $0 = max($0, number) }
        return number
      }
    ) { #expect(begun.withLock { $0 } <= $0 + threads * 4) }
  }
}
