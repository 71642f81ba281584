/// What falsifies a property whose body took longer than it may.
///
/// The body is not ended: what it did was right, but late. Times differ from run to run; a case that took longer by
/// chance is told as one that a second run does not confirm.
public struct DeadlineExceeded: Error, CustomStringConvertible, Sendable {
  /// How long it may take.
  public let deadline: Duration
  /// How long it took.
  public let elapsed: Duration

  /// Both, in milliseconds.
  public var description: String {
    "it took \(Self.milliseconds(elapsed)) ms, and may take \(Self.milliseconds(deadline))"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    let tenths = Int(exactly: (microseconds / 100).rounded()) ?? .max
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  /// Runs what may take so long, and no longer.
  ///
  /// - Throws: what it throws; else this, when it took longer.
  static func hold<Result>(
    to deadline: Duration?, _ run: () throws -> Result
  ) throws -> Result {
    guard let deadline else { return try run() }
    let start = ContinuousClock.now
    let result = try run()
    let elapsed = ContinuousClock.now - start
    if elapsed > deadline { throw DeadlineExceeded(deadline: deadline, elapsed: elapsed) }
    return result
  }
}
