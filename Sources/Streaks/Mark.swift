public import Calendar

/// What became of one day of a habit (HH-11; design, "Streaks").
///
/// The first line that fits decides, by the schedule and target in force on that day:
///
/// | mark | when |
/// |---|---|
/// | ``full`` / ``bonus`` | logged, target met; `full` if the schedule names the day, else `bonus` |
/// | ``skipped`` | the user skipped it |
/// | ``leftOut`` | the calendar of the person's zone left the day out (``DateLine``): it never was |
/// | ``paused`` | the account is in a pause, or the habit is archived |
/// | ``off`` | the schedule does not name the day, or a quota's other days cover it |
/// | ``pending`` | the day is still open |
/// | ``partial`` | logged short of the target (at most: above it) |
/// | ``missed`` | anything else |
public enum Mark: String, Hashable, Sendable, CaseIterable {
  /// Logged, target met, on a day that the schedule names.
  case full
  /// Logged, target met, on a day that the schedule does not name.
  case bonus
  /// Skipped by the user (HH-10).
  case skipped
  /// In a pause of the account, or archived.
  case paused
  /// Nothing is asked of the day.
  case off
  /// Asked for, and still open.
  case pending
  /// Logged, but not enough (of an at-most target: too much).
  case partial
  /// Asked for, and not done.
  case missed
  /// The day never was: the calendar of the person's zone left it out.
  case leftOut = "left_out"

  /// Whether completion counts the day: `full`, `partial` or `missed` (HH-13).
  public var isCounted: Bool { self == .full || self == .partial || self == .missed }
}

extension Target {
  /// Whether a logged value that does not meet the target is at least something: above zero.
  ///
  /// Of an at-most target every value that does not meet it is too much, hence above zero.
  @inlinable
  func isPartlyMet(by value: Amount) -> Bool { value > .zero && !isMet(by: value) }
}
