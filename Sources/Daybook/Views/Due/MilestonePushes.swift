import Calendar

/// The logs of a span by which habits may have reached a milestone, to be told to their owners (HH-25).
struct MilestoneLogs: Sendable {
  /// For each habit the entries that logged it.
  private(set) var positions: [Habit.ID: Set<Int64>] = [:]

  mutating func note(_ logged: HabitLogged, _ head: EntryHead) {
    positions[logged.habit, default: []].insert(head.position)
  }
}

extension DueReplay {
  /// The habits that were logged in the span: their entries, and their owners', say which milestones were reached.
  package var loggedHabits: [Habit.ID] { logs.positions.keys.sorted() }

  /// What the owner of a habit is to be told of the milestones that its logs in the span reached.
  ///
  /// - Parameters:
  ///   - number: One of the ``loggedHabits``.
  ///   - entries: The habit's entries and its owner's, oldest first, up to the end of the span.
  /// - Returns: The notifications, in the order of time.
  package func milestones(of number: Habit.ID, _ entries: [Entry]) -> [DueNotification] {
    guard let habit = state.habits[number], !habit.isDeleted,
      state.accounts[habit.owner]?.isErased == false, let positions = logs.positions[number]
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
