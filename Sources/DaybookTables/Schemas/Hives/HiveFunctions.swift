import Calendar
import Daybook
import DaybookStore
import Streaks
import Values

extension RemoteFunction {
  /// HabitHive's functions (HH-15…HH-22), for what its tables cannot express.
  static var habitHive: [RemoteFunction] {
    [
      userLocalDate, logHabit, createHiveFromHabit, createHiveInvite, joinHive, logHiveToday,
      advanceHiveDay, handOverHive,
    ]
  }

  private static var createHiveFromHabit: RemoteFunction {
    RemoteFunction(
      "create_hive_from_habit",
      [
        Argument("p_habit_id", .uuid), Argument("p_name", .text, defaultValue: .null),
        Argument("p_backfill_days", .integer, defaultValue: .integer(30)),
      ]
    ) { arguments, write in
      let habit = try write.raising { try $0.habit(arguments.key("p_habit_id")).number }
      let hive = try write.call(
        CreateHiveFromHabit(
          habit, name: arguments.text("p_name"),
          backfillDays: arguments.integer("p_backfill_days") ?? 30))
      return .scalar((write.batch.state.hives[hive]?.key).columnValue)
    }
  }

  private static var createHiveInvite: RemoteFunction {
    RemoteFunction(
      "create_hive_invite",
      [
        Argument("p_hive_id", .uuid),
        Argument("p_ttl_minutes", .integer, defaultValue: .integer(10_080)),
        Argument("p_max_uses", .integer, defaultValue: .integer(20)),
      ]
    ) { arguments, write in
      let hive = try write.raising { try $0.hive(arguments.key("p_hive_id")) }
      let invite = try write.call(
        CreateHiveInvite(
          hive, minutes: arguments.integer("p_ttl_minutes") ?? 10_080,
          maximumUseCount: arguments.integer("p_max_uses") ?? 20))
      guard let key = write.batch.state.hives[hive]?.key else {
        throw TableError.raised("hive not found")
      }
      return .row(
        table: "hive_invites",
        key: [
          "hive_id": .uuid(key), "id": .uuid(HiveInviteThing.key(key, invite.number - 1)),
        ])
    }
  }

  private static var joinHive: RemoteFunction {
    RemoteFunction("join_hive_with_code", [Argument("p_code", .text)]) { arguments, write in
      let hive = try write.call(JoinHive(arguments.text("p_code") ?? ""))
      return .scalar((write.batch.state.hives[hive]?.key).columnValue)
    }
  }

  private static var logHiveToday: RemoteFunction {
    RemoteFunction(
      "log_hive_today",
      [
        Argument("p_hive_id", .uuid), Argument("p_value", .integer, defaultValue: .integer(1)),
        Argument("p_at", .timestamp, defaultValue: .null),
      ]
    ) { arguments, write in
      let hive = try write.raising { try $0.hive(arguments.key("p_hive_id")) }
      let day = try write.call(
        LogHiveDay(
          hive, value: arguments.loggedAmount("p_value"),
          day: write.dayOf(arguments.instant("p_at")), source: .api))
      return .row(
        table: "hive_member_days",
        key: [
          "hive_id": arguments["p_hive_id"] ?? .null, "user_id": write.key.columnValue,
          "day_date": .date(day.day),
        ])
    }
  }

  private static var advanceHiveDay: RemoteFunction {
    RemoteFunction(
      "advance_hive_day", [Argument("p_hive_id", .uuid), Argument("p_day", .date)]
    ) { arguments, write in
      let hive = try write.raising { try $0.hive(arguments.key("p_hive_id")) }
      let day = try write.call(AdvanceHiveDay(hive, day: arguments.day("p_day") ?? .first))
      return .rows([
        [
          ("advanced", .bool(day.hasAdvanced)),
          ("complete_count", .integer(Int64(day.completeCount))),
          ("required_count", .integer(Int64(day.requiredCount))),
        ]
      ])
    }
  }

  /// `hand_over_hive`: makes another member the owner (HH-18).
  private static var handOverHive: RemoteFunction {
    RemoteFunction(
      "hand_over_hive", [Argument("p_hive_id", .uuid), Argument("p_member", .uuid)]
    ) { arguments, write in
      let hive = try write.raising { try $0.hive(arguments.key("p_hive_id")) }
      let person = arguments.key("p_member")
      guard let member = person.flatMap({ write.batch.state.accounts.number(of: $0) }) else {
        throw TableError.raised("member not found")
      }
      try write.call(HandOverHive(hive, to: member))
      return .void
    }
  }
}
