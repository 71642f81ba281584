import Daybook
import DaybookStore
import PropertyTesting
import Synchronization

/// A clock that jumps in both directions, and keys that are the same each time.
final class JumpingClock: Sendable {
  private let state: Mutex<(random: SplitMix64, milliseconds: Int64, keys: UInt64)>
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    state = Mutex((SplitMix64(seed: seed), 1_772_366_400_000, 0))
  }

  /// Advances mostly by minutes, and sometimes jumps by days or weeks in either direction.
  private func now() -> Instant {
    state.withLock { state in
      let minute: Int64 = 60_000
      let minutes: ClosedRange<Int64> =
        switch Int.random(in: 0..<12, using: &state.random) {
        case 0: -3000...3000
        case 1: -100_000...100_000
        case 2: 0...0
        default: 0...600
        }
      state.milliseconds += minute * Int64.random(in: minutes, using: &state.random)
      // Within the years that a book accepts.
      state.milliseconds = min(max(state.milliseconds, 0), 4_000_000_000_000)
      return Instant(clamping: state.milliseconds)
    }
  }

  private func freshKey() -> Key {
    state.withLock { state in
      state.keys += 1
      return Key(high: seed & ~0xF000 | 0x4000, low: 1 << 63 | state.keys)
    }
  }

  var bookClock: BookClock {
    BookClock(
      now: { self.now() }, freshKey: { self.freshKey() }, salts: .simulated)
  }
}
