/// How long a message waits after each failure: twice as long as before, up to a limit, a random half of it less, so
/// that what failed together is not tried again together.
public struct BackOff: Sendable, Hashable {
  /// The wait after the first failure, in seconds.
  public var firstSeconds: Int
  /// The longest wait, in seconds.
  public var longestSeconds: Int

  /// Makes a rule; a number below one second becomes that.
  public init(firstSeconds: Int = 5, longestSeconds: Int = 3600) {
    self.firstSeconds = max(1, firstSeconds)
    self.longestSeconds = max(self.firstSeconds, longestSeconds)
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
    let doublings = min(max(0, attempts - 1), 31)
    let full = min(Int64(firstSeconds) << Int64(doublings), Int64(longestSeconds)) * 1000
    let wait = Int64.random(in: full / 2...full, using: &generator)
    return max(wait, Int64(min(max(0, asked ?? 0), 86_400)) * 1000)
  }
}
