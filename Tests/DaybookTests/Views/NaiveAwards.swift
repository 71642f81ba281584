import Daybook

/// The entry that earns each award of a habit, by testing after every entry: with the naive streaks, and without
/// memory.
struct NaiveAwards {
  let habit: Habit.ID
  let owner: Account.ID
  let zones = TableZones()
  /// The known state of the habit: from each entry of the habit or its owner until the next one.
  private var spans: [(state: BookState, last: Entry?, until: Instant)] = []

  init(_ habit: Habit.ID, _ chronicle: Chronicle, until end: Instant) {
    self.habit = habit
    owner = chronicle.state.habits[habit]?.owner ?? First.account
    let own = (chronicle.lists[.habit(habit)] ?? []) + (chronicle.lists[.account(owner)] ?? [])
    let positions = Set(own.map(\.head.position))
    var state = BookState()
    for entry in chronicle.entries {
      if positions.contains(entry.head.position) {
        if let last = spans.indices.last { spans[last].until = entry.head.at }
        state.apply(entry)
        spans.append((state, entry, end))
      } else {
        state.apply(entry)
      }
    }
  }

  private func open(_ span: (state: BookState, last: Entry?, until: Instant)) -> Day {
    span.state.accounts[owner]?.openDay(at: span.until, in: zones) ?? .first
  }

  private func marks(_ span: (state: BookState, last: Entry?, until: Instant)) -> [Naive.Marked] {
    guard let found = span.state.habits[habit] else { return [] }
    return Naive.marks(span.state.history(of: found, today: open(span)))
  }

  struct Earned: Equatable {
    var cause: Award.Cause
    var isUndone: Bool
    var day: Day
  }

  /// Every award that is earned at some time.
  func earned() -> [Earned] {
    var earned: [Earned] = []
    func note(_ cause: Award.Cause, _ day: Day) {
      guard !earned.contains(where: { $0.cause == cause }) else { return }
      earned.append(Earned(cause: cause, isUndone: false, day: day))
    }
    for span in spans {
      let marks = marks(span)
      for length in Award.streaks {
        // The newest of several streaks that are long enough.
        guard let streak = Naive.streaks(marks).last(where: { $0.length >= length }) else {
          continue
        }
        note(.streak(habit, length), Self.day(length, of: streak, marks))
      }
      if case .habitLogged(let log) = span.last?.event, Self.isComeback(log.day, marks) {
        note(.comeback(habit, log.day), log.day)
      }
      for period in periods(marks, open(span), span.state) where Self.isPerfect(period, marks) {
        note(cause(period), period.upperBound)
      }
    }
    guard let now = spans.last.map({ marks($0) }) else { return [] }
    for index in earned.indices { earned[index].isUndone = !holds(earned[index].cause, now) }
    return earned
  }

  private func holds(_ cause: Award.Cause, _ marks: [Naive.Marked]) -> Bool {
    switch cause {
    case .streak(_, let length): Naive.streaks(marks).contains { $0.length >= length }
    case .comeback(_, let day): Self.isComeback(day, marks)
    case .perfectWeek(_, let first): Self.isPerfect(first...first.advanced(by: 6), marks)
    case .perfectMonth(_, let first):
      Self.isPerfect(
        first...first.advanced(
          by: Day.dayCount(year: first.parts.year, month: first.parts.month) - 1), marks)
    default: true
    }
  }

  /// The day on which a streak reached a length: its full days, and those of a quota between them, are counted.
  private static func day(_ length: Int, of streak: Streak, _ marks: [Naive.Marked]) -> Day {
    let inside = marks.filter { $0.day >= streak.start && $0.day <= streak.end }
    for (index, marked) in inside.enumerated() where marked.mark == .full {
      let count = inside[...index].count { $0.mark == .full || $0.mark == .off && $0.covered }
      if count >= length { return marked.day }
    }
    return streak.end
  }

  private static func isComeback(_ day: Day, _ marks: [Naive.Marked]) -> Bool {
    guard marks.contains(where: { $0.day == day && $0.mark == .full }) else { return false }
    let before = marks.filter { $0.day < day }
    guard
      let done = before.last(where: { [.full, .bonus, .partial].contains($0.mark) })
    else { return false }
    return before.count { $0.day > done.day && $0.mark == .missed } >= 7
  }

  private static func isPerfect(_ days: ClosedRange<Day>, _ marks: [Naive.Marked]) -> Bool {
    let inside = marks.filter { days.contains($0.day) }.map(\.mark)
    return inside.contains(.full)
      && inside.allSatisfy { [.full, .bonus, .off, .paused, .leftOut].contains($0) }
  }

  /// The whole weeks and months of the habit's life that are over.
  private func periods(
    _ marks: [Naive.Marked], _ open: Day, _ state: BookState
  ) -> [ClosedRange<Day>] {
    guard let created = state.habits[habit]?.createdOn, created < open else { return [] }
    var periods: [ClosedRange<Day>] = []
    for day in Naive.days(created, open.advanced(by: -1)) {
      let week = day...day.advanced(by: 6)
      if day.weekday == 0, week.upperBound < open { periods.append(week) }
      let parts = day.parts
      let last = day.advanced(by: Day.dayCount(year: parts.year, month: parts.month) - 1)
      if parts.day == 1, last < open { periods.append(day...last) }
    }
    return periods
  }

  private func cause(_ period: ClosedRange<Day>) -> Award.Cause {
    period.lowerBound.distance(to: period.upperBound) == 6
      ? .perfectWeek(habit, monday: period.lowerBound)
      : .perfectMonth(habit, first: period.lowerBound)
  }
}
