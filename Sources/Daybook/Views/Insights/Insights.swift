import Calendar
public import Streaks
public import Avro

/// How well a person is doing overall (HH-14): completion, good and bad weekdays and months, streaks, and what is at
/// risk today.
public struct Insights: Sendable {
  /// One habit's streak, for a list of them.
  public struct HabitStreak: Sendable {
    /// The habit.
    public var habit: Habit
    /// The length: the number of days that count.
    public var length: Int
  }

  /// The completion of all habits together.
  public var completion = Completion()
  /// The completion by weekday, Monday first: seven of them.
  public var weekdays = [Completion](repeating: Completion(), count: 7)
  /// The completion by calendar month, oldest first, without gaps.
  public var months: [Totals] = []
  /// The longest streak of all habits; among equal ones, the older habit's.
  public var best: HabitStreak?
  /// The streaks that are alive, longest first.
  public var current: [HabitStreak] = []
  /// The habits that are due today, not done, and have a streak to lose; longest first.
  public var habitsAtRisk: [HabitStreak] = []
  /// The hives that are due today, not advanced, and have a streak to lose.
  public var hivesAtRisk: [HiveCard] = []

  /// The insights as JSON.
  public var json: JSON {
    [
      "completion": .share(completion.share), "full_days": .number(completion.full),
      "due_days": .number(completion.due),
      "weekdays": .array(
        weekdays.indices.map { number in
          [
            "weekday": .number(number), "full_days": .number(weekdays[number].full),
            "due_days": .number(weekdays[number].due),
            "completion": .share(weekdays[number].share),
          ]
        }),
      "months": .array(
        months.map { month in
          [
            "start": .day(month.start), "full_days": .number(month.completion.full),
            "due_days": .number(month.completion.due),
            "completion": .share(month.completion.share),
          ]
        }),
      "best": best?.json ?? .null, "current": .array(current.map(\.json)),
      "habits_at_risk": .array(habitsAtRisk.map(\.json)),
      "hives_at_risk": .array(hivesAtRisk.map(\.json)),
    ]
  }
}

extension Insights.HabitStreak {
  /// The streak as JSON.
  public var json: JSON {
    [
      "habit": .key(habit.key), "name": .string(habit.description.name), "streak": .number(length),
    ]
  }
}

extension BookState {
  /// The insights of a person. Archived habits count for the days that they had; deleted ones do not.
  ///
  /// - Throws: ``Rejection``.
  public func insights(
    of account: Account.ID, _ query: Query
  ) throws(Rejection) -> Insights {
    var insights = Insights()
    let asked = try RequestedHabits(of: account, in: self, query)
    var months: [Day: Completion] = [:]
    asked.forEach(0..<asked.count) { _, habit, history, day in
      let (history, last) = query.rule.seen(history, on: query.on)
      let seen = query.rule.walk(history, into: InsightsSink(day, through: last))
      insights.add(seen, of: habit, &months)
    }
    insights.months = Self.withoutGaps(months)
    insights.current = insights.current.longestFirst
    insights.habitsAtRisk = insights.habitsAtRisk.longestFirst
    insights.hivesAtRisk = hives(of: account).compactMap {
      (try? hiveCard($0, for: account, query)).flatMap { $0.isAtRisk ? $0 : nil }
    }
    return insights
  }

  /// The months from the first to the last, without gaps.
  private static func withoutGaps(_ months: [Day: Completion]) -> [Totals] {
    guard let first = months.keys.min(), let last = months.keys.max() else { return [] }
    var tally = TotalsTally(by: .month)
    tally.move(to: first)
    tally.move(to: last)
    return tally.totals.map { Totals(start: $0.start, completion: months[$0.start] ?? .init()) }
  }
}

extension Insights {
  /// Adds a judged habit.
  fileprivate mutating func add(
    _ seen: InsightsSink, of habit: Habit, _ months: inout [Day: Completion]
  ) {
    for (weekday, own) in seen.weekdays.enumerated() { weekdays[weekday].add(own) }
    for month in seen.months.totals {
      months[month.start, default: Completion()].add(month.completion)
      completion.add(month.completion)
    }
    if let longest = seen.tally.longest, longest.length > (best?.length ?? 0) {
      best = HabitStreak(habit: habit, length: longest.length)
    }
    guard let alive = seen.tally.current, !habit.isArchived else { return }
    let streak = HabitStreak(habit: habit, length: alive.length)
    current.append(streak)
    if seen.isAtRisk { habitsAtRisk.append(streak) }
  }
}

/// Collects from a habit's days what insights show.
private struct InsightsSink: DaySink {
  private let day: Day
  private let last: Day
  private(set) var tally = StreakTally()
  private(set) var weekdays = [Completion](repeating: Completion(), count: 7)
  private(set) var months = TotalsTally(by: .month)
  /// Whether the requested day is due and still open.
  private(set) var isAtRisk = false

  /// Judges one day, and ignores days after the last one.
  init(_ day: Day, through last: Day) {
    self.day = day
    self.last = last
  }

  mutating func receive(_ next: JudgedDay) {
    guard next.day <= last else { return }
    tally.add(next.day, next.effect)
    weekdays[next.day.weekday].add(next.mark)
    months.receive(next)
    if next.day == day { isAtRisk = next.due && next.mark == .pending }
  }
}

extension [Insights.HabitStreak] {
  /// The streaks, longest first; equal ones stay in their order.
  fileprivate var longestFirst: Self {
    enumerated().sorted { ($1.element.length, $0.offset) < ($0.element.length, $1.offset) }
      .map(\.element)
  }
}
