/// How long a message waits after each failure: twice as long as before, up to a limit, a random half of it less, so
/// that what failed together is not tried again together.
public struct BackOff: Sendable, Hashable {
  /// The wait after the first failure, in seconds.
  public let firstSeconds: Int
  /// The longest wait, in seconds.
  public let longestSeconds: Int

  /// Makes a rule; a wait below a second becomes that, one beyond thirty days becomes those.
  public init(firstSeconds: Int = 5, longestSeconds: Int = 3600) {
    let month = 2_592_000
    self.firstSeconds = min(max(1, firstSeconds), month)
    self.longestSeconds = min(max(self.firstSeconds, longestSeconds), month)
  }

  /// The wait after a failure, in milliseconds: between half of the doubled wait and all of it.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts have failed, this one counted.
  ///   - asked: What the one who refused asked to be waited for, in seconds; it is kept to, up to a day.
  ///   - generator: The random bits.
  /// - Returns: The wait.
  public func milliseconds(
    afterAttempts attempts: Int, asked: Int? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> Int64 {
    // Beyond some thirty doublings every limit is passed.
    let doublings = min(max(1, attempts), 32) - 1
    let full = min(Int64(firstSeconds) << Int64(doublings), Int64(longestSeconds)) * 1000
    let wait = Int64.random(in: full / 2...full, using: &generator)
    return max(wait, Int64(min(max(0, asked ?? 0), 86_400)) * 1000)
  }
}
