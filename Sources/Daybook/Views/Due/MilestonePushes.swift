import Calendar

/// The logs of a span by which habits may have reached a milestone, to be told to their owners (HH-25).
struct MilestoneLogs: Sendable {
  /// For each habit the entries that may have completed a day for the first time, and so have reached a milestone: no
  /// others do.
  private(set) var positions: [Habit.ID: Set<Int64>] = [:]
  /// Days that were completed before.
  private(set) var completed: CompletedDays

  init(knowing completed: CompletedDays) { self.completed = completed }

  /// Whether a log may complete its day of a habit for the first time; from then on it is known that the day was completed.
  mutating func completes(_ logged: HabitLogged, of habit: Habit) -> Bool {
    habit.version(on: logged.day).target.isMet(by: logged.value)
      && completed.insert(logged.day, of: logged.habit)
  }

  /// Notes a log by which its habit may have reached a milestone.
  mutating func note(_ logged: HabitLogged, _ head: EntryHead) {
    positions[logged.habit, default: []].insert(head.position)
  }
}

/// Days of habits of which is known that they were completed: they are not completed for the first time again.
package struct CompletedDays: Sendable {
  private struct HabitDay: Hashable {
    let habit: Habit.ID
    let day: Day
  }

  /// So many are known at most; what is forgotten is looked up in the book again.
  private static let greatestCount = 100_000
  private var days: Set<HabitDay> = []

  /// Of none.
  package init() {}

  /// Adds a day; says whether it was not there.
  fileprivate mutating func insert(_ day: Day, of habit: Habit.ID) -> Bool {
    if days.count == Self.greatestCount { days = [] }
    return days.insert(HabitDay(habit: habit, day: day)).inserted
  }
}

extension DueReplay {
  /// What is known of completed days now, for the span that comes next.
  package var completedDays: CompletedDays { logs.completed }

  /// The habits that may have reached a milestone in the span, since a day of theirs may have been completed for the first
  /// time: their entries, and their owners', say which milestones were reached.
  package var completedHabits: [Habit.ID] { logs.positions.keys.sorted() }

  /// What the owner of a habit is to be told of the milestones that its logs in the span reached.
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
          name: timeline.name(at: milestone.at))
      }
    }
  }
}

extension HabitTimeline {
  /// What the habit was called at an instant.
  fileprivate func name(at instant: Instant) -> String {
    var name = ""
    for entry in entries where entry.head.at <= instant {
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
