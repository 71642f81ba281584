public import Avro

extension State {
  /// The habit's row of `habits`: what is asked now, and every version with the day from which it holds.
  public func habitRow(_ habit: Habit) -> JSON {
    let members: JSON = [
      "id": .key(habit.key), "user_id": .key(accounts[habit.owner]?.key),
      "goal_id": .key(habit.goal.flatMap { goals[$0]?.key }),
      "name": .string(habit.description.name), "emoji": .string(habit.description.emoji),
      "color_hex": .string(habit.description.color),
      "question": .string(habit.description.question), "unit": .string(habit.description.unit),
      "type": .string(habit.type.rawValue),
    ]
    let rest: JSON = [
      "reminders": .array(habit.reminders.map { .string($0.description) }),
      "is_active": .bool(!habit.isArchived), "created_on": .day(habit.createdOn),
      "versions": .array(
        habit.versions.map { version in
          .object([.init("since", .day(version.since))] + version.columns)
        }),
      "archived": .array(
        habit.archived.map { ["from": .day($0.first), "to": .day($0.last)] }),
      "created_at": .instant(habit.created), "updated_at": .instant(habit.updated),
    ]
    return .object((members.members ?? []) + habit.version.columns + (rest.members ?? []))
  }

  /// A day's row of `habit_logs`.
  public func logRow(_ habit: Habit, _ record: DayTable.Record) -> JSON {
    [
      "habit_id": .key(habit.key), "user_id": .key(accounts[habit.owner]?.key),
      "log_date": .day(record.day),
      "value": record.isSkipped ? .null : .number(record.value),
      "skipped": .bool(record.isSkipped), "source": .string(record.source.rawValue),
      "note": .text(habit.days.note(on: record.day)), "created_at": .instant(record.created),
      "updated_at": .instant(record.updated),
    ]
  }

  /// The row of a day of which nothing is known.
  public func emptyLogRow(_ habit: Habit, _ day: Day) -> JSON {
    [
      "habit_id": .key(habit.key), "user_id": .key(accounts[habit.owner]?.key),
      "log_date": .day(day), "value": .null, "skipped": false,
    ]
  }

  var habitRows: [JSON] { habitsByKey.map { habitRow($0) } }

  var logRows: [JSON] {
    habitsByKey.flatMap { habit in habit.days.records.map { logRow(habit, $0) } }
  }

  private var habitsByKey: [Habit] {
    habits.elements.filter { !$0.isDeleted }.sorted { $0.key < $1.key }
  }
}

extension HabitHistory.Version {
  /// The columns that say what a version asks.
  fileprivate var columns: [JSON.Member] {
    var mask: JSON = .null
    var quota: JSON = .null
    switch schedule {
    case .weekdays(let weekdays): mask = .number(weekdays.bits)
    case .quota(let times, let days): quota = ["times": .number(times), "days": .number(days)]
    }
    return [
      .init("target_per_day", .number(target.amount)),
      .init("target_bound", .string(target.bound.rawValue)),
      .init("schedule_daily", .bool(schedule == .daily)), .init("schedule_weekmask", mask),
      .init("schedule_quota", quota),
    ]
  }
}
