public import Avro

/// One habit on the list of a day: what is due, what is done, and how the streak stands (HH-12, MO-4).
public struct TodayCard: Sendable {
  /// The habit.
  public let habit: Habit
  /// The day that is asked about.
  public let day: Day
  /// What the rule says of the day; nothing when the habit was not judged on it.
  public let judged: JudgedDay?
  /// What the day asks for.
  public let target: Target
  /// The length of the current streak.
  public let streak: Int
  /// The marks of the fourteen days up to the day, oldest first; nothing for days that were not judged.
  public let recent: [JudgedDay?]
  /// Whether the habit has the focus (DG-2).
  public let hasFocus: Bool

  // A card keeps what is shown, not the judged days of years: a book may have many habits.
  init(_ view: HabitView, hasFocus: Bool) {
    habit = view.habit
    day = view.day
    judged = view.judgement[view.day]
    target = judged?.target ?? habit.version(on: view.day).target
    streak = view.judgement.current?.length ?? 0
    recent = (0..<14).map { view.judgement[view.day.advanced(by: $0 - 13)] }
    self.hasFocus = hasFocus
  }

  /// The card as JSON.
  public var json: JSON {
    [
      "habit": .key(habit.key), "name": .string(habit.description.name),
      "emoji": .string(habit.description.emoji), "day": .day(day),
      "mark": .text(judged?.mark.rawValue), "due": .bool(judged?.due ?? false),
      "value": judged?.value.map { .number($0) } ?? .null, "target": .number(target.amount),
      "unit": .string(habit.description.unit),
      "streak": .number(streak), "focus": .bool(hasFocus),
      "recent": .array(recent.map { .text($0?.mark.rawValue) }),
    ]
  }
}

extension State {
  /// The habits of an account (or of all) that are due on the day or were logged on it; archived habits
  /// are left out.
  ///
  /// - Throws: ``QueryRejection``.
  public func today(
    of account: Account.ID? = nil, _ query: Query
  ) throws(QueryRejection) -> [TodayCard] {
    var cards: [TodayCard] = []
    for habit in habits(of: account) {
      let view = try view(of: habit, query)
      let judged = view.judgement[view.day]
      guard judged.map({ $0.due || $0.value != nil || $0.mark == .skipped }) ?? false else {
        continue
      }
      // On vacation or laid aside, nothing is asked.
      if judged?.mark == .paused { continue }
      let focus = accounts[habit.owner]?.focusHabit.flatMap { habits[$0]?.key }
      cards.append(TodayCard(view, hasFocus: focus == habit.key))
    }
    return cards
  }
}
