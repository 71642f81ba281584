/// Falsifies a property whose body exceeded its time limit.
///
/// The body is not interrupted: its result was right, but late. Times vary between runs; a case that was late
/// by chance is reported as not reproducible.
public struct DeadlineExceeded: Error, CustomStringConvertible, Sendable {
  /// The time limit.
  public let deadline: Duration
  /// The time taken.
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

  /// Runs a body, and measures its time.
  ///
  /// - Throws: The error of the body, or this error when it took longer than the deadline.
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
