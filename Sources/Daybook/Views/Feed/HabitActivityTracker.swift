import Calendar
import Streaks

/// Finds a habit's activities while its entries are applied: the completed days, and the milestones that they reach.
/// O(1) for a day that follows the earlier ones.
///
/// A day is completed by the first log that reaches its target, whatever happens to the day later (R8). A completion
/// reaches a milestone when it crosses it (``StreakCrossing``) and no earlier completion of a day of that streak did, so that
/// nothing that is undone and done again is shown twice.
struct HabitActivityTracker: Sendable {
  private var completed = DayRuns()
  private var streak = RunningStreak()
  /// The milestones that were crossed, each with the days whose completion crossed it, ascending.
  private var crossed: [Int: [Day]] = [:]

  /// Notes a skip or a clear, after it was applied.
  mutating func note(_ event: Event, _ habit: Habit, _ free: Account.FreeDays) {
    guard case .day(_, let day, let record) = event.dayEffect else { return }
    streak.note(record, of: day, habit, free)
  }

  /// Notes a log, after it was applied.
  ///
  /// - Parameters:
  ///   - logged: The log.
  ///   - head: The head of its entry.
  ///   - former: The former record of the day.
  ///   - habit: The habit with the log.
  ///   - free: The free days of its owner.
  /// - Returns: The completion and the milestones that it reached; nothing when the log completed no day.
  mutating func note(
    _ logged: HabitLogged, _ head: EntryHead, _ former: DayTable.Record?, _ habit: Habit,
    _ free: Account.FreeDays
  ) -> (completion: Activity, milestones: [Int])? {
    let day = logged.day
    streak.note(.init(day: day, value: logged.value), of: day, habit, free)
    guard habit.version(on: day).target.isMet(by: logged.value), completed.insert(day) else {
      return nil
    }
    let completion = Activity(
      .habitCompleted, at: head, actor: habit.owner, habit: logged.habit, day: day)
    guard let crossing = streak.crossing(of: completion, former, habit, free) else {
      return (completion, [])
    }
    let days = crossing.streak.start...crossing.streak.end
    return (completion, crossing.milestones.filter { cross($0, on: day, in: days) })
  }

  /// Notes that a milestone was crossed.
  ///
  /// - Returns: Whether none of the streak's days crossed it before.
  private mutating func cross(_ length: Int, on day: Day, in days: ClosedRange<Day>) -> Bool {
    let earlier = crossed[length] ?? []
    let place = earlier.lowerBound(of: days.lowerBound)
    let isFirst = place == earlier.count || earlier[place] > days.upperBound
    crossed[length, default: []].insert(day, at: earlier.lowerBound(of: day))
    return isFirst
  }
}
