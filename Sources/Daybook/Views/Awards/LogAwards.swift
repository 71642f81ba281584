import Calendar

/// The awards for an account's first log, and for numbers of logged days of its habits, found while the entries of the
/// habits are applied. The awards until a past entry are the first of all.
package struct LogAwards: Projection, Sendable {
  private struct HabitDay: Hashable {
    let habit: Habit.ID
    let day: Day
  }

  private var awards: [Award] = []
  /// The entry behind each logged day.
  private var standing: [HabitDay: Int64] = [:]
  /// The number of logged days after each entry about a day.
  private var counts: [(position: Int64, count: Int)] = []
  private var left = Award.logCounts[...]

  /// Begins before the first entry.
  package init() {}

  /// Applies the next entry of the habits.
  package mutating func apply(_ entry: Entry) {
    let head = entry.head
    guard case .day(let habit, let day, let record) = entry.event.dayEffect else { return }
    defer { counts.append((head.position, standing.count)) }
    guard record?.value != nil else {
      standing[HabitDay(habit: habit, day: day)] = nil
      return
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

  /// The awards as of a position, marked if they no longer hold.
  func list(through position: Int64) -> [Award] {
    let count = counts.sortedPrefix { $0.position <= position }.last?.count ?? 0
    return awards.prefix { $0.position <= position }.map { award in
      var award = award
      award.isUndone = count < award.cause.count ?? 1
      return award
    }
  }
}
