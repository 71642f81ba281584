public import Daybook

extension BookView {
  /// What is due on the day, what is done, and how the streaks stand (HH-12, MO-4); for all
  /// accounts when `account` is nil.
  ///
  /// - Throws: ``Rejection``.
  public func today(of account: Account.ID? = nil) throws(Rejection) -> [TodayCard] {
    try state.today(of: account, query)
  }

  /// The current and the longest streak of every habit, its completion and strength; for all
  /// accounts when `account` is nil.
  ///
  /// - Throws: ``Rejection``.
  public func streaks(of account: Account.ID? = nil) throws(Rejection) -> [StreakReport] {
    try state.streaks(of: account, query)
  }

  /// A year of a habit in cells of one day, oldest first (HH-13).
  ///
  /// - Parameters:
  ///   - habit: The habit.
  ///   - year: The calendar year, 1…9999; nil for the last twelve months.
  /// - Returns: The cells; those after the view's day are blank.
  /// - Throws: ``Rejection``.
  public func heatmap(of habit: Habit.ID, year: Int? = nil) throws -> [HeatCell] {
    try HeatmapQuestion(habit, year: year).answer(from: self, for: nil).cells
  }
}
