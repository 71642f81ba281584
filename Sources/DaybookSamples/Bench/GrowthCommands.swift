import Avro
import Daybook

/// Every command in its JSON form, in an order in which each can be carried out several times, each
/// time on other entities of a ``GrowthBook``.
struct GrowthCommands {
  /// One of the commands, or an unmeasured preparation for the next one.
  struct Step {
    var name: String
    var isMeasured = true
    /// The other fields, for the n-th time from 0.
    var fields: (Int) -> [(String, JSON)]
    /// The actor: the person, unless it is another account.
    var actor: (Int) -> Int? = { _ in 0 }
  }

  /// The steps, in order.
  static var steps: [Step] {
    accountSteps + habitSteps + hiveSteps + householdSteps + householdTaskSteps + kitchenSteps
      + calendarSteps + taskSteps
  }

  /// The line of a step.
  static func line(_ step: Step, _ time: Int) -> String {
    var members = [JSON.Member("do", .string(step.name))]
    if let actor = step.actor(time) { members.append(.init("as", key(.account, actor))) }
    members += step.fields(time).map { JSON.Member($0.0, $0.1) }
    return JSON.object(members).encoded
  }

  /// A command of the person.
  private static func step(
    _ name: String, _ fields: @escaping (Int) -> [(String, JSON)] = { _ in [] }
  ) -> Step {
    Step(name: name, fields: fields)
  }

  /// A command of another account, or of nobody.
  private static func step(
    _ name: String, as actor: @escaping (Int) -> Int?,
    _ fields: @escaping (Int) -> [(String, JSON)] = { _ in [] }
  ) -> Step {
    Step(name: name, fields: fields, actor: actor)
  }

  /// A preparation that is not measured.
  private static func before(_ step: Step) -> Step {
    var step = step
    step.isMeasured = false
    return step
  }

  private static func key(_ thing: GrowthBook.Thing, _ index: Int) -> JSON {
    .string(GrowthBook.key(thing, index).description)
  }

  private static func hash(_ index: Int) -> JSON { .string(GrowthBook.hash(index).description) }
  private static func code(_ index: Int) -> JSON { .string(GrowthBook.code(index)) }
  /// A key that nothing has yet; each command has its own keys.
  private static func fresh(_ kind: Int, _ time: Int) -> JSON { key(.fresh, kind * 1000 + time) }
  private static func name(_ time: Int) -> JSON { .string("New \(time)") }
  private static func day(_ offset: Int) -> JSON {
    .string(GrowthBook.today.advanced(by: offset).description)
  }
  /// The list of a future week.
  private static func list(_ time: Int) -> JSON {
    let week = MealWeek.monday(of: GrowthBook.today.advanced(by: 7 * (10 + time)))
    let parts = ["grocery list", GrowthBook.key(.household, 0).description, week.description]
    return .string(Key(derivedFrom: parts).description)
  }
  private static let home = key(.household, 0)
  private static let larder = key(.household, 1)

  private static var accountSteps: [Step] {
    let email: (Int) -> [(String, JSON)] = {
      [("kind", "email"), ("hash", hash(1_000_000_000 + $0))]
    }
    return [
      step("create_account", as: { _ in nil }) {
        [("key", fresh(1, $0)), ("display_name", name($0))]
      },
      step("update_profile") { [("display_name", name($0))] },
      step("user_local_date"),
      step("link_identity", as: { $0 }, email), step("verify_identity", as: { $0 }, email),
      step("unlink_identity", as: { $0 }, email),
      step("register_device") { [("apns_token", name($0).withoutSpace)] },
      step("unregister_device") { [("apns_token", name($0).withoutSpace)] },
      step("upload_contacts") { [("hashes", [hash(100 + $0)])] },
      step("save_contact") { [("contact_hash", hash(100 + $0)), ("display_name", name($0))] },
      step("name_row") {
        [("table", "habit_logs"), ("row", fresh(14, $0)), ("name", fresh(15, $0))]
      },
      step("request_upgrade") { [("price", name($0))] },
      step("complete_onboarding", as: { $0 }),
      step("pause", as: { $0 }) { _ in [("from", day(0))] }, step("resume", as: { $0 }),
    ]
  }

