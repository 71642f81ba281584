import Calendar
import Streaks

/// The effect of a completed day on its streak.
///
/// A completion **crosses** N when the day's streak has at least N days with it, and no streak within those days had N
/// before: both as the book knew the days then.
struct StreakCrossing {
  /// The streak that includes the day.
  let streak: Streak
  /// The milestones that the streak reaches, and that no streak within its days reached before.
  let milestones: [Int]

  /// Finds the milestones; nothing when none was crossed.
  ///
  /// - Parameters:
  ///   - streak: The streak that includes the day.
  ///   - longest: The length of the longest streak within its days before, 0 when there was none.
  init?(of streak: Streak, longestBefore longest: Int) {
    milestones = Milestone.reached(after: longest, through: streak.length)
    guard !milestones.isEmpty else { return nil }
    self.streak = streak
  }

  /// Judges all days with the completion and without it; nothing when no milestone was crossed.
  ///
  /// - Parameters:
  ///   - completion: The day.
  ///   - former: The former record of the day.
  ///   - habit: The habit with the new record.
  ///   - free: The free days of its owner.
  init?(
    of completion: Activity, _ former: DayTable.Record?, _ habit: Habit, _ free: Account.FreeDays
  ) {
    let day = completion.day
    let today = max(day, habit.days.lastDay ?? day)
    var history = HabitHistory(created: day, versions: [], today: today)
    // It does not matter which days are over by the clock: the days up to the latest have been lived.
    history.become(habit, free, today: today, openFrom: nil)
    let after = DayMarker.walk(history, into: StreakSink(holding: day))
    guard after.mark == .full, let streak = after.found,
      !Milestone.reached(after: 0, through: streak.length).isEmpty,
      let place = history.records.firstIndex(where: { $0.day == day })
    else { return nil }
    if let former {
      history.records[place] = HabitHistory.DayRecord(former)
    } else {
      history.records.remove(at: place)
    }
    let before = DayMarker.walk(history, into: LongestSink(within: streak))
    self.init(of: streak, longestBefore: before.longest)
  }
}

/// Finds the streak that includes a day.
private struct StreakSink: DaySink {
  private let day: Day
  private var tally = StreakTally()
  private var ended: Streak?
  private(set) var mark: Mark?

  init(holding day: Day) { self.day = day }

  mutating func receive(_ next: JudgedDay) {
    if next.day == day { mark = next.mark }
    if let lost = tally.add(next.day, next.effect), holds(lost) { ended = lost }
  }

  var found: Streak? { ended ?? tally.current.flatMap { holds($0) ? $0 : nil } }

  private func holds(_ streak: Streak) -> Bool { streak.start <= day && day <= streak.end }
}

/// Finds the length of the longest streak that lies within another streak's days.
private struct LongestSink: DaySink {
  private let span: Streak
  private var tally = StreakTally()
  private var ended = 0

  init(within span: Streak) { self.span = span }

  mutating func receive(_ next: JudgedDay) {
    if let lost = tally.add(next.day, next.effect) { ended = max(ended, length(of: lost)) }
  }

  var longest: Int { max(ended, tally.current.map(length) ?? 0) }

  private func length(of streak: Streak) -> Int {
    streak.start >= span.start && streak.end <= span.end ? streak.length : 0
  }
}
