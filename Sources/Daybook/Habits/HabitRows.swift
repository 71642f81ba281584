import Values
package import Calendar
import Streaks
package import Avro

extension BookState {
  /// The habit's row of `habits`: what is asked now, and every version with the day from which it holds.
  package func habitRow(_ habit: Habit) -> JSON { JSON(written: { write(habit, to: &$0) }) }

  func write(_ habit: Habit, to json: inout JSONWriter) {
    json.object { row in
      row.member("id", habit.key)
      row.member("user_id", key(of: habit.owner))
      row.member("goal_id", habit.goal.flatMap { goals[$0]?.key })
      row.member("name", habit.description.name)
      row.member("emoji", habit.description.emoji)
      row.member("color_hex", habit.description.color)
      row.member("question", habit.description.question)
      row.member("unit", habit.description.unit)
      row.member("type", habit.type.rawValue)
      habit.version.writeMembers(to: &row)
      row.member("reminders", habit.reminders) { $0.plain($1.appendText) }
      row.member("is_active", !habit.isArchived)
      row.member("created_on", habit.createdOn)
      row.member("versions", habit.versions) { json, version in
        json.object { row in
          row.member("since", version.since)
          version.writeMembers(to: &row)
        }
      }
      row.member("archived", habit.archived) { json, span in
        json.object { row in
          row.member("from", span.first)
          row.member("to", span.last)
        }
      }
      row.member("created_at", habit.created)
      row.member("updated_at", habit.updated)
    }
  }

  /// A day's row of `habit_logs`.
  package func logRow(_ habit: Habit, _ record: DayTable.Record) -> JSON {
    JSON(written: { write(record, of: habit, to: &$0) })
  }

  func write(_ record: DayTable.Record, of habit: Habit, to json: inout JSONWriter) {
    write(record, of: habit, key(of: habit.owner), to: &json)
  }

  fileprivate func write(
    _ record: DayTable.Record, of habit: Habit, _ owner: Key?, to json: inout JSONWriter
  ) {
    json.object { row in
      row.member("habit_id", habit.key)
      row.member("user_id", owner)
      row.member("log_date", record.day)
      row.member("value", record.isSkipped ? nil : record.value)
      if let entered = habit.days.entered(on: record.day) { row.member("entered_value", entered) }
      row.member("skipped", record.isSkipped)
      row.member("source", record.source.rawValue)
      row.member("note", habit.days.note(on: record.day))
      row.member("created_at", record.created)
      row.member("updated_at", record.updated)
    }
  }

  fileprivate func key(of account: Account.ID) -> Key? {
    accounts.place(of: account).map { accounts.elements[$0].key }
  }

  /// The row of a day of which nothing is known.
  package func emptyLogRow(_ habit: Habit, _ day: Day) -> JSON {
    [
      "habit_id": .key(habit.key), "user_id": .key(accounts[habit.owner]?.key),
      "log_date": .day(day), "value": .null, "skipped": false,
    ]
  }

  /// The places of the habits that were not deleted, by key.
  fileprivate var habitsByKey: [Int] {
    habits.elements.indices.filter { !habits.elements[$0].isDeleted }
      .sorted { habits.elements[$0].key < habits.elements[$1].key }
  }
}

/// The rows of habits, as `habits` has them.
package struct HabitList: Listing {
  private let state: BookState
  private let places: [Int]

  /// The habits of an account, or of all, in the order in which they are shown; with a day, those that had been
  /// created by it.
  package init(of account: Account.ID?, in state: BookState, on day: Day? = nil) {
    self.state = state
    places = state.shown(
      state.habits.elements.indices.filter { place in
        let habit = state.habits.elements[place]
        return !habit.isDeleted && (account == nil || habit.owner == account)
          && day.map { habit.createdOn <= $0 } ?? true
      })
  }

  /// All habits, by key.
  init(byKeyIn state: BookState) {
    self.state = state
    places = state.habitsByKey
  }

  /// How many habits there are.
  package var stepCount: Int { places.count }

  /// The habits.
  package var habits: [Habit] { places.map { state.habits.elements[$0] } }

  /// Writes a row a habit.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for place in places[steps] { state.write(state.habits.elements[place], to: &rows) }
  }
}

/// The rows of all days of all habits, as `habit_logs` has them, by the habits' keys.
struct LogList: Listing {
  private let state: BookState
  private let places: [Int]

  init(_ state: BookState) {
    self.state = state
    places = state.habitsByKey
  }

  var stepCount: Int { places.count }

  func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for place in places[steps] {
      let habit = state.habits.elements[place]
      let owner = state.key(of: habit.owner)
      for record in habit.days.records { state.write(record, of: habit, owner, to: &rows) }
    }
  }
}

extension HabitHistory.Version {
  /// Writes the members that say what a version asks.
  fileprivate func writeMembers(to row: inout JSONWriter) {
    row.member("target_per_day", target.amount)
    row.member("target_bound", target.bound.rawValue)
    row.member("schedule_daily", schedule == .daily)
    switch schedule {
    case .weekdays(let weekdays):
      row.member("schedule_weekmask", weekdays.bits)
      row.name("schedule_quota")
      row.null()
    case .quota(let times, let days):
      row.name("schedule_weekmask")
      row.null()
      row.name("schedule_quota")
      row.object { row in
        row.member("times", times)
        row.member("days", days)
      }
    }
  }
}

extension ColumnCommand where Answer == Habit.ID {
  /// The habit's row, or that it is gone.
  package func row(of answer: Habit.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.habitRow($0) }
  }
}
