import Streaks

/// The activities of a habit, computed from its entries: the days that were completed, and the milestones reached.
struct HabitTimeline {
  let habit: Habit.ID
  let owner: Account.ID
  /// The entries of the habit and its owner, oldest first.
  let entries: [Entry]

  /// The days that were completed, oldest first.
  ///
  /// - Parameter end: The position of the first entry to ignore.
  /// - Returns: The completions.
  func completions(before end: Int64) -> [Activity] {
    var state = BookState(of: habit, ownedBy: owner, [])
    var completed = DayRuns()
    var completions: [Activity] = []
    for entry in entries.prefix(while: { $0.head.position < end }) {
      guard case .habitLogged(let logged) = entry.event else {
        // The records of the days themselves do not matter.
        if !entry.event.isOfOneDay { state.apply(entry) }
        continue
      }
      guard let place = state.habits.place(of: habit),
        state.habits.elements[place].version(on: logged.day).target.isMet(by: logged.value),
        completed.insert(logged.day)
      else { continue }
      completions.append(
        Activity(.habitCompleted, at: entry.head, actor: owner, habit: habit, day: logged.day))
    }
    return completions
  }

  /// The milestones that some completions reached. O(entries), unless a quota makes a day affect earlier days.
  ///
  /// - Parameter positions: The entries that completed a day.
  /// - Returns: The milestones.
  func milestones(at positions: Set<Int64>) -> [Activity] {
    guard let last = positions.max() else { return [] }
    var milestones: [Activity] = []
    var state = BookState(of: habit, ownedBy: owner, [])
    var tracker = HabitActivityTracker()
    for entry in entries.prefix(while: { $0.head.position <= last }) {
      let former = state.record(that: entry.event, replacesOf: habit)
      state.apply(entry)
      guard let place = state.habits.place(of: habit) else { continue }
      let found = state.habits.elements[place]
      let free =
        state.accounts.place(of: owner).map { state.accounts.elements[$0].freeDays } ?? .init()
      guard case .habitLogged(let logged) = entry.event else {
        tracker.note(entry.event, found, free)
        continue
      }
      guard let told = tracker.note(logged, entry.head, former, found, free),
        positions.contains(entry.head.position)
      else { continue }
      milestones += told.milestones.map(told.completion.milestone)
    }
    return milestones
  }
}

extension BookState {
  /// The former record of the day that a log is about.
  fileprivate func record(that event: Event, replacesOf habit: Habit.ID) -> DayTable.Record? {
    guard case .habitLogged(let logged) = event, let place = habits.place(of: habit) else {
      return nil
    }
    return habits.elements[place].days[logged.day]
  }
}

extension Event {
  /// Whether it changes the record of one day, and nothing else.
  fileprivate var isOfOneDay: Bool {
    if case .day = dayEffect { true } else { false }
  }
}

extension Activity {
  /// The milestone that the completion reached.
  func milestone(_ length: Int) -> Activity {
    var milestone = self
    milestone.kind = .streakMilestone
    milestone.streak = length
    return milestone
  }
}
