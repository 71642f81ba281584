public import Calendar

/// The outcome of one day of a habit (HH-11; design, "Streaks").
///
/// The first matching line decides, by the schedule and target in force on that day:
///
/// | mark | when |
/// |---|---|
/// | ``full`` / ``bonus`` | logged, target met; `full` if the schedule names the day, else `bonus` |
/// | ``skipped`` | the user skipped it |
/// | ``leftOut`` | the calendar of the person's zone omitted the day (``DateLine``): it never existed |
/// | ``paused`` | the account is paused, or the habit is archived |
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
  /// The account was paused, or the habit was archived.
  case paused
  /// The day is not due.
  case off
  /// Due, and still open.
  case pending
  /// Logged, but short of the target (for an at-most target: above it).
  case partial
  /// Due, and not done.
  case missed
  /// The day never existed: the calendar of the person's zone omitted it.
  case leftOut = "left_out"
}

extension Target {
  /// Whether a logged value that misses the target still counts as something, that is, is above zero.
  ///
  /// A value that misses an at-most target is too large, hence above zero.
  @inlinable
  func isPartlyMet(by value: Amount) -> Bool { value > .zero && !isMet(by: value) }
}
