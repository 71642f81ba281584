import Streaks
import Calendar

/// The awards of an account: one for each cause, with the day and the entries that earned it (DG-6).
///
/// An award reflects what the book knew at the time, and stays; if its entries were undone since, it is marked
/// ``Award/isUndone``. Awards of deleted habits stay, as do those of hives that the account has left.
package struct Awards: Sendable {
  /// The account that earned the awards.
  package let account: Account.ID
  private let habits: [Habit.ID]
  private let hives: [Hive.ID]

  /// Collects the entities that may have earned an award.
  package init(of account: Account.ID, in state: BookState) {
    self.account = account
    habits = state.indexes.owned[Habit.self][account]
    hives = state.indexes.hives.hives(of: account)
  }

  /// The aggregates whose entries determine the awards.
  package var aggregates: [Aggregate] {
    [.account(account)] + habits.map { Aggregate.habit($0) } + hives.map { Aggregate.hive($0) }
  }

  /// The awards, in the order in which they were earned.
  ///
  /// - Parameters:
  ///   - lists: The entries of each of the ``aggregates``, oldest first.
  ///   - query: The instant of the view: weeks and months that are over by then are judged. It may ask for one day's
  ///     awards; whatever its rule, streaks are Daybook's.
  /// - Returns: The awards.
  package func list(_ lists: [Aggregate: [Entry]], _ query: Query) -> [Award] {
    var awards = logAwards(lists)
    let own = lists[.account(account)] ?? []
    for habit in habits {
      var walk = HabitAwards(habit, of: account, query.zones)
      for entry in ((lists[.habit(habit)] ?? []) + own).inOrder { walk.apply(entry) }
      awards += walk.finish(at: query.asOf)
    }
    for hive in hives { awards += hiveAwards(HiveTimeline(hive: hive, lists[.hive(hive)] ?? [])) }
    if let day = query.on { awards.removeAll { $0.day != day } }
    return awards.sorted(by: Award.isBefore)
  }

  // MARK: Logs

  private struct HabitDay: Hashable {
    let habit: Habit.ID
    let day: Day
  }

  /// The awards for the first log, and for numbers of logged days of habits.
  private func logAwards(_ lists: [Aggregate: [Entry]]) -> [Award] {
    var awards: [Award] = []
    var standing: [HabitDay: Int64] = [:]
    var left = Award.logCounts[...]
    for entry in habits.flatMap({ lists[.habit($0)] ?? [] }).inOrder {
      let head = entry.head
      guard case .day(let habit, let day, let record) = entry.event.dayEffect else { continue }
      guard record?.value != nil else {
        standing[HabitDay(habit: habit, day: day)] = nil
        continue
      }
      standing[HabitDay(habit: habit, day: day)] = head.position
      func award(_ cause: Award.Cause) -> Award {
        Award(
          cause: cause, day: day, position: head.position, at: head.at,
          evidence: standing.values.sorted(), isUndone: false)
      }
      if awards.isEmpty { awards.append(award(.firstLog)) }
      if let count = left.first, standing.count >= count {
        awards.append(award(.logs(count)))
        left.removeFirst()
      }
    }
    for index in awards.indices {
      awards[index].isUndone = standing.count < awards[index].cause.count ?? 1
    }
    return awards
  }

  // MARK: Hives

  /// The awards for lengths that a shared streak reached while the account was a member of the hive.
  private func hiveAwards(_ timeline: HiveTimeline) -> [Award] {
    var awards: [Award] = []
    var earned: Set<Int> = []
    var positions: [Day: Int64] = [:]
    var streak = 0
    for activity in timeline.activities {
      switch activity.kind {
      case .hiveAdvanced:
        positions[activity.day] = activity.position
        streak = activity.streak ?? 0
      case .streakMilestone:
        guard let length = activity.streak, Award.streaks.contains(length),
          timeline.wasMember(account, at: activity.position), earned.insert(length).inserted
        else { continue }
        let run = positions.keys.sorted().suffix(streak)
        awards.append(
          Award(
            cause: .hiveStreak(timeline.hive, length), day: activity.day,
            position: activity.position, at: activity.at,
            evidence: run.compactMap { positions[$0] }.sorted(),
            // A day that advanced never changes again.
            isUndone: false))
      default: break
      }
    }
    return awards
  }
}

extension [Entry] {
  /// The entries by position.
  var inOrder: [Entry] { sorted { $0.head.position < $1.head.position } }
}
