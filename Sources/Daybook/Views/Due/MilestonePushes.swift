import Calendar

/// The logs of a span that may have made habits reach a milestone, to notify their owners (HH-25).
struct MilestoneLogs: Sendable {
  /// For each habit, the entries that may have completed a day for the first time: only such an entry can reach a
  /// milestone.
  private(set) var positions: [Habit.ID: Set<Int64>] = [:]
  /// Days that were completed before.
  private(set) var completed: CompletedDays

  init(knowing completed: CompletedDays) { self.completed = completed }

  /// Whether a log may complete its day of a habit for the first time; from then on the day counts as completed.
  mutating func completes(_ logged: HabitLogged, of habit: Habit) -> Bool {
    habit.version(on: logged.day).target.isMet(by: logged.value)
      && completed.insert(logged.day, of: logged.habit)
  }

  /// Notes a log that may have made its habit reach a milestone.
  mutating func note(_ logged: HabitLogged, _ head: EntryHead) {
    positions[logged.habit, default: []].insert(head.position)
  }
}

/// Days of habits that are known to have been completed: they cannot be completed for the first time again.
package struct CompletedDays: Sendable {
  private struct HabitDay: Hashable {
    let habit: Habit.ID
    let day: Day
  }

  /// The maximum number of days; one that is forgotten is looked up in the book again.
  private static let greatestCount = 100_000
  private var days: Set<HabitDay> = []

  /// No days.
  package init() {}

  /// Adds a day.
  ///
  /// - Returns: Whether it was new.
  fileprivate mutating func insert(_ day: Day, of habit: Habit.ID) -> Bool {
    if days.count == Self.greatestCount { days = [] }
    return days.insert(HabitDay(habit: habit, day: day)).inserted
  }
}

extension DueReplay {
  /// The completed days that are known now, for the next span.
  package var completedDays: CompletedDays { logs.completed }

  /// The habits that may have reached a milestone in the span, because one of their days may have been completed for
  /// the first time. Their entries, and those of their owners, determine the milestones.
  package var completedHabits: [Habit.ID] { logs.positions.keys.sorted() }

  /// The notifications to a habit's owner about the milestones that the habit's logs in the span reached.
  ///
  /// - Parameters:
  ///   - number: One of the ``completedHabits``.
  ///   - entries: The habit's entries and its owner's, oldest first, up to the end of the span.
  /// - Returns: The notifications, in the order of time.
  package func milestones(of number: Habit.ID, _ entries: [Entry]) -> [DueNotification] {
    guard let habit = state.habits[number], !habit.isDeleted,
      state.accounts.isThere(habit.owner), let positions = logs.positions[number]
    else { return [] }
    let timeline = HabitTimeline(habit: number, owner: habit.owner, entries: entries)
    let completed = Set(timeline.completions(before: .max).map(\.position))
    return timeline.milestones(at: positions.intersection(completed)).compactMap { milestone in
      milestone.streak.map { length in
        DueNotification(
          id: "streak_milestone:\(habit.key):\(length):\(milestone.day)", at: milestone.at,
          account: habit.owner, day: milestone.day, content: .milestone(number, streak: length),
          name: entries.name(of: number, ownedBy: habit.owner, at: milestone.at))
      }
    }
  }
}

extension [Entry] {
  /// The name of a habit at an instant.
  fileprivate func name(
    of habit: Habit.ID, ownedBy owner: Account.ID, at instant: Instant
  ) -> String {
    var name = ""
    for entry in self where entry.head.at <= instant {
      if case .habitCreated(let event) = entry.event, event.owner == owner {
        name = event.description.name
      }
      if case .habitDescribed(let event) = entry.event, event.habit == habit {
        name = event.description.name
      }
    }
    return name
  }
}
