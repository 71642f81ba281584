import Daybook
import Synchronization

/// A clock that advances a little at each reading.
final class GrowthClock: Sendable {
  private struct State {
    var milliseconds = Int64(GrowthBook.today.number) * 86_400_000 + 6 * 3_600_000
    var step: Int64 = 1
  }

  private let hand = Mutex(State())

  func now() -> Instant {
    hand.withLock { hand in
      hand.milliseconds += hand.step
      return Instant(clamping: hand.milliseconds)
    }
  }

  /// Makes the clock advance by three seconds at a time, so that what was just said of a task is no
  /// longer recent.
  func goFaster() { hand.withLock { $0.step = 3000 } }
}
