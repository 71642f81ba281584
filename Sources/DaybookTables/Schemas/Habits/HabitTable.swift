import Calendar
import Daybook
import Streaks
import Values

extension Table {
  /// Habits (HH-7, DG-2, MO-3): everybody sees and changes their own alone.
  /// Of the columns that not every app has, there are those that are named.
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
  /// When a habit's row last changed, of which the focus is part: which habit has it, its person's account says.
  fileprivate func updated(_ habit: Numbered<Habit>) -> Instant {
    let spans = state.accounts[habit.owner]?.focus ?? []
    let moved = spans.last { $0.habit == habit.number }.map { $0.until ?? $0.since }
    return max(habit.updated, moved ?? habit.updated)
  }
}

extension Schedule {
  /// The weekdays on which it may be due: bit 0 = Monday.
  fileprivate var weekdayBits: Int {
    guard case .weekdays(let weekdays) = self else { return Int(WeekdayMask.everyDay.bits) }
    return Int(weekdays.bits)
  }
}

extension Amount {
  /// The amount in whole numbers, which are all that the column of a target holds.
  var wholeAbove: Int { Int((thousandths + 999) / 1000) }

  /// A value in whole numbers: done stays done, and what is not does not become it.
  func whole(of target: Amount) -> Int {
    self >= target ? wholeAbove : Int(thousandths / 1000)
  }
}
