import Avro
import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

extension AppTable {
  /// Habits (HH-7, DG-2, MO-3); an account sees and changes only its own. The table includes the named ones among the
  /// columns that only some apps have.
  static func habits(with more: Set<String> = []) -> AppTable {
    let hidden = Set(["goal_id", "frequency", "is_focus"]).subtracting(more)
    let updated: Field<NumberedEntity<Habit>> =
      more.contains("is_focus")
      ? Field("updated_at", .null, .server, seen: { habit, view in view.updated(habit) })
      : Field("updated_at", .null, .server) { $0.updated }
    let fields = habitColumns.filter { !hidden.contains($0.column.name) } + [updated]
    let owner = ForeignKey("user_id", of: "habits", to: "profiles")
    let goal = ForeignKey("goal_id", of: "habits", to: "goals")
    return .owned(
      "habits", fields, of: .habit, in: \.habits, numbers: { $0.allHabits(of: $1) },
      isShown: { !$0.isDeleted }, foreignKeys: more.contains("goal_id") ? [owner, goal] : [owner],
      writer: EntityWriter(
        "habits", "habit", CreateHabit.self, UpdateHabit.self, DeleteHabit.self, in: \.habits,
        fields: habitFields, further: changeHabit),
      more: { change in
        guard case .focusChosen(let event) = change.entry.event else { return [] }
        return change.states.compactMap { $0.accounts[event.account]?.focusHabit }
      })
  }

  private static func habitFields(_ row: RowWrite) throws -> [JSON.Member] {
    let columns = row.columns
    var fields = try row.schedule(of: "habits")
    _ = try columns.amount("target_per_day", of: "habits")
    fields += try columns.times("reminders")
    fields += columns.fields(["name", "color_hex", "type", "target_per_day"]) + columns.emoji
    if row.former == nil, let goal = columns["goal_id"] {
      fields.append(JSON.Member("goal", goal.field))
    }
    return fields
  }

  /// Records the parts of a habit that have commands of their own: its goal, its archiving, and the focus.
  private static func changeHabit(
    _ row: RowWrite, _ habit: Habit.ID, _ write: inout TableWrite
  ) throws {
    let (columns, isNew) = (row.columns, row.former == nil)
    if !isNew, columns.sets("goal_id") { try attach(habit, to: columns.key("goal_id"), &write) }
    switch columns.flag("is_active") {
    case true where !isNew: try write.record(RestoreHabit(habit))
    case false: try write.record(ArchiveHabit(habit))
    default: break
    }
    switch columns.flag("is_focus") {
    case true: try write.record(ChooseFocus(habit))
    case false where !isNew: try write.record(ChooseFocus(nil))
    default: break
    }
  }

  private static func attach(
    _ habit: Habit.ID, to goal: Values.Key?, _ write: inout TableWrite
  ) throws {
    guard let goal else {
      try write.record(DetachHabit(habit))
      return
    }
    guard let number = write.batch.state.goals.number(of: goal) else {
      throw Rejection.goalNotFound
    }
    try write.record(AttachHabit(habit, to: number))
  }

  private static var habitColumns: [Field<NumberedEntity<Habit>>] {
    [
      Field("id", .freshKey) { $0.key }, .account("user_id", .caller) { $0.owner },
      Field("goal_id", seen: { habit, view in habit.goal.flatMap { view.state.goals[$0]?.key } }),
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
        seen: { habit, view in view.state.accounts[habit.owner]?.focusHabit == habit.number }),
      Field("created_at", .null, .once) { $0.created },
    ]
  }
}

extension AccountView {
  /// The time of the last change to a habit's row, including its focus, which is recorded in the account.
  fileprivate func updated(_ habit: NumberedEntity<Habit>) -> Instant {
    let spans = state.accounts[habit.owner]?.focus ?? []
    let moved = spans.last { $0.habit == habit.number }.map { $0.until ?? $0.since }
    return max(habit.updated, moved ?? habit.updated)
  }
}

extension RowWrite {
  /// The schedule that two columns describe, as a field of a command; none when the client sets neither. Daily means
  /// every day, whatever the weekdays are. A column that the client does not set keeps the row's value.
  func schedule(of table: String) throws(TableError) -> [JSON.Member] {
    let set = columns.filter { given.contains($0.key) }
    guard set.sets("schedule_daily") || set.sets("schedule_weekmask") else { return [] }
    let bits = set.integer("schedule_weekmask") ?? former?.integer("schedule_weekmask") ?? 127
    let weekdays =
      set.flag("schedule_daily") == true ? WeekdayMask.everyDay : WeekdayMask(bits: bits)
    guard let weekdays else { throw .checkFailed("schedule_weekmask", of: table) }
    return [JSON.Member("schedule_weekmask", .number(weekdays.bits))]
  }
}

extension RowColumns {
  /// The picture of a habit or a hive, as a field of a command. An empty one is NULL in rows.
  var emoji: [JSON.Member] {
    self["emoji"].map { [JSON.Member("emoji", .string($0.text ?? ""))] } ?? []
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
