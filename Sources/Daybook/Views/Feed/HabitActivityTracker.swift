import Calendar
import Streaks

/// Follows a habit's entries while they are applied, and tells its activities: the days that are completed, and the
/// milestones that this reaches. O(1) a day that follows the ones before.
///
/// A day is completed by the first log that reaches its target, whatever is done about the day later (R8). A
/// completion reaches a milestone when it crosses it (``Crossing``) and no earlier completion of a day of that
/// streak did, so that nothing that is taken back and done again is told twice.
struct HabitActivityTracker: Sendable {
  private var completed = DayRuns()
  private var streak = RunningStreak()
  /// The milestones that were crossed, each with the days whose completion did, ascending.
  private var crossed: [Int: [Day]] = [:]

  /// Takes note of a skip or a clear, after it was applied.
  mutating func take(_ event: Event, _ habit: Habit, _ free: Account.FreeDays) {
    guard case .day(_, let day, let record) = event.dayBearing else { return }
    streak.take(record, of: day, habit, free)
  }

  /// Takes a log, after it was applied; tells what it completed and then which milestones this reached.
  ///
  /// - Parameters:
  ///   - logged: The log.
  ///   - head: Of its entry.
  ///   - former: What was known of the day before.
  ///   - habit: The habit with the log.
  ///   - free: The days on which nothing is asked of its owner.
  /// - Returns: Nothing when the log completed no day.
  mutating func take(
    _ logged: HabitLogged, _ head: EntryHead, _ former: DayTable.Record?, _ habit: Habit,
    _ free: Account.FreeDays
  ) -> (completion: Activity, milestones: [Int])? {
    let day = logged.day
    streak.take(.init(day: day, value: logged.value), of: day, habit, free)
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

  /// Notes that a milestone was crossed; says whether none of the streak's days did before.
  private mutating func cross(_ length: Int, on day: Day, in days: ClosedRange<Day>) -> Bool {
    let earlier = crossed[length] ?? []
    let place = earlier.lowerBound(of: days.lowerBound)
    let isFirst = place == earlier.count || earlier[place] > days.upperBound
    crossed[length, default: []].insert(day, at: earlier.lowerBound(of: day))
    return isFirst
  }
}
