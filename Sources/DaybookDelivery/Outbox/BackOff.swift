/// The wait of a message after each failure. It doubles each time up to a limit, and is shortened by up to a random
/// half, so that messages that failed together are not retried together.
public struct BackOff: Sendable, Hashable {
  /// The wait after the first failure, in seconds.
  public let firstSeconds: Int
  /// The longest wait, in seconds.
  public let longestSeconds: Int

  /// Makes a rule; both waits are limited to between one second and thirty days.
  public init(firstSeconds: Int = 5, longestSeconds: Int = 3600) {
    let month = 2_592_000
    self.firstSeconds = min(max(1, firstSeconds), month)
    self.longestSeconds = min(max(self.firstSeconds, longestSeconds), month)
  }

  /// The wait after a failure, in milliseconds: between half of the doubled wait and all of it.
  ///
  /// - Parameters:
  ///   - attempts: The number of failed attempts, including this one.
  ///   - asked: The wait that the refusing server asked for, in seconds; it is respected up to a day.
  ///   - generator: The random generator.
  /// - Returns: The wait.
  public func milliseconds(
    afterAttempts attempts: Int, asked: Int? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> Int64 {
    // Beyond some thirty doublings, every limit is exceeded.
    let doublings = min(max(1, attempts), 32) - 1
    let full = min(Int64(firstSeconds) << Int64(doublings), Int64(longestSeconds)) * 1000
    let wait = Int64.random(in: full / 2...full, using: &generator)
    return max(wait, Int64(min(max(0, asked ?? 0), 86_400)) * 1000)
  }
}
