/// Fields for each command, as Ada may send them; nearly all named entities are hers.
enum CommandCases {
  private static let habit = #""habit":"\#(APIWorld.key(2, 1))""#
  private static let goal = #""goal":"\#(APIWorld.key(3, 1))""#
  private static let hive = #""p_hive_id":"\#(APIWorld.key(4, 1))""#
  private static let bob = #""member":"\#(APIWorld.bob)""#
  private static let household = #""household":"\#(APIWorld.key(5, 1))""#
  private static let householdTask = #""task":"\#(APIWorld.key(6, 1))""#
  private static let recipe = #""recipe":"\#(APIWorld.key(8, 2))""#
  private static let meal = #""meal":"\#(APIWorld.key(9, 2))""#
  private static let item = #""item":"\#(APIWorld.key(12, 1))""#
  private static let list = #""list":"\#(APIWorld.list)""#
  private static let staple = #""staple":"\#(APIWorld.key(11, 1))""#
  private static let tea = #""event":"\#(APIWorld.key(10, 1))""#
  private static let task = #""task":"\#(APIWorld.key(8, 1))""#
  private static let label = #""label":"\#(APIWorld.key(9, 1))""#
  private static let phone = #""kind":"phone","hash":"\#(String(repeating: "a", count: 64))""#
  private static let calendar =
    #"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260304T120000Z\nEND:VEVENT\nEND:VCALENDAR"#

  static let fields: [String: String] = [
    "add_grocery_item": #"\#(household),"name":"Spy""#,
    "add_hive_member": #"\#(hive),"member":"\#(APIWorld.key(1, 4))""#,
    "add_household_member": #"\#(household),"member":"\#(APIWorld.key(1, 4))""#,
    "add_pantry_staple": #"\#(household),"name":"Spy""#,
    "advance_hive_day": #"\#(hive),"p_day":"2026-03-02""#,
    "archive_habit": habit,
    "assign_household_task": #"\#(householdTask),"assigned_to":"\#(APIWorld.key(1, 2))""#,
    "attach_habit": "\(habit),\(goal)",
    "check_grocery_item": item,
    "choose_focus": habit,
    "choose_grocery_list": #"\#(list),"is_current":false"#,
    "clear_hive_log": hive,
    "clear_log": #"\#(habit),"day":"2026-03-01""#,
    "complete_household_task": householdTask,
    "complete_onboarding": "",
    "complete_task": task,
    "create_account": #""key":"\#(APIWorld.key(1, 1))","display_name":"Eve""#,
    "create_calendar_event": #"\#(household),"title":"Spy","start_time":"2026-03-04""#,
    "create_goal": #""key":"\#(APIWorld.key(3, 1))","title":"Fit""#,
    "create_habit": #""name":"Spy",\#(goal)"#,
    "create_hive": #""key":"\#(APIWorld.key(4, 1))","name":"Bees""#,
    "create_hive_from_habit": #""p_habit_id":"\#(APIWorld.key(2, 1))""#,
    "create_hive_invite": hive,
    "create_household": #""key":"\#(APIWorld.key(5, 1))","name":"Home""#,
    "create_household_code": household,
    "create_household_task": #"\#(household),"title":"Spy""#,
    "create_label": #""key":"\#(APIWorld.key(9, 1))","name":"home""#,
    "create_recipe": #"\#(household),"title":"Spy""#,
    "create_task": #""title":"Spy","parent_task_id":"\#(APIWorld.key(8, 1))""#,
    "delete_calendar_event": tea,
    "delete_goal": goal,
    "delete_grocery_list": list,
    "delete_habit": habit,
    "delete_hive": hive,
    "delete_household": household,
    "delete_household_task": householdTask,
    "delete_label": label,
    "delete_recipe": recipe,
    "delete_task": task,
    "detach_habit": habit,
    "generate_grocery_list": #"\#(household),"week_start":"2026-03-09""#,
    "hand_over_hive": "\(hive),\(bob)",
    "import_calendar": #"\#(household),"ics":"\#(calendar)""#,
    "join_hive_with_code": #""p_code":"00000000000b""#,
    "join_household_with_code": #""p_code":"00000000000d""#,
    "leave_hive": hive,
    "leave_household": household,
    "link_habit": "\(hive),\(habit)",
    "link_identity": phone,
    "log_habit": habit,
    "log_hive_today": hive,
    "move_habit": #"\#(habit),"place":"first""#,
    "move_task": #"\#(task),"bucket_key":"WEEKEND""#,
    "name_row": #""table":"habit_logs","#
      + #""row":"\#(APIWorld.key(90, 1))","name":"\#(APIWorld.key(90, 2))""#,
    "pause": #""from":"2026-03-01""#,
    "plan_meal": #"\#(household),\#(recipe),"date":"2026-03-04""#,
    "register_device": #""apns_token":"new-phone""#,
    "post_activity": #""type":"streak_milestone","data":{"n":7}"#,
    "remove_contacts": #""all":true"#,
    "remove_grocery_item": item,
    "remove_hive_member": "\(hive),\(bob)",
    "remove_household_member": "\(household),\(bob)",
    "remove_meal": meal,
    "remove_pantry_staple": staple,
    "rename_household": #"\#(household),"name":"Spy""#,
    "reopen_household_task": householdTask,
    "reopen_task": task,
    "request_upgrade": #""price":"price_1""#,
    "restore_habit": habit,
    "resume": "",
    "revoke_hive_invite": #""p_code":"00000000000a""#,
    "revoke_household_code": household,
    "save_contact": #""contact_hash":"spy","display_name":"Spy""#,
    "set_task_labels": #"\#(task),"labels":["\#(APIWorld.key(9, 1))"]"#,
    "settle": "",
    "skip_day": habit,
    "uncheck_grocery_item": item,
    "undo": #""position":5"#,
    "undo_task": #""position":5"#,
    "unlink_identity": phone,
    "unregister_device": #""apns_token":"adas-phone""#,
    "update_calendar_event": #"\#(tea),"title":"Spy""#,
    "update_goal": #"\#(goal),"title":"Spy""#,
    "update_grocery_item": #"\#(item),"name":"Spy""#,
    "update_habit": #"\#(habit),"name":"Spy""#,
    "update_hive": #"\#(hive),"name":"Spy""#,
    "update_household_task": #"\#(householdTask),"title":"Spy""#,
    "update_label": #"\#(label),"name":"Spy""#,
    "update_meal": #"\#(meal),"title":"Spy""#,
    "update_pantry_staple": #"\#(staple),"name":"Spy""#,
    "update_profile": #""display_name":"Eve""#,
    "update_recipe": #"\#(recipe),"title":"Spy""#,
    "update_task": #"\#(task),"title":"Spy""#,
    "upload_contacts": #""hashes":[]"#,
    "upsert_label": #""id":"\#(APIWorld.key(9, 1))","name":"Spy""#,
    "upsert_task": #""id":"\#(APIWorld.key(8, 1))","title":"Spy""#,
    "user_local_date": "",
    "verify_identity": phone,
  ]
}
