import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

/// A recorded day of a habit.
struct LogThing {
  let habit: NumberedEntity<Habit>
  let record: DayTable.Record

  /// The key of a row, derived from the habit and the day.
  static func key(_ table: NamedTable, _ habit: Values.Key, _ day: Day) -> Values.Key {
    var keys = LogKeys(table, habit)
    return keys[day]
  }

  /// The value as a whole number, as the app shows it; 0 for a skipped day.
  var value: Int {
    record.isSkipped
      ? 0 : record.value.whole(of: habit.entity.version(on: record.day).target.amount)
  }
}

/// The keys of a habit's rows in a table, derived from the days.
struct LogKeys {
  private var bytes: [UInt8] = []
  private let headCount: Int

  init(_ table: NamedTable, _ habit: Values.Key) {
    bytes.reserveCapacity(80)
    bytes.append(contentsOf: (table == .habitProgress ? "habit_progress" : "habit_log").utf8)
    bytes.append(0)
    habit.appendText(to: &bytes)
    bytes.append(0)
    headCount = bytes.count
  }

  subscript(day: Day) -> Values.Key {
    mutating get {
      bytes.removeLast(bytes.count - headCount)
      day.appendText(to: &bytes)
      return Values.Key(derivedFrom: bytes)
    }
  }
}

extension AppTable {
  /// The days of habits (HH-8…HH-10): one row per habit and day. A skipped day is a row with the value 0 that says
  /// so. The day's column has the app's name for it: `log_date`, `date`, or both.
  static func habitLogs(_ columns: [String] = ["log_date"]) -> AppTable {
    let isDateOnly = columns == ["date"]
    var fields: [Field<LogThing>] = [
      .derivedKey(in: .habitLogs, ownedBy: { $0.habit.owner }) { log, _ in
        LogThing.key(.habitLogs, log.habit.key, log.record.day)
      },
      Field("habit_id") { $0.habit.key }, .account("user_id", .caller) { $0.habit.owner },
    ]
    for column in columns {
      fields.append(Field(column, isNullable: columns.count > 1) { $0.record.day })
    }
    fields += [
      Field("value", .value(.integer(1))) { $0.value }
    ]
    // An app that knows only check-ins does not see skipped days.
    if !isDateOnly { fields.append(Field("skipped", .value(.bool(false))) { $0.record.isSkipped }) }
    fields += [
      Field("source", .value(.text(LogSource.manual.rawValue))) { $0.record.source },
      Field("created_at", .null, .server) { $0.record.created },
      Field("updated_at", .null, .server) { $0.record.updated },
    ]
    let dayNames = columns
    return AppTable(
      "habit_logs", fields, isOfHabit: true, uniqueKeys: dayNames.map { ["habit_id", $0] },
      foreignKeys: [
        ForeignKey("habit_id", of: "habit_logs", to: "habits"),
        ForeignKey("user_id", of: "habit_logs", to: "profiles"),
      ],
      writer: HabitLogWriter(days: dayNames),
      touched: { touchedLogs($0, dayNames[0]) },
      things: { view, bounds, take in
        try view.forEachLog(bounds, days: dayNames, .habitLogs) { log in
          if !(isDateOnly && log.record.isSkipped) { try take(log) }
        }
      })
  }

  /// The rows of a habit's days that an entry touched.
  static func touchedLogs(_ change: EntryChange, _ column: String) -> [TouchedRow] {
    let habits: [Habit.ID]
    var days: ClosedRange<Day> = .first ... .last
    switch change.entry.event {
    case .habitLogged(let event): (habits, days) = ([event.habit], event.day...event.day)
    case .habitLogCleared(let event): (habits, days) = ([event.habit], event.day...event.day)
    case .habitDaySkipped(let event): (habits, days) = ([event.habit], event.day...event.day)
    case .habitDayReverted(let event): (habits, days) = ([event.habit], event.day...event.day)
    // A day's value in whole numbers depends on its target.
    case .habitDeleted(let event): habits = [event.habit]
    case .habitUndeleted(let event): habits = [event.habit]
    case .habitTargetChanged(let event): habits = [event.habit]
    case .habitVersionsReverted(let event): habits = [event.habit]
    case .accountErased(let event): habits = change.before.allHabits(of: event.account)
    default: return []
    }
    return habits.flatMap { number -> [TouchedRow] in
      guard let habit = change.after.habits[number] else { return [] }
      let known = Set(
        change.states.flatMap { state in
          state.habits[number]?.days.records.map(\.day).filter(days.contains) ?? []
        })
      return known.sorted().map { day in
        TouchedRow(["habit_id": .uuid(habit.key), column: .date(day)], for: [habit.owner])
      }
    }
  }
}

