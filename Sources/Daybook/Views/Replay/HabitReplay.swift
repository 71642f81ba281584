package import Calendar
package import Streaks

/// A replay of a habit's comb: the days as they were known at one instant, and step by step what changed until another.
///
/// A step is a moment at which something was recorded that affects the habit's days, or at which a day began. After
/// each step the cells are those of a heatmap as of that moment. It is made in one pass over the habit's entries.
package struct HabitReplay: Sendable {
  /// The maximum number of days shown: ten years.
  package static let maximumDayCount = 3660
  /// The maximum number of steps.
  package static let maximumStepCount = 20_000
  /// The maximum number of cell changes in all steps.
  package static let maximumChangeCount = 50_000
  /// The maximum number of judged days, each step judging the whole history.
  static let maximumJudgedCount = 200_000_000

  /// The state of a day.
  package struct Cell: Hashable, Sendable {
    /// The day, and the value that was entered.
    package var heat: HeatCell
    /// The day's mark; nothing before the habit began, and for future days.
    package var mark: Mark?

    /// The cell of a day without a record.
    static func blank(_ day: Day) -> Cell { Cell(heat: .blank(day), mark: nil) }
  }

  /// The situation at a moment.
  package struct Moment: Hashable, Sendable {
    /// The moment.
    package var at: Instant
    /// The owner's day at that moment.
    package var today: Day
    /// The length of the current streak.
    package var current = 0
    /// The length of the longest streak.
    package var longest = 0
  }

  /// The changes at a moment.
  package struct Step: Sendable {
    /// The situation after it.
    package var moment: Moment
    /// The entries that were recorded at that moment, oldest first; empty where a day began.
    package var entries: [AuditTrail.Item]
    /// The cells that changed, in their new state, oldest day first.
    package var changes: [Cell]
  }

  /// The habit as it was at the end.
  package let habit: Habit
  /// The rule that judges the days.
  package let rule: StreakRule
  /// The days that are shown.
  package let days: ClosedRange<Day>
  /// The situation at the beginning.
  package let beginning: Moment
  /// The cells at the beginning, one for each day.
  package let cells: [Cell]
  /// The steps, in the order of time.
  package let steps: [Step]
  package let end: Instant

  /// Replays a habit.
  ///
  /// - Parameters:
  ///   - number: The habit.
  ///   - owner: The owner of the habit.
  ///   - entries: The entries of the habit and of its owner until the end, oldest first.
  ///   - from: The beginning; the habit's creation if not given.
  ///   - end: The end.
  ///   - year: The calendar year to show, 1…9999. Without it, at least the last twelve months; more if an entry in
  ///     between is about earlier days, and back to the beginning.
  ///   - query: The query whose rule and time zones are used; its instant and day are ignored.
  /// - Throws: ``Rejection`` when the entries do not include the habit, or when there is more to show than a replay may
  ///   hold.
  package init(
    of number: Habit.ID, ownedBy owner: Account.ID, _ entries: [Entry], from: Instant? = nil,
    to end: Instant, year: Int? = nil, _ query: Query
  ) throws(Rejection) {
    var walk = ReplayWalk(of: number, ownedBy: owner, query)
    let last = try ReplayWalk.end(of: number, ownedBy: owner, entries, at: end, query)
    (habit, rule, self.end) = (last.habit, query.rule, end)
    let from = from ?? last.created
    days = try last.days(shownFrom: from, entries, year: year)
    try last.requireMeasure(from: from, entries)
    walk.days = days
    (beginning, cells) = try walk.begin(at: from, entries, else: last.clock)
    steps = try walk.steps(of: entries, through: end)
  }

  /// The cells after a number of steps.
  package func cells(after count: Int) -> [Cell] {
    var cells = cells
    for step in steps.prefix(max(0, count)) { apply(step, into: &cells) }
    return cells
  }

  /// Applies the changes of a step to the cells before it.
  package func apply(_ step: Step, into cells: inout [Cell]) {
    for cell in step.changes {
      let place = days.lowerBound.distance(to: cell.heat.day)
      if cells.indices.contains(place) { cells[place] = cell }
    }
  }

  /// The situation after a number of steps.
  package func moment(after count: Int) -> Moment {
    steps.prefix(max(0, count)).last?.moment ?? beginning
  }
}
