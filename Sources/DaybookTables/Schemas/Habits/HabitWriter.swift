import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

/// Carries out an account's writes to its habits.
struct HabitWriter: TableWriter {
  func insert(
    _ row: RowColumns, said: Set<String>, _ write: inout TableWrite
  ) throws -> [Value] {
    var command = CreateHabit(
      key: row.key("id"), name: row.text("name") ?? "", goal: row.key("goal_id"))
    let content = try HabitColumns(row, schedule: schedule(row.filled(said), row))
    content.set(&command.content)
    command.begun = row.instant("created_at")
    let habit = try write.record(command)
    if row.flag("is_active") == false { try write.record(ArchiveHabit(habit)) }
    if row.flag("is_focus") == true { try write.record(ChooseFocus(habit)) }
    return [write.batch.state.habits[habit]?.key.columnValue ?? .null]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    guard let number = row.key("id").flatMap({ write.batch.state.habits.number(of: $0) }) else {
      throw Rejection.habitNotFound
    }
    let changes = changes.differing(from: row)
    let content = try HabitColumns(changes, schedule: schedule(changes, row))
    try write.record(UpdateHabit(number) { content.set(&$0) })
    if changes.says("goal_id") { try attach(number, to: changes.key("goal_id"), &write) }
    switch changes.flag("is_active") {
    case true: try write.record(RestoreHabit(number))
    case false: try write.record(ArchiveHabit(number))
    case nil: break
    }
    if let isFocus = changes.flag("is_focus") {
      try write.record(ChooseFocus(isFocus ? number : nil))
    }
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let number = row.key("id").flatMap({ write.batch.state.habits.number(of: $0) }) else {
      throw Rejection.habitNotFound
    }
    try write.record(DeleteHabit(number))
  }

  private func attach(
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
}

/// The schedule that two columns describe; `nil` when neither is set. Daily means every day, whatever the weekdays
/// are. A column that the client does not set keeps the row's value.
///
/// - Throws: ``TableError``.
func schedule(
  _ said: RowColumns, _ row: RowColumns, of table: String = "habits"
) throws(TableError) -> WeekdayMask? {
  guard said.says("schedule_daily") || said.says("schedule_weekmask") else { return nil }
  if said.flag("schedule_daily") == true { return .everyDay }
  let bits = said.integer("schedule_weekmask") ?? row.integer("schedule_weekmask") ?? 127
  guard let weekdays = WeekdayMask(bits: bits) else {
    throw .checkFailed("schedule_weekmask", of: table)
  }
  return weekdays
}

/// The columns of a habit's content that a client set.
struct HabitColumns {
  private let columns: RowColumns
  private let target: Amount?
  private let reminders: [LocalTime]?
  private let weekdays: WeekdayMask?

  init(_ columns: RowColumns, schedule weekdays: WeekdayMask?) throws(TableError) {
    self.columns = columns
    self.weekdays = weekdays
    target = try columns.amount("target_per_day", of: "habits")
    reminders =
      if let texts = columns.texts("reminders") { try localTimes(texts) } else { nil }
  }

  /// Changes content by the columns that are set.
  func set(_ content: inout HabitContent) {
    if let name = columns.text("name") { content.description.name = name }
    if columns.says("emoji") { content.description.emoji = columns.text("emoji") ?? "" }
    if let color = columns.text("color_hex") { content.description.color = color }
    if let type: HabitType = columns.choice("type") { content.type = type }
    if let target { content.target.amount = target }
    if let weekdays { content.schedule = .weekdays(weekdays) }
    if let reminders { content.reminders = reminders }
  }
}
