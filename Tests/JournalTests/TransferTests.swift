#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Testing

@testable import Journal

/// System calls may move fewer bytes than asked, and be interrupted; files are nevertheless read and written whole.
@Suite(.tags(.unit)) struct TransferTests {
  /// The result of each call: a number of bytes, or an error.
  enum Answer {
    case moved(Int)
    case failed(Int32)
  }

  /// The results of calls with these answers; the second is the progress that each call was given.
  private func move(_ count: Int, _ answers: [Answer]) -> (moved: Int?, done: [Int]) {
    var answers = answers[...]
    var told: [Int] = []
    let moved = moveAll(count) { done in
      told.append(done)
      switch answers.popFirst() {
      case .moved(let count): return count
      case .failed(let code):
        errno = code
        return -1
      case nil: return 0
      }
    }
    return (moved, told)
  }

  @Test func `a partial transfer is continued`() {
    let (moved, done) = move(10, [.moved(3), .moved(1), .moved(6)])
    #expect(moved == 10)
    #expect(done == [0, 3, 4])
  }

  @Test func `an interrupted call is repeated`() {
    let (moved, done) = move(5, [.failed(EINTR), .moved(2), .failed(EINTR), .moved(3)])
    #expect(moved == 5)
    #expect(done == [0, 0, 2, 2])
  }

  @Test func `a call that moves nothing ends the transfer`() {
    #expect(move(10, [.moved(4), .moved(0), .moved(6)]).moved == 4)
    #expect(move(0, [.moved(1)]).done.isEmpty)
  }

  @Test func `a failure ends the transfer, also after a part`() {
    #expect(move(10, [.moved(4), .failed(EIO)]).moved == nil)
    #expect(move(10, [.failed(ENOSPC)]).moved == nil)
  }
}
