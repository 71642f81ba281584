import Synchronization
import Testing

@testable import DaybookStore

@Suite(.tags(.unit), .timeLimit(.minutes(15))) struct WorkAheadTests {
  private struct Broken: Error, Equatable { var number: Int }

  @Test(arguments: [0, 1, 2, 3, 5000])
  func `pieces are delivered once each, in order`(count: Int) throws {
    var taken: [Int] = []
    try prefetch({ handOver in for number in 0..<count { try handOver(number) } }) {
      taken.append($0)
    }
    #expect(taken == Array(0..<count))
  }

  @Test(arguments: [0, 1, 7])
  func `an error in the producer ends the run after the pieces before it`(count: Int) {
    var taken: [Int] = []
    #expect(throws: Broken(number: count)) {
      try prefetch({ handOver in
        for number in 0..<count { try handOver(number) }
        throw Broken(number: count)
      }) { taken.append($0) }
    }
    #expect(taken == Array(0..<count))
  }

  @Test(arguments: [0, 1, 9])
  func `an error in the consumer ends the producer`(last: Int) {
    let hasEnded = Mutex(false)
    #expect(throws: Broken(number: last)) {
      try prefetch({ handOver in
        defer { hasEnded.withLock { $0 = true } }
        var number = 0
        while true {
          try handOver(number)
          number += 1
        }
      }) { number in
        if number == last { throw Broken(number: number) }
      }
    }
    #expect(hasEnded.withLock { $0 })
  }

  @Test func `the producer runs at most a few pieces ahead`() throws {
    let made = Mutex(0)
    try prefetch({ handOver in
      for number in 1...200 {
        made.withLock { $0 = number }
        try handOver(number)
      }
    }) { number in
      // One is taken, two wait, and one is made.
      #expect(made.withLock { $0 } <= number + 3)
    }
  }
}
