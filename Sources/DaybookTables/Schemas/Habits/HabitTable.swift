import Calendar
import Daybook
import Streaks
import Values

extension Table {
  /// Habits (HH-7, DG-2, MO-3); an account sees and changes only its own. Of the columns that only
  /// some apps have, the table has those named.
  static func habits(with more: Set<String> = []) -> Table {
    let hidden = Set(["goal_id", "frequency", "is_focus"]).subtracting(more)
    let updated: Field<Numbered<Habit>> =
      more.contains("is_focus")
      ? Field("updated_at", .null, .server, seen: { habit, sight in sight.updated(habit) })
      : Field("updated_at", .null, .server) { $0.updated }
    let fields = habitFields.filter { !hidden.contains($0.column.name) } + [updated]
    let owner = ForeignKey("user_id", of: "habits", to: "profiles")
    let goal = ForeignKey("goal_id", of: "habits", to: "goals")
    return .owned(
      "habits", fields, of: .habit, in: \.habits, numbers: { $0.allHabits(of: $1) },
      isShown: { !$0.isDeleted }, foreignKeys: more.contains("goal_id") ? [owner, goal] : [owner],
      writer: HabitWriter(),
      more: { change in
        guard case .focusChosen(let event) = change.entry.event else { return [] }
        return change.states.compactMap { $0.accounts[event.account]?.focusHabit }
      })
  }

  private static var habitFields: [Field<Numbered<Habit>>] {
    [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field("goal_id", seen: { habit, sight in habit.goal.flatMap { sight.state.goals[$0]?.key } }),
      Field("name") { $0.name },
      Field("emoji") { $0.description.emoji.isEmpty ? nil : $0.description.emoji },
      Field("color_hex", .value(.text(HabitDescription.usualColor))) { $0.description.color },
      Field("type", .value(.text(HabitType.checkbox.rawValue))) { $0.type },
      Field("target_per_day", .value(.integer(1))) { $0.version.target.amount.wholeAbove },
      Field("frequency", .value(.text("daily")), allowed: ["daily"]) { _ in "daily" },
      Field("schedule_daily", .value(.bool(true))) { $0.version.schedule == .daily },
      Field("schedule_weekmask", .value(.integer(127))) { $0.version.schedule.weekdayBits },
      Field("reminders", .value(.array([]))) { $0.reminders.map(\.description) },
      Field("is_active", .value(.bool(true))) { !$0.isArchived },
      Field(
        "is_focus", .value(.bool(false)),
        seen: { habit, sight in sight.state.accounts[habit.owner]?.focusHabit == habit.number }),
      Field("created_at", .null, .once) { $0.created },
    ]
  }
}

extension Sight {
  /// The time of the last change to a habit's row, including its focus, which is recorded in the account.
  fileprivate func updated(_ habit: Numbered<Habit>) -> Instant {
    let spans = state.accounts[habit.owner]?.focus ?? []
    let moved = spans.last { $0.habit == habit.number }.map { $0.until ?? $0.since }
    return max(habit.updated, moved ?? habit.updated)
  }
}

extension Schedule {
  /// The weekdays on which it may be due, as bits: bit 0 is Monday.
  fileprivate var weekdayBits: Int {
    guard case .weekdays(let weekdays) = self else { return Int(WeekdayMask.everyDay.bits) }
    return Int(weekdays.bits)
  }
}

extension Amount {
  /// The amount rounded up to a whole number, because the target's column holds nothing else.
  var wholeAbove: Int { Int((thousandths + 999) / 1000) }

  /// The value in whole numbers. A value that reaches the target still does, and one below it stays
  /// below.
  func whole(of target: Amount) -> Int {
    self >= target ? wholeAbove : Int(thousandths / 1000)
  }
}
