import Calendar
import Daybook
import Streaks
import Values

extension AppTable {
  /// The days of Digit's habits (DG-3): one row per person, habit and day, with the entered
  /// progress.
  static var habitProgress: AppTable {
    let fields: [Field<LogThing>] = [
      .derivedKey(in: .habitProgress, ownedBy: { $0.habit.owner }) { log, _ in
        LogThing.key(.habitProgress, log.habit.key, log.record.day)
      },
      .account("user_id", .caller) { $0.habit.owner }, Field("habit_id") { $0.habit.key },
      Field("date") { $0.record.day },
      Field("progress", .value(.integer(0))) { log in
        log.habit.days.entered(on: log.record.day).map { Int($0.thousandths / 1000) } ?? log.value
      },
      Field("created_at", .null, .server) { $0.record.created },
      Field("updated_at", .null, .server) { $0.record.updated },
    ]
    return AppTable(
      "habit_progress", fields, isOfHabit: true,
      uniqueKeys: [["user_id", "habit_id", "date"], ["habit_id", "date"]],
      foreignKeys: [
        ForeignKey("habit_id", of: "habit_progress", to: "habits"),
        ForeignKey("user_id", of: "habit_progress", to: "profiles"),
      ],
      writer: HabitProgressWriter(), touched: { touchedLogs($0, "date") },
      things: { view, bounds, take in
        try view.forEachLog(bounds, days: ["date"], .habitProgress) { log in
          if !log.record.isSkipped { try take(log) }
        }
      })
  }
}

/// Carries out an account's writes to its progress.
struct HabitProgressWriter: TableWriter {
  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let day = row.day("date") else { throw TableError.isNull("date", of: "habit_progress") }
    let (number, habit) = try write.habit(row.key("habit_id"))
    try record(row, of: number, on: day, &write)
    return [LogThing.key(.habitProgress, habit.key, day).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day("date") else { return }
    let (number, _) = try write.habit(row.key("habit_id"))
    let new = row.merging(changes) { $1 }
    let (other, _) = try write.habit(new.key("habit_id"))
    let newDay = new.day("date") ?? day
    if newDay != day || other != number { try write.record(ClearLog(number, day: .day(day))) }
    try record(new, of: other, on: newDay, &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day("date") else { return }
    try write.record(ClearLog(write.habit(row.key("habit_id")).number, day: .day(day)))
  }

  private func record(
    _ row: RowColumns, of habit: Habit.ID, on day: Day, _ write: inout TableWrite
  ) throws {
    guard let progress = try row.amount("progress", of: "habit_progress") else {
      throw TableError.isNull("progress", of: "habit_progress")
    }
    // A log by a person is at least one, so only an import may record zero.
    var log = LogHabit(
      habit, value: progress, day: .day(day), source: progress == .zero ? .import : .api)
    // The date comes from the app's device, because the app's profiles have no zone.
    log.isOfAnyZone = true
    try write.record(log)
  }
}
