import Daybook

/// A feed by the wording of `Docs/Hives.md` and the rulings: every prefix of the entries is examined separately, with
/// the naive streaks.
struct NaiveFeed {
  let chronicle: Chronicle
  /// The states: before the first entry, and after each.
  private let states: [BookState]

  init(_ chronicle: Chronicle) {
    self.chronicle = chronicle
    var states = [BookState()]
    for entry in chronicle.entries {
      var next = states[states.count - 1]
      next.apply(entry)
      states.append(next)
    }
    self.states = states
  }

  struct Told: Hashable {
    var position: Int64
    var kind: Activity.Kind
    var habit: Habit.ID?
    var hive: Hive.ID?
    var day: Day
    var streak: Int?
  }

  private struct Completion {
    var index: Int
    var habit: Habit.ID
    var day: Day
  }

  // MARK: Habits

  private func isMet(_ logged: HabitLogged, _ index: Int) -> Bool {
    guard let habit = states[index + 1].habits[logged.habit] else { return false }
    let version = habit.versions.last { $0.since <= logged.day } ?? habit.versions[0]
    return Naive.met(logged.value, version.target)
  }

  private var completions: [Completion] {
    var found: [Completion] = []
    for (index, entry) in chronicle.entries.enumerated() {
      guard case .habitLogged(let logged) = entry.event, isMet(logged, index),
        !found.contains(where: { $0.habit == logged.habit && $0.day == logged.day })
      else { continue }
      found.append(Completion(index: index, habit: logged.habit, day: logged.day))
    }
    return found
  }

  /// The days and the naive streaks of a habit as known after this many entries, seen from a day.
  private func streaks(_ habit: Habit.ID, after count: Int, today: Day) -> (
    marks: [Naive.Marked], streaks: [Streak]
  ) {
    guard let found = states[count].habits[habit] else { return ([], []) }
    var history = states[count].history(of: found, today: today)
    history.openFrom = today
    let marks = Naive.marks(history)
    return (marks, Naive.streaks(marks))
  }

  /// The streak whose milestones a completion crossed, and these milestones.
  private func crossing(_ completion: Completion) -> (streak: Streak, lengths: [Int])? {
    let records = states[completion.index + 1].habits[completion.habit]?.days.records
    let today = max(completion.day, records?.map(\.day).max() ?? completion.day)
    let after = streaks(completion.habit, after: completion.index + 1, today: today)
    guard after.marks.contains(where: { $0.day == completion.day && $0.mark == .full }),
      let streak = after.streaks.first(where: {
        $0.start <= completion.day && completion.day <= $0.end
      })
    else { return nil }
    let before = streaks(completion.habit, after: completion.index, today: today).streaks
      .filter { $0.start >= streak.start && $0.end <= streak.end }
    let lengths = (1...streak.length).filter { length in
      Self.isMilestone(length) && !before.contains { $0.length >= length }
    }
    return (streak, lengths)
  }

  static func isMilestone(_ length: Int) -> Bool {
    [3, 7, 14, 30, 60, 100, 180].contains(length) || length % 365 == 0
  }

  // MARK: Feeds

  func feed(of viewer: Account.ID) -> Set<Told> {
    let state = chronicle.state
    var told: Set<Told> = []
    let completions = completions
    let crossings = completions.map { crossing($0) }
    let mine = state.hives.elements.indices.compactMap { Hive.ID($0 + 1) }.filter { number in
      state.hives[number].map { !$0.isDeleted && $0.member(viewer) != nil } ?? false
    }
    for (place, completion) in completions.enumerated() {
      guard let habit = state.habits[completion.habit], !habit.isDeleted else { continue }
      let position = Int64(completion.index) + 1
      if habit.owner == viewer {
        told.insert(
          Told(
            position: position, kind: .habitCompleted, habit: completion.habit,
            day: completion.day))
        for length in crossings[place]?.lengths ?? [] {
          let isRepeated = completions.indices.prefix(place).contains { earlier in
            completions[earlier].habit == completion.habit
              && crossings[earlier]?.lengths.contains(length) ?? false
              && crossings[place].map {
                $0.streak.start <= completions[earlier].day
                  && completions[earlier].day <= $0.streak.end
              } ?? false
          }
          guard !isRepeated else { continue }
          told.insert(
            Told(
              position: position, kind: .streakMilestone, habit: completion.habit,
              day: completion.day, streak: length))
        }
      } else {
        // The hive made from the habit, with its owner in it at the time.
        let seen = mine.first { number in
          state.hives[number]?.source == completion.habit
            && states[completion.index].hives[number]?.member(habit.owner) != nil
        }
        if let seen {
          told.insert(
            Told(position: position, kind: .habitCompleted, hive: seen, day: completion.day))
        }
      }
    }
    for number in mine { told.formUnion(hive(number)) }
    return told
  }

  // MARK: Hives

  private func hive(_ number: Hive.ID) -> Set<Told> {
    var told: Set<Told> = []
    var runs: [(length: Int, start: Day)] = []
    for (index, entry) in chronicle.entries.enumerated() {
      var line = Told(
        position: entry.head.position, kind: .hiveJoined, hive: number, day: .first)
      switch entry.event {
      case .hiveJoined(let event) where event.hive == number:
        line.day = event.day
        told.insert(line)
      case .hiveBroken(let event) where event.hive == number:
        (line.kind, line.day, line.streak) = (.hiveBroken, event.day, Int(event.streak))
        told.insert(line)
      case .hiveAdvanced(let event) where event.hive == number:
        let streak = Int(event.streak)
        (line.kind, line.day, line.streak) = (.hiveAdvanced, event.day, streak)
        told.insert(line)
        let start = (states[index + 1].hives[number]?.advanced ?? []).suffix(streak).first ?? .first
        for length in 1...max(1, streak) where Self.isMilestone(length) {
          guard !runs.contains(where: { $0.length >= length && $0.start >= start }) else {
            continue
          }
          (line.kind, line.streak) = (.streakMilestone, length)
          told.insert(line)
        }
        runs.append((streak, start))
      default: break
      }
    }
    return told
  }
}

extension NaiveFeed.Told {
  init(_ activity: Activity) {
    self.init(
      position: activity.position, kind: activity.kind, habit: activity.habit,
      hive: activity.hive, day: activity.day, streak: activity.streak)
  }
}
