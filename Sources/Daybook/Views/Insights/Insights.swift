public import Avro

/// How a person is doing over all (HH-14): completion, when it goes well and when not, streaks, and what is at
/// risk today.
public struct Insights: Sendable {
  /// One habit's streak, for a list of them.
  public struct HabitStreak: Sendable {
    /// The habit.
    public var habit: Habit
    /// How long: days that count.
    public var length: Int
  }

  /// The completion of all habits together.
  public var completion = Completion()
  /// The same by weekday, Monday first: seven of them.
  public var weekdays = [Completion](repeating: Completion(), count: 7)
  /// The same by calendar month, oldest first, without gaps.
  public var months: [Totals] = []
  /// The longest streak of all habits; of equal ones the older habit's.
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

extension State {
  /// How a person is doing. Archived habits count with the days that they had; deleted ones do not.
  ///
  /// - Throws: ``QueryRejection``.
  public func insights(
    of account: Account.ID, _ query: Query
  ) throws(QueryRejection) -> Insights {
    var insights = Insights()
    var views: [HabitView] = []
    for habit in habits(of: account) { views.append(try view(of: habit, query)) }
    for view in views {
      for day in view.judgement.days {
        insights.completion.take(day.mark)
        insights.weekdays[day.day.weekday].take(day.mark)
      }
      if let longest = view.judgement.longest, longest.length > (insights.best?.length ?? 0) {
        insights.best = .init(habit: view.habit, length: longest.length)
      }
      guard let current = view.judgement.current, !view.habit.isArchived else { continue }
      let streak = Insights.HabitStreak(habit: view.habit, length: current.length)
      insights.current.append(streak)
      if let today = view.judgement[view.day], today.due, today.mark == .pending {
        insights.habitsAtRisk.append(streak)
      }
    }
    insights.months = Self.months(of: views)
    insights.current = insights.current.longestFirst
    insights.habitsAtRisk = insights.habitsAtRisk.longestFirst
    insights.hivesAtRisk = hives(of: account).compactMap {
      (try? hiveCard($0, for: account, query)).flatMap { $0.isAtRisk ? $0 : nil }
    }
    return insights
  }

  /// The days of all habits by month.
  private static func months(of views: [HabitView]) -> [Totals] {
    let days = views.flatMap { [$0.judgement.days.first?.day, $0.judgement.days.last?.day] }
      .compactMap(\.self)
    guard let first = days.min(), let last = days.max() else { return [] }
    var months: [Totals] = []
    for view in views {
      let own = view.judgement.totals(by: .month, over: first...last)
      if months.isEmpty {
        months = own
        continue
      }
      for index in own.indices {
        months[index].completion.full += own[index].completion.full
        months[index].completion.partial += own[index].completion.partial
        months[index].completion.missed += own[index].completion.missed
        months[index].sumThousandths = 0
      }
    }
    return months
  }
}

extension [Insights.HabitStreak] {
  /// The longest first; of equal ones in the order in which they stand.
  fileprivate var longestFirst: Self {
    enumerated().sorted { ($1.element.length, $0.offset) < ($0.element.length, $1.offset) }
      .map(\.element)
  }
}
