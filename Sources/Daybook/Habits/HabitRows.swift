import Values
package import Calendar
import Streaks
package import Avro

/// A habit's row of `habits`: its current rules, and every version with the first day on which it holds.
struct HabitRow: RowForm {
  let habit: Habit
  let owner: Key?
  let goal: Key?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == HabitRow {
    visitor.column("id", as: Habit.ID.self) { $0.habit.key }
    visitor.column("user_id", as: Account.ID?.self) { $0.owner }
    visitor.column("goal_id", as: Goal.ID?.self) { $0.goal }
    visitor.column("name") { $0.habit.description.name }
    visitor.column("emoji") { $0.habit.description.emoji }
    visitor.column("color_hex") { $0.habit.description.color }
    visitor.column("question") { $0.habit.description.question }
    visitor.column("unit") { $0.habit.description.unit }
    visitor.column("type", as: HabitType.self) { $0.habit.type.rawValue }
    visitor.version { $0.habit.version }
    visitor.column("reminders") { $0.habit.reminders }
    visitor.column("is_active") { !$0.habit.isArchived }
    visitor.column("created_on") { $0.habit.createdOn }
    visitor.column("versions", rows: "its schedules and targets, each with its first day") {
      $0.habit.versions.map { VersionRow(version: $0) }
    }
    visitor.column(
      "archived", rows: "the days on which it was archived; `to` is null while it still is"
    ) {
      $0.habit.archived.map { SpanRow(first: $0.first, last: $0.last) }
    }
    visitor.column("created_at") { $0.habit.created }
    visitor.column("updated_at") { $0.habit.updated }
  }
}

/// A version of a habit's rules, from a day on.
private struct VersionRow: RowForm {
  let version: HabitHistory.Version

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == VersionRow {
    visitor.column("since") { $0.version.since }
    visitor.version { $0.version }
  }
}

/// A span of days.
private struct SpanRow: RowForm {
  let first: Day
  let last: Day?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == SpanRow {
    visitor.column("from") { $0.first }
    visitor.column("to") { $0.last }
  }
}

/// A quota: a number of times in a number of days.
private struct QuotaRow: RowForm {
  let times: Int
  let days: Int

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == QuotaRow {
    visitor.column("times") { $0.times }
    visitor.column("days") { $0.days }
  }
}

/// A day's row of `habit_logs`.
struct LogRow: RowForm {
  let habit: Key
  let owner: Key?
  let record: DayTable.Record
  let entered: Amount?
  let note: String?

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == LogRow {
    visitor.column("habit_id", as: Habit.ID.self) { $0.habit }
    visitor.column("user_id", as: Account.ID?.self) { $0.owner }
    visitor.column("log_date") { $0.record.day }
    visitor.column("value", "the value that counts; null for a skipped day") {
      $0.record.isSkipped ? nil : $0.record.value
    }
    visitor.optional("entered_value", "the entered value, if a different value counts") {
      $0.entered
    }
    visitor.column("skipped") { $0.record.isSkipped }
    visitor.column("source", as: LogSource.self) { $0.record.source.rawValue }
    visitor.column("note") { $0.note }
    visitor.column("created_at") { $0.record.created }
    visitor.column("updated_at") { $0.record.updated }
  }
}

extension BookState {
  /// The habit's row of `habits`.
  package func habitRow(_ habit: Habit) -> JSON { row(habit).json }

  fileprivate func row(_ habit: Habit) -> HabitRow {
    HabitRow(
      habit: habit, owner: key(of: habit.owner), goal: habit.goal.flatMap { goals[$0]?.key })
  }

  func write(_ record: DayTable.Record, of habit: Habit, to json: inout JSONWriter) {
    write(record, of: habit, key(of: habit.owner), to: &json)
  }

  fileprivate func write(
    _ record: DayTable.Record, of habit: Habit, _ owner: Key?, to json: inout JSONWriter
  ) {
    LogRow(
      habit: habit.key, owner: owner, record: record, entered: habit.days.entered(on: record.day),
      note: habit.days.note(on: record.day)
    ).write(to: &json)
  }

  fileprivate func key(of account: Account.ID) -> Key? {
    accounts.place(of: account).map { accounts.elements[$0].key }
  }

  /// The row of a day without a record.
  package func emptyLogRow(_ habit: Habit, _ day: Day) -> JSON {
    [
      "habit_id": .key(habit.key), "user_id": .key(accounts[habit.owner]?.key),
      "log_date": .day(day), "value": .null, "skipped": false,
    ]
  }

  /// The indices of the habits that were not deleted, by key.
  fileprivate var habitsByKey: [Int] {
    habits.elements.indices.filter { !habits.elements[$0].isDeleted }
      .sorted { habits.elements[$0].key < habits.elements[$1].key }
  }
}

/// The rows of habits, in the form of `habits`.
package struct HabitList: Listing {
  private let state: BookState
  private let places: [Int]

  /// The habits of an account, or of all, in the order in which they are shown; if a day is given, only those created
  /// by then.
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

  /// The number of habits.
  package var stepCount: Int { places.count }

  package var habits: [Habit] { places.map { state.habits.elements[$0] } }

  /// Writes one row for each habit.
  package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
    for place in places[steps] { state.row(state.habits.elements[place]).write(to: &rows) }
  }
}

/// The rows of all days of all habits, in the form of `habit_logs`, by the habits' keys.
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

extension RowVisitor {
  /// Visits the columns of a version's rules.
  fileprivate mutating func version(_ version: (Row) -> HabitHistory.Version) {
    column("target_per_day") { version($0).target.amount }
    column("target_bound", as: Target.Bound.self) {
      version($0).target.bound.rawValue
    }
    column("schedule_daily") { version($0).schedule == .daily }
    column("schedule_weekmask", "bit 0 = Monday … bit 6 = Sunday") { row -> Int? in
      if case .weekdays(let weekdays) = version(row).schedule { Int(weekdays.bits) } else { nil }
    }
    column("schedule_quota", schema: QuotaRow?.rowSchema, "`times` in every `days` days") {
      row -> QuotaRow? in
      if case .quota(let times, let days) = version(row).schedule {
        QuotaRow(times: Int(times), days: Int(days))
      } else {
        nil
      }
    }
  }
}

extension Habit: RowEntity {
  package func row(in state: BookState) -> JSON { state.habitRow(self) }

  static func tables(of state: BookState) -> [RowTable] {
    [
      RowTable("habits", HabitRow.columns) { HabitList(byKeyIn: state) },
      RowTable("habit_logs", LogRow.columns) { LogList(state) },
    ]
  }
}
