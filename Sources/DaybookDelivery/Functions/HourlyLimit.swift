import Calendar
import Synchronization
import Values

/// How often each account may do something in an hour. It is forgotten with the process: who waits for a restart gains
/// an hour.
final class HourlyLimit: Sendable {
  private static let hourMilliseconds: Int64 = 3_600_000
  /// How many accounts are remembered before those that did nothing lately are forgotten.
  private static let accountCount = 10_000

  private let maximum: Int
  private let taken = Mutex<[Key: [Instant]]>([:])

  init(_ maximum: Int) { self.maximum = maximum }

  /// Takes note of one more time, unless there were too many.
  func takes(_ account: Key, at now: Instant) -> Bool {
    let start = now.advanced(byMilliseconds: -Self.hourMilliseconds)
    return taken.withLock { taken in
      if taken.count > Self.accountCount {
        taken = taken.filter { $0.value.last.map { $0 > start } ?? false }
      }
      let recent = (taken[account] ?? []).filter { $0 > start }
      guard recent.count < maximum else { return false }
      taken[account] = recent + [now]
      return true
    }
  }
}