  private static var habitSteps: [Step] {
    let habit: (Int) -> [(String, JSON)] = { [("habit", key(.habit, $0))] }
    return [
      step("create_habit") { [("key", fresh(2, $0)), ("name", name($0))] },
      step("update_habit") { habit($0) + [("name", name($0))] },
      step("skip_day", habit), step("log_habit", habit), step("clear_log", habit),
      step("archive_habit", habit), step("restore_habit", habit), step("choose_focus", habit),
      // Its cost depends on the person's number of habits, because they are ordered as a whole.
      before(
        step("create_habit", as: { 1 + $0 }) { [("key", fresh(17, $0)), ("name", name($0))] }),
      before(step("create_habit", as: { 1 + $0 }) { [("key", fresh(18, $0)), ("name", "Last")] }),
      step("move_habit", as: { 1 + $0 }) { [("habit", fresh(18, $0)), ("place", "first")] },
      step("create_goal") { [("key", fresh(3, $0)), ("title", name($0))] },
      step("update_goal") { [("goal", key(.goal, $0)), ("title", name($0))] },
      step("attach_habit") { habit($0) + [("goal", key(.goal, $0))] },
      step("detach_habit", habit),
      before(step("attach_habit") { habit($0) + [("goal", key(.goal, $0))] }),
      step("delete_goal") { [("goal", key(.goal, $0))] },
      step("delete_habit") { habit(40 + $0) },
    ]
  }

  private static var hiveSteps: [Step] {
    let hive: (Int) -> [(String, JSON)] = { [("p_hive_id", key(.hive, $0))] }
    let own: (Int) -> JSON = { code(1 << 40 + $0) }
    return [
      step("create_hive") { [("key", fresh(4, $0)), ("name", name($0))] },
      step("create_hive_from_habit") {
        [("key", fresh(5, $0)), ("p_habit_id", key(.habit, 80 + $0))]
      },
      step("update_hive") { hive($0) + [("name", name($0))] },
      step("create_hive_invite") { hive(0) + [("code", code(1 << 41 + $0))] },
      before(step("create_hive_invite") { hive(1 + $0) + [("code", own($0))] }),
      step("join_hive_with_code", as: { 1 + $0 }) { [("p_code", own($0))] },
      step("revoke_hive_invite") { [("p_code", code($0))] },
      step("post_activity") {
        [("key", fresh(19, $0)), ("type", "habit_completed"), ("hive", key(.hive, 1 + $0))]
      },
      step("log_hive_today") { hive(1 + $0) }, step("clear_hive_log") { hive(1 + $0) },
      step("advance_hive_day") { hive(1 + $0) + [("p_day", day(0))] },
      step("link_habit") { hive(1 + $0) + [("habit", key(.habit, 80 + $0))] },
      step("hand_over_hive") { hive(1 + $0) + [("member", key(.account, 1 + $0))] },
      step("leave_hive") { hive(1 + $0) },
      step("add_hive_member") { hive(40 + $0) + [("member", key(.account, 100 + $0))] },
      step("remove_hive_member") { hive(40 + $0) + [("member", key(.account, 100 + $0))] },
      step("remove_contacts") { [("hashes", [hash(100 + $0)])] },
      step("delete_hive") { hive(80 + $0) },
      step("settle", as: { _ in nil }),
    ]
  }

  private static var householdSteps: [Step] {
    let household: (Int) -> [(String, JSON)] = { [("household", key(.household, $0))] }
    let member: (Int) -> [(String, JSON)] = { [("member", key(.account, 1 + $0))] }
    return [
      step("create_household") { [("key", fresh(6, $0)), ("name", name($0))] },
      step("rename_household") { household(2 + $0) + [("name", name($0))] },
      step("add_household_member") { household(0) + member($0) },
      step("remove_household_member") { household(0) + member($0) },
      before(step("add_household_member") { household(40 + $0) + member($0) }),
      step("leave_household", as: { 1 + $0 }) { household(40 + $0) },
      step("create_household_code") { household(41 + $0) + [("code", code(1 << 42 + $0))] },
      step("join_household_with_code", as: { 1 + $0 }) { [("p_code", code(1 << 42 + $0))] },
      step("revoke_household_code") { household(41 + $0) },
      step("delete_household") { household(80 + $0) },
    ]
  }

