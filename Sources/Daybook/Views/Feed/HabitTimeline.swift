import Streaks

/// The activities of a habit: the days that were completed, and the milestones that they reached.
///
/// It takes the habit's entries and its owner's one by one. What it tells of an entry depends on no later one, so the
/// activities until any past entry are the first of all.
package struct HabitTimeline: Projection, Sendable {
  let habit: Habit.ID
  let owner: Account.ID
  private var state: BookState
  private var tracker = HabitActivityTracker()
  private var completions: [Activity] = []
  /// The milestones that a completion reached, by the position of its entry.
  private var milestones: [Int64: [Int]] = [:]

  /// Begins before the first entry.
  package init(habit: Habit.ID, owner: Account.ID) {
    self.habit = habit
    self.owner = owner
    state = BookState(of: habit, ownedBy: owner, [])
  }

  /// Takes the entries of the habit and its owner, oldest first.
  init(habit: Habit.ID, owner: Account.ID, entries: [Entry]) {
    self.init(habit: habit, owner: owner)
    for entry in entries { apply(entry) }
  }

  /// Applies the next entry of the habit or of its owner.
  package mutating func apply(_ entry: Entry) {
    let former = state.record(that: entry.event, replacesOf: habit)
    state.apply(entry)
    guard let place = state.habits.place(of: habit) else { return }
    let found = state.habits.elements[place]
    let free =
      state.accounts.place(of: owner).map { state.accounts.elements[$0].freeDays } ?? .init()
    guard case .habitLogged(let logged) = entry.event else {
      return tracker.note(entry.event, found, free)
    }
    guard let told = tracker.note(logged, entry.head, former, found, free) else { return }
    completions.append(told.completion)
    if !told.milestones.isEmpty { milestones[entry.head.position] = told.milestones }
  }

  /// The days that were completed, oldest first.
  ///
  /// - Parameter end: The position of the first entry to ignore.
  /// - Returns: The completions.
  func completions(before end: Int64) -> ArraySlice<Activity> {
    completions.prefix(before: end)
  }

  /// The milestones that some completions reached, oldest first.
  ///
  /// - Parameter positions: The entries that completed a day.
  /// - Returns: The milestones.
  func milestones(at positions: Set<Int64>) -> [Activity] {
    positions.sorted().flatMap { position -> [Activity] in
      guard let lengths = milestones[position] else { return [] }
      return lengths.map(completions[completions.prefix(before: position).count].milestone)
    }
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

extension Activity {
  /// The milestone that the completion reached.
  func milestone(_ length: Int) -> Activity {
    var milestone = self
    milestone.kind = .streakMilestone
    milestone.streak = length
    return milestone
  }
}

extension [Activity] {
  /// The activities, which are in the order of their entries, that entries before a position caused.
  func prefix(before end: Int64) -> ArraySlice<Activity> {
    sortedPrefix { $0.position < end }
  }
}
