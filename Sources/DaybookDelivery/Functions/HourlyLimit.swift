import Calendar
import Synchronization
import Values

/// A limit on how often each account may do something in an hour. It is kept in memory only, so a restart resets
/// it.
final class HourlyLimit: Sendable {
  private static let hourMilliseconds: Int64 = 3_600_000
  /// The number of accounts beyond which inactive ones are forgotten.
  private static let accountCount = 10_000

  private let maximum: Int
  private let taken = Mutex<[Key: [Instant]]>([:])

  init(_ maximum: Int) { self.maximum = maximum }

  /// Counts one more time; returns whether it is within the limit.
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
