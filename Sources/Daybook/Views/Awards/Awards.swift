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
  private let state: BookState

  /// Collects the entities that may have earned an award.
  package init(of account: Account.ID, in state: BookState) {
    self.account = account
    self.state = state
    habits = state.indexes.owned[Habit.self][account]
    hives = state.indexes.hives.hives(of: account)
  }

  /// The aggregates whose entries determine the awards.
  package var aggregates: [Aggregate] {
    [.account(account)] + habitAggregates + hives.map { Aggregate.hive($0) }
  }

  /// The aggregates of the account's habits, whose entries determine ``LogAwards``.
  package var habitAggregates: [Aggregate] { habits.map { Aggregate.habit($0) } }

  /// The habits, each of which has its ``HabitAwards``.
  package var awardHabits: [Habit.ID] { habits }

  /// The hives, each of which has its ``HiveTimeline``.
  package var timelineHives: [Hive.ID] { hives }

  /// The awards, in the order in which they were earned.
  ///
  /// - Parameters:
  ///   - lists: The entries of each of the ``aggregates``, oldest first.
  ///   - query: The instant of the view: weeks and months that are over by then are judged. It may ask for one day's
  ///     awards; whatever its rule, streaks are Daybook's.
  /// - Returns: The awards.
  package func list(_ lists: [Aggregate: [Entry]], _ query: Query) -> [Award] {
    var grounds = AwardGrounds()
    for entry in habits.flatMap({ lists[.habit($0)] ?? [] }).inOrder { grounds.logs.apply(entry) }
    let own = lists[.account(account)] ?? []
    for habit in habits {
      var walk = HabitAwards(habit, of: account, query.zones)
      for entry in ((lists[.habit(habit)] ?? []) + own).inOrder { walk.apply(entry) }
      grounds.habits[habit] = walk
    }
    for hive in hives {
      grounds.hives[hive] = HiveTimeline(hive: hive, lists[.hive(hive)] ?? [])
    }
    return list(grounds, query)
  }

  /// The awards, in the order in which they were earned.
  ///
  /// - Parameters:
  ///   - grounds: What determines the awards; it may reach beyond the state.
  ///   - query: The instant of the view.
  /// - Returns: The awards.
  package func list(_ grounds: AwardGrounds, _ query: Query) -> [Award] {
    var awards = grounds.logs.list(through: state.position)
    for habit in habits {
      awards +=
        grounds.habits[habit]?.list(through: state.position, at: query.asOf, in: state) ?? []
    }
    for hive in hives { if let timeline = grounds.hives[hive] { awards += hiveAwards(timeline) } }
    if let day = query.on { awards.removeAll { $0.day != day } }
    return awards.sorted(by: Award.isBefore)
  }

  // MARK: Hives

  /// The awards for lengths that a shared streak reached while the account was a member of the hive.
  private func hiveAwards(_ timeline: HiveTimeline) -> [Award] {
    var awards: [Award] = []
    var earned: Set<Int> = []
    var positions: [Day: Int64] = [:]
    var streak = 0
    for activity in timeline.activities where activity.position <= state.position {
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

/// What determines an account's awards, besides its state.
package struct AwardGrounds: Sendable {
  /// What each habit earned.
  package var habits: [Habit.ID: HabitAwards]
  /// What the logs of all habits together earned.
  package var logs: LogAwards
  /// The activities of each hive.
  package var hives: [Hive.ID: HiveTimeline]

  package init(
    habits: [Habit.ID: HabitAwards] = [:], logs: LogAwards = LogAwards(),
    hives: [Hive.ID: HiveTimeline] = [:]
  ) {
    (self.habits, self.logs, self.hives) = (habits, logs, hives)
  }
}

extension [Entry] {
  /// The entries by position.
  var inOrder: [Entry] { sorted { $0.head.position < $1.head.position } }
}
