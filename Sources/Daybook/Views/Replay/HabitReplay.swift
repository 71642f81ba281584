package import Calendar
package import Streaks

/// How the comb of a habit came to be: what was known of its days at one instant, and step by step what changed until
/// another.
///
/// A step is a moment at which something was recorded that its days depend on, or at which a day began. After each
/// step the cells are those of a heatmap as of that moment. It is made in one pass over the habit's entries.
package struct HabitReplay: Sendable {
  /// At most so many days are shown: ten years.
  package static let maximumDayCount = 3660
  /// At most so many steps are told.
  package static let maximumStepCount = 20_000
  /// At most so many cells change in them.
  package static let maximumChangeCount = 50_000
  /// At most so many days are judged for it, each step judging the whole history.
  static let maximumJudgedCount = 200_000_000

  /// What is known of a day.
  package struct Cell: Hashable, Sendable {
    /// The day, and what was entered.
    package var heat: HeatCell
    /// What became of it; nothing before the habit began, and of days that are to come.
    package var mark: Mark?

    /// Of which nothing is known yet.
    static func blank(_ day: Day) -> Cell { Cell(heat: .blank(day), mark: nil) }
  }

  /// How things stand at a moment.
  package struct Moment: Hashable, Sendable {
    /// The moment.
    package var at: Instant
    /// The owner's day then.
    package var today: Day
    /// The length of the current streak.
    package var current = 0
    /// The length of the longest one.
    package var longest = 0
  }

  /// What changed at a moment.
  package struct Step: Sendable {
    /// How things stand after it.
    package var moment: Moment
    /// What was recorded at that moment, oldest first; nothing where a day began.
    package var entries: [AuditTrail.Item]
    /// The cells that changed, as they are after it, oldest day first.
    package var changes: [Cell]
  }

  /// The habit as it was at the end.
  package let habit: Habit
  /// By which the days are judged.
  package let rule: StreakRule
  /// The days that are shown.
  package let days: ClosedRange<Day>
  /// How things stand at the beginning.
  package let beginning: Moment
  /// The cells at the beginning, one for each day.
  package let cells: [Cell]
  /// What changes, in the order of time.
  package let steps: [Step]
  package let end: Instant

  /// Replays a habit.
  ///
  /// - Parameters:
  ///   - number: The habit.
  ///   - owner: Whose it is.
  ///   - entries: The entries of the habit and of its owner until the end, oldest first.
  ///   - from: The beginning; the habit's creation without it.
  ///   - end: The end.
  ///   - year: The calendar year that is shown, 1…9999. Without it, at least the last twelve months; more where what
  ///     came in between is of days before, and where the beginning is.
  ///   - query: By which rule and in which zones; its instant and day are not looked at.
  /// - Throws: ``Rejection``: there is no such habit among the entries, or more to show than a replay holds.
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

  /// The cells as they are after so many steps.
  package func cells(after count: Int) -> [Cell] {
    var cells = cells
    for step in steps.prefix(max(0, count)) { take(step, into: &cells) }
    return cells
  }

  /// Puts what changed in a step into the cells before it.
  package func take(_ step: Step, into cells: inout [Cell]) {
    for cell in step.changes {
      let place = days.lowerBound.distance(to: cell.heat.day)
      if cells.indices.contains(place) { cells[place] = cell }
    }
  }

  /// How things stand after so many steps.
  package func moment(after count: Int) -> Moment {
    steps.prefix(max(0, count)).last?.moment ?? beginning
  }
}
