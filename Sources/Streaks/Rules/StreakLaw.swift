/// A testable promise that a streak rule can make.
public enum StreakLaw: String, Hashable, Sendable, CaseIterable {
  /// One more full day never shortens the longest streak.
  case monotone
  /// Replacing a miss by a skip shortens neither the current nor the longest streak.
  case skipNeutral = "skip_neutral"
  /// The passing of time never changes the effect of a closed day.
  case closed
  /// A log for a later day never changes the effect of an earlier one; except under quotas, whose windows
  /// reach back.
  case prefix
  /// The order in which pauses are listed changes nothing.
  case orderFree = "order_free"
  /// Streaks kept day by day equal streaks recomputed from all days.
  case incremental
  /// The current streak is no longer than the longest, which is no longer than the number of days; streaks
  /// are ordered and do not touch.
  case bounds
}
