/// What a habit's entries have to tell: the days that were completed, and the milestones that this reached.
///
/// A day is completed by the first log that reaches its target, whatever is done about the day later (R8).
///
/// A completion **crosses** N when the streak that holds its day is N days or longer with it, and no streak within
/// those days was before it: both as the book knew the days then. It **reaches** the milestone N when it crosses
/// it and no earlier completion of a day of that streak did, so that nothing that is taken back and done again is
/// told twice.
struct HabitStory {
  /// The habit.
  let habit: Habit.ID
  /// Whose it is.
  let owner: Account.ID
  /// Its entries and its owner's, oldest first.
  let entries: [Entry]

  /// The days that were completed, oldest first.
  ///
  /// - Parameter end: Entries from this position on have not happened yet.
  /// - Returns: The completions.
  func completions(before end: Int64) -> [Activity] {
    var completions: [Activity] = []
    walk { completion, _, _ in
      if completion.position < end { completions.append(completion) }
      return completion.position < end
    }
    return completions
  }

  /// The milestones that some completions reached.
  ///
  /// - Parameter positions: The entries that completed a day.
  /// - Returns: The milestones.
  func milestones(at positions: Set<Int64>) -> [Activity] {
    guard let last = positions.max() else { return [] }
    var crossings: [(completion: Activity, crossing: Crossing)] = []
    walk { completion, former, state in
      if positions.contains(completion.position),
        let crossing = Crossing(of: completion, former, in: state)
      {
        crossings.append((completion, crossing))
      }
      return completion.position < last
    }
    return crossings.flatMap { completion, crossing in
      milestones(of: completion, crossing)
    }
  }

  private func milestones(of completion: Activity, _ crossing: Crossing) -> [Activity] {
    var left = crossing.milestones
    let days = crossing.streak.start...crossing.streak.end
    walk { earlier, former, state in
      guard earlier.position < completion.position else { return false }
      if days.contains(earlier.day), let crossed = Crossing(of: earlier, former, in: state) {
        left.removeAll { crossed.milestones.contains($0) }
      }
      return !left.isEmpty
    }
    return left.map(completion.milestone)
  }

  /// Goes through the completions: with what was known of the day before, and the state with it; until `body` says
  /// that it is enough.
  private func walk(_ body: (Activity, DayTable.Record?, State) -> Bool) {
    var state = State(of: habit, ownedBy: owner, [])
    var completed: Set<Day> = []
    for entry in entries {
      guard case .habitLogged(let logged) = entry.event else {
        state.apply(entry)
        continue
      }
      let former = state.habits[habit]?.days[logged.day]
      state.apply(logged, entry.head)
      guard let completion = state.completion(logged, entry.head, &completed) else { continue }
      guard body(completion, former, state) else { return }
    }
  }
}

/// What a completed day did to the streak that holds it.
struct Crossing {
  /// The streak with the day.
  let streak: Streak
  /// The milestones that the streak is as long as, and that no streak within its days was before.
  let milestones: [Int]

  /// Judges the days with the completion and without it; nothing when no milestone was crossed.
  ///
  /// - Parameters:
  ///   - completion: The day and its habit.
  ///   - former: What was known of the day before.
  ///   - state: What was known with it.
  init?(of completion: Activity, _ former: DayTable.Record?, in state: State) {
    guard let number = completion.habit, let habit = state.habits[number] else { return nil }
    let latest = habit.days.last.day
    let today = max(completion.day, Day(clamping: Int(latest)))
    var history = state.history(of: habit, today: today)
    // Which days were over by the clock does not matter here: the days up to the latest were lived.
    history.openFrom = today
    let judgement = StreakRule.daybook.judgement(of: history)
    let day = completion.day
    guard judgement[day]?.mark == .full,
      let streak = judgement.streaks.first(where: { $0.start <= day && day <= $0.end }),
      !Milestone.reached(after: 0, through: streak.length).isEmpty
    else { return nil }
    guard let place = history.records.firstIndex(where: { $0.day == day }) else { return nil }
    if let former {
      history.records[place].value = former.isSkipped ? nil : former.value
    } else {
      history.records.remove(at: place)
    }
    let before = StreakRule.daybook.judgement(of: history).streaks
      .filter { $0.start >= streak.start && $0.end <= streak.end }
      .map(\.length).max()
    milestones = Milestone.reached(after: before ?? 0, through: streak.length)
    guard !milestones.isEmpty else { return nil }
    self.streak = streak
  }
}

extension State {
  /// The completion that a log is, after it was applied: when it is the first to reach its day's target.
  func completion(
    _ logged: HabitLogged, _ head: EntryHead, _ completed: inout Set<Day>
  ) -> Activity? {
    guard let habit = habits[logged.habit],
      habit.version(on: logged.day).target.isMet(by: logged.value),
      completed.insert(logged.day).inserted
    else { return nil }
    return Activity(
      .habitCompleted, at: head, actor: habit.owner, habit: logged.habit, day: logged.day)
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
