import Avro
import Daybook
import Testing

/// Commands in their JSON form.
@Suite(.tags(.unit)) struct RequestTests {
  let ada = person(1).key
  let habitKey = Key(high: 2, low: 1)

  /// Ada, with a habit and a goal.
  var scenario: Scenario { given(habit(target: Target(amount(3))), goal()) }

  private func request(_ text: String, in scenario: Scenario? = nil) throws -> Request {
    try Request(try JSON(parsing: text), (scenario ?? self.scenario).state, actor: First.account)
  }

  /// The code and field of the refusal when the text is read.
  private func refusal(_ text: String, in scenario: Scenario? = nil) throws -> [String?] {
    do {
      _ = try request(text, in: scenario)
    } catch let rejection as Rejection {
      return [rejection.code, rejection.field]
    }
    return []
  }

  /// The value of a log's request.
  private func value(_ text: String, in scenario: Scenario? = nil) throws -> Amount? {
    let line = #"{"do":"log_habit","habit":"\#(habitKey)","value":\#(text)}"#
    return (try request(line, in: scenario).body as? LogHabit)?.value
  }

  @Test func `a request states its actor, time and key`() throws {
    let id = "b946c09a-4a47-4fde-ade2-1d2859c784ef"
    let read = try request(
      #"{"do":"log_habit","as":"\#(ada)","habit":"\#(habitKey)","at":"2026-03-02T12:00:00Z","#
        + #""id":"\#(id.uppercased())","day":"2026-03-01","source":"sync","note":"x"}"#)
    #expect(read.actor == First.account)
    #expect(read.at == Scenario.noon)
    #expect(read.id?.description == id)
    let log = try #require(read.body as? LogHabit)
    #expect(log.habit == First.habit)
    #expect(log.day == .day(day("2026-03-01")))
    #expect(log.value == .one)
    #expect(log.source == .sync)
    #expect(log.note == "x")
  }

  @Test func `a log's day is day, else that of p_at, else today`() throws {
    let start = #"{"do":"skip_day","habit":"\#(habitKey)""#
    let instant = #","p_at":"2026-03-01T00:00:00Z""#
    let read = { (rest: String) in (try request(start + rest + "}").body as? SkipDay)?.day }
    #expect(try read("") == .today)
    #expect(try read(instant) == .dayOf(moment("2026-03-01T00:00:00Z")))
    #expect(try read(instant + #","day":"2026-02-01""#) == .day(day("2026-02-01")))
  }

  @Test func `a malformed request is refused with its field`() throws {
    let log = #""do":"log_habit","habit":"\#(habitKey)""#
    let create = #""do":"create_habit","name":"Read""#
    let rows: [(String, [String?])] = [
      ("[]", ["invalid_json", nil]), ("1", ["invalid_json", nil]),
      ("{}", ["missing_field", "do"]), (#"{"do":null}"#, ["missing_field", "do"]),
      (#"{"do":1}"#, ["invalid_field", "do"]),
      (#"{"do":"fly"}"#, ["unknown_command", "do"]),
      (#"{"do":"resume","now":true}"#, ["unknown_field", "now"]),
      (#"{"do":"log_habit"}"#, ["missing_field", "habit"]),
      (#"{"do":"choose_focus"}"#, ["missing_field", "habit"]),
      (#"{"do":"create_habit"}"#, ["missing_field", "name"]),
      (#"{"do":"create_goal"}"#, ["missing_field", "title"]),
      (#"{"do":"pause"}"#, ["missing_field", "from"]),
      (#"{"do":"log_habit","habit":"x"}"#, ["invalid_field", "habit"]),
      (#"{"do":"log_habit","habit":7}"#, ["invalid_field", "habit"]),
      ("{\(log),\"id\":\"b946c09a4a474fdeade21d2859c784ef\"}", ["invalid_field", "id"]),
      ("{\(log),\"at\":\"2026-03-02\"}", ["invalid_field", "at"]),
      ("{\(log),\"at\":1772452800000}", ["invalid_field", "at"]),
      ("{\(log),\"day\":\"2026-02-30\"}", ["invalid_field", "day"]),
      ("{\(log),\"day\":\"2026-3-1\"}", ["invalid_field", "day"]),
      ("{\(log),\"p_at\":\"yesterday\"}", ["invalid_field", "p_at"]),
      ("{\(log),\"source\":\"fax\"}", ["invalid_field", "source"]),
      ("{\(log),\"note\":3}", ["invalid_field", "note"]),
      ("{\(log),\"value\":\"1\"}", ["invalid_field", "value"]),
      ("{\(log),\"value\":0.0001}", ["invalid_field", "value"]),
      ("{\(log),\"value\":1000000001}", ["invalid_field", "value"]),
      ("{\(create),\"type\":\"radio\"}", ["invalid_field", "type"]),
      ("{\(create),\"target_per_day\":-1}", ["invalid_field", "target_per_day"]),
      ("{\(create),\"target_bound\":\"about\"}", ["invalid_field", "target_bound"]),
      ("{\(create),\"schedule_weekmask\":0}", ["invalid_field", "schedule_weekmask"]),
      ("{\(create),\"schedule_weekmask\":128}", ["invalid_field", "schedule_weekmask"]),
      ("{\(create),\"schedule_weekmask\":1.5}", ["invalid_field", "schedule_weekmask"]),
      ("{\(create),\"schedule_daily\":false}", ["invalid_field", "schedule_daily"]),
      ("{\(create),\"schedule_quota\":{\"times\":3}}", ["invalid_field", "schedule_quota"]),
      (
        "{\(create),\"schedule_quota\":{\"times\":8,\"days\":7}}",
        ["invalid_field", "schedule_quota"]
      ),
      (
        "{\(create),\"schedule_daily\":true,\"schedule_weekmask\":31}",
        ["invalid_field", "schedule_weekmask"]
      ),
      ("{\(create),\"reminders\":[\"24:00\"]}", ["invalid_field", "reminders"]),
      ("{\(create),\"goal\":\"x\"}", ["invalid_field", "goal"]),
      (#"{"do":"update_profile","display_name":null}"#, ["invalid_field", "display_name"]),
      (#"{"do":"update_profile","day_start_hour":4.5}"#, ["invalid_field", "day_start_hour"]),
      (#"{"do":"create_account","theme":"dark"}"#, ["invalid_field", "theme"]),
    ]
    for (text, expected) in rows { #expect(try refusal(text) == expected, "\(text)") }
  }

  @Test func `a key of no entity is not found`() throws {
    let other = Key(high: 9, low: 9)
    #expect(
      try refusal(#"{"do":"resume","as":"\#(other)"}"#) == ["account_not_found", "as"])
    #expect(
      try refusal(#"{"do":"log_habit","habit":"\#(other)"}"#) == ["habit_not_found", "habit"])
    #expect(
      try refusal(#"{"do":"delete_goal","goal":"\#(other)"}"#) == ["goal_not_found", "goal"])
  }

  @Test func `values outside the range are clamped into it (HH-8)`() throws {
    let rows: [(String, Int64)] = [
      ("0", 1000), ("-3", 1000), ("-0.5", 1000), ("1", 1000), ("2.5", 2500), ("2.500", 2500),
      ("3", 3000), ("9", 3000),
    ]
    for (text, kept) in rows {
      let command = LogHabit(First.habit, value: try #require(try value(text)))
      guard case .habitLogged(let logged) = try scenario.when(command).first else {
        Issue.record("\(text)")
        continue
      }
      #expect(logged.value == thousandths(kept), "\(text)")
    }
  }

  @Test func `an at-most habit refuses a negative value`() throws {
    let atMost = given(habit(target: Target(amount(3), .atMost)))
    #expect(try value("9", in: atMost) == amount(9))
    let line = #"{"do":"log_habit","habit":"\#(habitKey)","value":-3}"#
    #expect(try refusal(line, in: atMost) == ["invalid_field", "value"])
  }

  @Test func `equivalent schedules agree (HH-7)`() throws {
    let rows: [(String, Schedule)] = [
      ("", .daily), (#","schedule_daily":true"#, .daily),
      (#","schedule_daily":true,"schedule_weekmask":127"#, .daily),
      (#","schedule_daily":false,"schedule_weekmask":31"#, weekdays("MTWTF--")),
      (#","schedule_quota":{"times":7,"days":7}"#, .daily),
      (#","schedule_quota":{"times":3,"days":7}"#, .quota(times: 3, days: 7)),
    ]
    for (text, schedule) in rows {
      let read = try request(#"{"do":"create_habit","name":"Read"\#(text)}"#)
      #expect((read.body as? CreateHabit)?.content.schedule == schedule, "\(text)")
    }
  }

  @Test func `an edit sets only the fields that are present`() throws {
    let read = try request(
      #"{"do":"update_habit","habit":"\#(habitKey)","unit":"km","schedule_weekmask":3}"#)
    let update = try #require(read.body as? UpdateHabit)
    let expected = UpdateHabit(First.habit) {
      $0.description.unit = "km"
      $0.schedule = weekdays("MT-----")
    }
    #expect("\(update)" == "\(expected)")
    #expect(update.patch.has("unit") && !update.patch.has("name"))
    let profile = try request(#"{"do":"update_profile","avatar_url":null}"#).body
    let patch = try #require(profile as? UpdateProfile).patch
    #expect(patch.has("avatar_url"))
    #expect(!patch.has("display_name"))
    var pictured = Account.Profile()
    pictured.avatarURL = "a.png"
    #expect(patch.applied(to: pictured) == Account.Profile())
    let focus = try request(#"{"do":"choose_focus","habit":null}"#).body
    #expect(try scenario.when(try #require(focus as? ChooseFocus)) == [])
  }

  @Test func `every command has a name`() {
    #expect(
      Request.names == [
        "add_grocery_item", "add_hive_member", "add_household_member", "add_pantry_staple",
        "advance_hive_day", "archive_habit", "assign_household_task", "attach_habit",
        "check_grocery_item", "choose_focus", "choose_grocery_list", "clear_hive_log", "clear_log",
        "complete_household_task", "complete_onboarding", "complete_task", "create_account",
        "create_calendar_event", "create_goal", "create_habit", "create_hive",
        "create_hive_from_habit", "create_hive_invite", "create_household", "create_household_code",
        "create_household_task", "create_label", "create_recipe", "create_task",
        "delete_calendar_event", "delete_goal", "delete_grocery_list", "delete_habit",
        "delete_hive", "delete_household",
        "delete_household_task", "delete_label", "delete_recipe", "delete_task", "detach_habit",
        "generate_grocery_list", "hand_over_hive", "import_calendar", "join_hive_with_code",
        "join_household_with_code", "leave_hive", "leave_household", "link_habit", "link_identity",
        "log_habit", "log_hive_today", "move_habit", "move_task", "name_row", "pause", "plan_meal",
        "post_activity",
        "register_device", "remove_contacts", "remove_grocery_item", "remove_hive_member",
        "remove_household_member", "remove_meal", "remove_pantry_staple", "rename_household",
        "reopen_household_task", "reopen_task", "request_upgrade", "restore_habit", "resume",
        "revoke_hive_invite", "revoke_household_code", "save_contact", "set_task_labels", "settle",
        "skip_day", "uncheck_grocery_item",
        "undo", "undo_task", "unlink_identity", "unregister_device", "update_calendar_event",
        "update_goal", "update_grocery_item", "update_habit", "update_hive",
        "update_household_task", "update_label", "update_meal", "update_pantry_staple",
        "update_profile", "update_recipe", "update_task", "upload_contacts", "upsert_label",
        "upsert_task", "user_local_date", "verify_identity",
      ])
  }
}
