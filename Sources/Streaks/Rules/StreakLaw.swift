/// What can be promised of a streak rule, and put to the test.
public enum StreakLaw: String, Hashable, Sendable, CaseIterable {
  /// A further full day never shortens the longest streak.
  case monotone
  /// A skip in the place of a miss shortens neither the current nor the longest streak.
  case skipNeutral = "skip_neutral"
  /// That time goes by never changes what a closed day does.
  case closed
  /// What is logged about later days never changes what a day does; where no quota holds, whose windows reach back.
  case prefix
  /// The order in which pauses are known changes nothing.
  case orderFree = "order_free"
  /// Streaks kept day by day are those told afresh from all days.
  case incremental
  /// The current streak is no longer than the longest, and that no longer than all days; streaks are in order and do
  /// not touch.
  case bounds
}
