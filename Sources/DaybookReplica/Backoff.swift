/// How long to wait before a sync is tried again: each time twice as long, up to a limit, and at random between half of
/// that and all of it, so that devices that lost the server at once do not come back at once (DM-9).
public struct Backoff: Sendable {
  private let first: Duration
  private let limit: Duration
  private var attempts = 0

  /// Begins with the shortest wait.
  public init(from first: Duration = .seconds(1), upTo limit: Duration = .seconds(300)) {
    self.first = first
    self.limit = limit
  }

  /// The next wait.
  public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
    let full = min(limit, first * (1 << min(attempts, 20)))
    attempts += 1
    return full / 2 + full / 2 * Double.random(in: 0...1, using: &random)
  }

  /// Begins with the shortest wait again.
  public mutating func reset() { attempts = 0 }
}