extension AccountView {
  /// Passes on the days of the viewer's habits that may match, as rows of a table.
  func forEachLog(
    _ bounds: ScanBounds, days columns: [String], _ table: NamedTable,
    _ take: (LogThing) throws -> Void
  ) throws {
    let days = bounds.days(columns)
    let few = days.few
    // Making rows costs much more than testing days. Days that are tested and left out cost the request's budget
    // nothing, so after some milliseconds of testing all further days become rows, which the budget counts.
    let ids = bounds.equal["id"]
    var uncounted = 10_000
    try forEachOwn(bounds, "habit_id", in: state.habits, { $0.allHabits(of: $1) }) { habit in
      guard !habit.isDeleted else { return }
      if let few {
        for day in few {
          guard let record = habit.days[day] else { continue }
          try take(LogThing(habit: habit, record: record))
        }
        return
      }
      var keys = LogKeys(table, habit.key)
      for record in habit.days.records where days.admits(record.day) {
        if let ids, uncounted > 0 {
          uncounted -= 1
          let key = shown(keys[record.day], in: table, ownedBy: viewer)
          guard ids.contains(.uuid(key)) else { continue }
        }
        try take(LogThing(habit: habit, record: record))
      }
    }
  }
}

/// Carries out an account's writes to the days of its habits.
struct HabitLogWriter: TableWriter {
  /// The names of the day's columns.
  let days: [String]

  func insert(
    _ row: RowColumns, given: Set<String>, _ write: inout TableWrite
  ) throws -> [TableValue] {
    guard let day = days.compactMap({ row.day($0) }).first else {
      throw TableError.isNull(days[0], of: "habit_logs")
    }
    let (number, habit) = try write.habit(row.key("habit_id"))
    try record(row, of: number, on: day, &write)
    return [LogThing.key(.habitLogs, habit.key, day).columnValue]
  }

  func update(_ row: RowColumns, to changes: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day(days[0]) else { return }
    let (number, _) = try write.habit(row.key("habit_id"))
    var new = row.merging(changes) { $1 }
    // Logging a skipped day removes the skip, because an app need not know of skips.
    if changes.sets("value"), !write.given.contains("skipped") { new["skipped"] = .bool(false) }
    let (other, _) = try write.habit(new.key("habit_id"))
    let newDay = days.compactMap { changes.day($0) }.first ?? day
    if newDay != day || other != number { try write.record(ClearLog(number, day: .day(day))) }
    try record(new, of: other, on: newDay, &write)
  }

  func delete(_ row: RowColumns, _ write: inout TableWrite) throws {
    guard let day = row.day(days[0]) else { return }
    try write.record(ClearLog(write.habit(row.key("habit_id")).number, day: .day(day)))
  }

  private func record(
    _ row: RowColumns, of habit: Habit.ID, on day: Day, _ write: inout TableWrite
  ) throws {
    let source: LogSource = row.choice("source") ?? .manual
    // The date comes from the app's device, whose zone need not be the profile's.
    if row.flag("skipped") == true {
      var skip = SkipDay(habit, day: .day(day), source: source)
      skip.isOfAnyZone = true
      try write.record(skip)
    } else {
      // Less than one counts as one, because deleting the row clears a day (R2).
      let value = Amount(max(row.integer("value") ?? 1, 0)) ?? .one
      var log = LogHabit(habit, value: value, day: .day(day), source: source)
      log.isOfAnyZone = true
      try write.record(log)
    }
  }
}

extension TableWrite {
  /// The habit with a key, if it belongs to the caller.
  func habit(_ key: Values.Key?) throws(Rejection) -> (number: Habit.ID, habit: Habit) {
    // Read once, because each read of a batch's state copies it.
    let habits = batch.state.habits
    guard let number = key.flatMap({ habits.number(of: $0) }), let habit = habits[number],
      !habit.isDeleted, habit.owner == viewer
    else { throw .habitNotFound }
    return (number, habit)
  }
}
