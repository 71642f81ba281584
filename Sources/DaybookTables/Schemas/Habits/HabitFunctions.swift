import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

extension RemoteFunction {
  /// `user_local_date`: the day of an instant for an account (HH-3). The caller may ask about themselves and those
  /// who share a hive with them.
  static var userLocalDate: RemoteFunction {
    RemoteFunction(
      "user_local_date",
      [Argument("p_user", .uuid), Argument("p_at", .timestamp, defaultValue: .null)],
      isReadOnly: true
    ) { arguments, write in
      let state = write.batch.state
      guard let number = arguments.key("p_user").flatMap({ state.accounts.number(of: $0) }),
        let account = state.accounts[number], !account.isErased,
        number == write.viewer || state.shareHive(number, write.viewer),
        let day = account.dayClock.day(
          of: arguments.instant("p_at") ?? write.at, in: write.view.reader.zones)
      else { throw TableError.raised("user not found") }
      return .scalar(.date(day))
    }
  }

  /// `log_habit`: logs the day of an instant (HH-8). A second call changes the day's one row.
  static var logHabit: RemoteFunction {
    RemoteFunction(
      "log_habit",
      [
        Argument("p_habit_id", .uuid), Argument("p_value", .integer, defaultValue: .integer(1)),
        Argument("p_at", .timestamp, defaultValue: .null),
      ]
    ) { arguments, write in
      let (number, habit) = try write.raising { try $0.habit(arguments.key("p_habit_id")) }
      let day = try write.call(
        LogHabit(
          number, value: arguments.loggedAmount("p_value"),
          day: write.dayOf(arguments.instant("p_at")), source: .api))
      return .row(
        table: "habit_logs", key: ["habit_id": .uuid(habit.key), "log_date": .date(day)])
    }
  }
}

extension BookState {
  /// Whether two accounts are members of one hive now.
  fileprivate func shareHive(_ one: Account.ID, _ other: Account.ID) -> Bool {
    hives(of: other).contains { hives[$0]?.member(one) != nil }
  }
}