  private static var householdTaskSteps: [Step] {
    let householdTask: (Int) -> [(String, JSON)] = { [("task", key(.householdTask, $0))] }
    return [
      step("create_household_task") {
        [("household", home), ("key", fresh(7, $0)), ("title", name($0))]
      },
      step("update_household_task") { householdTask($0) + [("title", name($0))] },
      step("assign_household_task") { householdTask($0) + [("assigned_to", key(.account, 0))] },
      step("complete_household_task", householdTask), step("reopen_household_task", householdTask),
      step("delete_household_task", householdTask),
    ]
  }

  private static var kitchenSteps: [Step] {
    let recipe: (Int) -> [(String, JSON)] = { [("recipe", key(.recipe, $0))] }
    let item: (Int) -> [(String, JSON)] = { [("item", key(.item, $0))] }
    let pantryStaple: (Int) -> [(String, JSON)] = { [("staple", key(.pantryStaple, 1 + $0))] }
    return [
      step("create_recipe") { [("household", home), ("key", fresh(8, $0)), ("title", name($0))] },
      step("update_recipe") { recipe($0) + [("title", name($0))] },
      step("plan_meal") {
        [("household", home), ("key", fresh(9, $0)), ("date", day(0))] + recipe($0)
      },
      step("update_meal") { [("meal", key(.meal, $0)), ("title", name($0))] },
      step("remove_meal") { [("meal", key(.meal, $0))] },
      step("add_grocery_item") {
        [("household", home), ("key", fresh(10, $0)), ("name", name($0))]
      },
      step("update_grocery_item") { item($0) + [("name", name($0))] },
      step("check_grocery_item", item), step("uncheck_grocery_item", item),
      step("generate_grocery_list") { _ in [("household", home), ("week_start", day(0))] },
      step("remove_grocery_item", item),
      before(
        step("add_grocery_item") {
          [("household", home), ("week_start", day(7 * (10 + $0))), ("name", name($0))]
        }),
      step("choose_grocery_list") { [("list", list($0)), ("is_current", .bool(false))] },
      step("delete_grocery_list") { [("list", list($0))] },
      step("delete_recipe", recipe),
      step("add_pantry_staple") {
        [("household", larder), ("key", fresh(11, $0)), ("name", name($0))]
      },
      step("update_pantry_staple") { pantryStaple($0) + [("name", name($0))] },
      step("remove_pantry_staple", pantryStaple),
    ]
  }

  private static var calendarSteps: [Step] {
    let event: (Int) -> [(String, JSON)] = { [("event", key(.event, $0))] }
    return [
      step("create_calendar_event") {
        [
          ("household", home), ("key", fresh(12, $0)), ("title", name($0)), ("start_time", day(1)),
        ]
      },
      step("update_calendar_event") { event($0) + [("title", name($0))] },
      step("delete_calendar_event", event),
      step("import_calendar") { time in
        let lines = [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Growth//EN", "BEGIN:VEVENT",
          "UID:growth-\(time)", "DTSTAMP:20260101T000000Z", "DTSTART;VALUE=DATE:20260301",
          "SUMMARY:New", "END:VEVENT", "END:VCALENDAR", "",
        ]
        return [("household", home), ("ics", .string(lines.joined(separator: "\r\n")))]
      },
    ]
  }

  private static var taskSteps: [Step] {
    let task: (Int) -> [(String, JSON)] = { [("task", key(.task, $0))] }
    let label: (Int) -> [(String, JSON)] = { [("label", key(.label, $0))] }
    return [
      step("create_task") {
        [("key", fresh(13, $0)), ("title", name($0)), ("place", "first")]
      },
      step("update_task") { task($0) + [("title", name($0))] },
      step("undo_task"),
      before(step("update_task") { task($0) + [("title", name($0))] }),
      step("undo"),
      step("move_task") { task($0) + [("place", "first")] },
      step("complete_task", task), step("reopen_task", task),
      step("upsert_task") {
        [("id", fresh(14, $0)), ("title", name($0)), ("bucket_key", "THIS_WEEK")]
      },
      step("create_label") { [("key", fresh(15, $0)), ("name", name($0))] },
      step("update_label") { label($0) + [("name", .string("Other \($0)"))] },
      step("upsert_label") { [("id", fresh(16, $0)), ("name", .string("Third \($0)"))] },
      step("set_task_labels") { task($0) + [("labels", [key(.label, $0)])] },
      step("delete_label", label), step("delete_task", task),
    ]
  }
}

extension JSON {
  fileprivate var withoutSpace: JSON { text.map { .string($0.replacing(" ", with: "-")) } ?? self }
}
