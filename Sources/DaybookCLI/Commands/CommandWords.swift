import ArgumentParser
import Daybook

/// The command-line equivalents of the commands that `apply` takes.
enum CommandWords {
  /// The command-line equivalent of a command.
  enum Words {
    /// The arguments after `daybook`.
    case words(String)
    /// No equivalent, for this reason.
    case applyOnly(String)
  }

  /// The equivalent of each command, by name.
  static let all: [String: Words] = {
    var all = (people.merging(household) { $1 }).mapValues { Words.words($0) }
    for (name, why) in applyOnly { all[name] = .applyOnly(why) }
    return all
  }()

  private static let people = [
    "create_account": "accounts add", "update_profile": "profile edit", "pause": "pause",
    "resume": "resume", "create_habit": "habits add", "update_habit": "habits edit",
    "archive_habit": "habits archive", "restore_habit": "habits restore",
    "move_habit": "habits edit",
    "delete_habit": "habits delete", "log_habit": "log", "clear_log": "clear",
    "skip_day": "skip", "choose_focus": "focus", "create_goal": "goals add",
    "update_goal": "goals edit", "delete_goal": "goals delete", "attach_habit": "goals attach",
    "detach_habit": "goals detach", "create_hive": "hives add",
    "create_hive_from_habit": "hives from-habit", "update_hive": "hives edit",
    "delete_hive": "hives delete", "hand_over_hive": "hives hand-over",
    "create_hive_invite": "invite", "revoke_hive_invite": "invite --revoke",
    "join_hive_with_code": "join", "leave_hive": "hives leave",
    "add_hive_member": "hives add-member", "remove_hive_member": "hives remove",
    "link_habit": "hives link", "log_hive_today": "hives log", "clear_hive_log": "hives clear",
    "advance_hive_day": "hives advance", "settle": "settle", "create_task": "task add",
    "update_task": "task edit", "move_task": "task move", "complete_task": "task done",
    "reopen_task": "task reopen", "delete_task": "task delete", "undo_task": "undo", "undo": "undo",
    "create_label": "labels add", "update_label": "labels edit", "delete_label": "labels delete",
    "set_task_labels": "task edit",
  ]

  private static let household = [
    "create_household": "household create", "create_household_code": "household code",
    "revoke_household_code": "household code", "join_household_with_code": "household join",
    "rename_household": "household rename",
    "delete_household": "household delete", "add_household_member": "household add",
    "remove_household_member": "household remove", "leave_household": "household leave",
    "create_household_task": "chores add", "update_household_task": "chores edit",
    "assign_household_task": "chores assign", "complete_household_task": "chores done",
    "reopen_household_task": "chores reopen", "delete_household_task": "chores delete",
    "create_recipe": "recipe add", "update_recipe": "recipe edit",
    "delete_recipe": "recipe delete", "plan_meal": "plan add", "update_meal": "plan edit",
    "remove_meal": "plan remove", "generate_grocery_list": "groceries generate",
    "add_grocery_item": "groceries add", "update_grocery_item": "groceries edit",
    "check_grocery_item": "groceries check", "uncheck_grocery_item": "groceries uncheck",
    "remove_grocery_item": "groceries remove", "delete_grocery_list": "groceries delete",
    "choose_grocery_list": "groceries choose",
    "add_pantry_staple": "pantry add",
    "update_pantry_staple": "pantry edit", "remove_pantry_staple": "pantry remove",
    "create_calendar_event": "calendar add", "update_calendar_event": "calendar edit",
    "delete_calendar_event": "calendar delete", "import_calendar": "import ics",
  ]

  private static let applyOnly = [
    "complete_onboarding": "the first steps in an app; `profile edit` and `habits add` do the same",
    "link_identity": "sent by the program that verifies it, such as a server that signs people in",
    "verify_identity":
      "sent by the program that verifies it, such as a server that signs people in",
    "unlink_identity":
      "sent by the program that verifies it, such as a server that signs people in",
    "register_device": "a phone's token, which its app knows",
    "unregister_device": "a phone's token, which its app knows",
    "upload_contacts": "a phone's address book, which its app knows",
    "remove_contacts": "a phone's address book, which its app knows",
    "save_contact": "a phone's address book, which its app knows",
    "name_row": "an app's names for its rows, which only the app knows",
    "request_upgrade": "sent by an app when somebody wants its paid version",
    "post_activity": "an app's post about its person; `log` and `hives log` record the day itself",
    "upsert_task": "rows of another program, in bulk; `task add` and `task edit` are for people",
    "upsert_label":
      "rows of another program, in bulk; `labels add` and `labels edit` are for people",
    "user_local_date": "a question of programs; `today` shows the day",
  ]
}
