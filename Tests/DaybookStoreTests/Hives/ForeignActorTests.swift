import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// Every command by every account that does not own its entity: it is refused, and nothing changes (MO-9, HH-1,
/// HH-16, MC-11). A new command without a line here fails.
@Suite(.tags(.law)) struct ForeignActorTests {
  /// Accounts that send commands about Ada's entities: a habit, a goal, a hive that she leads, and a household that
  /// she created.
  enum Foreigner: String, CaseIterable, Sendable {
    case stranger, former, fellow, nobody, erased

    var key: String? {
      switch self {
      case .stranger: World.key(1, 4)
      case .former: World.key(1, 3)
      case .fellow: World.key(1, 2)
      case .nobody: nil
      case .erased: World.key(1, 5)
      }
    }
  }

  /// A command on an entity of Ada's, with the refusal for each outsider; an outsider without a refusal may send it.
  struct Row: Sendable {
    var fields: String
    var codes: [Foreigner: String]
    /// An account that may send it; `nil` if it is refused to everybody.
    var rightful: String? = World.key(1, 1)
    /// Whether it is about a household, whose members have equal rights.
    var isShared = false
  }

  /// About one's own account alone, since no other can be named.
  static let own: [Foreigner: String] = [
    .nobody: "actor_missing", .erased: "account_not_found",
  ]
  /// About a habit or goal: its owner alone.
  static let owned = own.merging([
    .stranger: "not_owner", .former: "not_owner", .fellow: "not_owner",
  ]) { $1 }
  /// About a hive: its members alone.
  static let shared = own.merging([.stranger: "not_member", .former: "not_member"]) { $1 }
  /// About a hive: its owner alone.
  static let led = shared.merging([.fellow: "not_owner"]) { $1 }
  static let taken = own.merging([
    .stranger: "key_taken", .former: "key_taken", .fellow: "key_taken",
  ]) { $1 }
  static let coded = own.merging([
    .stranger: "invalid_code", .former: "invalid_code", .fellow: "invalid_code",
  ]) { $1 }

  private static let habit = #""habit":"\#(World.key(2, 1))""#
  private static let goal = #""goal":"\#(World.key(3, 1))""#
  private static let hive = #""p_hive_id":"\#(World.key(4, 1))""#
  private static let bob = #""member":"\#(World.key(1, 2))""#

  private static let household = #""household":"\#(World.key(5, 1))""#
  private static let householdTask = #""task":"\#(World.key(6, 1))""#
  private static let recipe = #""recipe":"\#(World.key(8, 1))""#
  private static let meal = #""meal":"\#(World.key(9, 1))""#
  private static let item = #""item":"\#(World.key(12, 1))""#
  private static let list =
    #""list":"\#(Key(derivedFrom: ["grocery list", World.key(5, 1), "2026-03-02"]))""#
  private static let pantryStaple = #""staple":"\#(World.key(11, 1))""#
  private static let tea = #""event":"\#(World.key(10, 1))""#
  /// A command about a household: for everybody but its members the household does not exist (MC-11).
  static let housed = hidden("household_not_found")
  static let householdTaskHidden = hidden("household_task_not_found")
  static let itemHidden = hidden("grocery_item_not_found")

  static func hidden(_ code: String) -> [Foreigner: String] {
    own.merging([.stranger: code, .former: code]) { $1 }
  }
  private static let task = #""task":"\#(World.key(8, 1))""#
  private static let label = #""label":"\#(World.key(9, 1))""#

  /// About an entry: only its account may know of it.
  private static let undone = own.merging([
    .stranger: "entry_not_found", .former: "entry_not_found", .fellow: "entry_not_found",
  ]) { $1 }

  private static let phone = #""kind":"phone""#

  /// The hash of a phone number, with one digit repeated.
  private static func hash(_ digit: String) -> String {
    #""hash":"\#(String(repeating: digit, count: 64))""#
  }

  private static func identity(_ code: String) -> [Foreigner: String] {
    own.merging([.stranger: code, .former: code, .fellow: code]) { $1 }
  }

  static let matrix: [String: Row] = [
    "create_account": Row(
      fields: #""key":"\#(World.key(1, 1))","display_name":"Eve""#,
      codes: Dictionary(uniqueKeysWithValues: Foreigner.allCases.map { ($0, "key_taken") }),
      rightful: nil),
    "update_profile": Row(fields: #""display_name":"Eve""#, codes: own),
    "user_local_date": Row(fields: "", codes: own),
    "pause": Row(fields: #""from":"2026-03-01""#, codes: own),
    "resume": Row(fields: "", codes: own),
    "link_identity": Row(fields: "\(phone),\(hash("a"))", codes: identity("identity_taken")),
    "verify_identity": Row(
      fields: "\(phone),\(hash("a"))", codes: identity("identity_not_found")),
    "unlink_identity": Row(fields: "\(phone),\(hash("a"))", codes: own),
    "register_device": Row(fields: #""apns_token":"new-phone""#, codes: own),
    "unregister_device": Row(fields: #""apns_token":"adas-phone""#, codes: own),
    "upload_contacts": Row(fields: #""hashes":[]"#, codes: own),
    "save_contact": Row(
      fields: #""contact_hash":"carol","display_name":"Carol""#, codes: own),
    "name_row": Row(
      fields: #""table":"habit_logs","row":"\#(World.key(90, 1))","name":"\#(World.key(90, 2))""#,
      codes: own),
    "request_upgrade": Row(fields: #""price":"3.99 a month""#, codes: own),
    "post_activity": Row(
      fields: #""type":"hive_joined","hive":"\#(World.key(4, 1))""#,
      codes: own.merging([.stranger: "not_member", .former: "not_member"]) { $1 }),
    "remove_contacts": Row(fields: #""all":true"#, codes: own),
    "complete_onboarding": Row(fields: "", codes: own),
    "create_habit": Row(fields: #""name":"Spy",\#(goal)"#, codes: owned),
    "update_habit": Row(fields: #"\#(habit),"name":"Spy""#, codes: owned),
    "archive_habit": Row(fields: habit, codes: owned),
    "restore_habit": Row(fields: habit, codes: owned),
    "delete_habit": Row(fields: habit, codes: owned),
    "log_habit": Row(fields: habit, codes: owned),
    "clear_log": Row(fields: #"\#(habit),"day":"2026-03-01""#, codes: owned),
    "skip_day": Row(fields: habit, codes: owned),
    "choose_focus": Row(fields: habit, codes: owned),
    "create_goal": Row(fields: #""key":"\#(World.key(3, 1))","title":"Fit""#, codes: taken),
    "update_goal": Row(fields: #"\#(goal),"title":"Spy""#, codes: owned),
    "delete_goal": Row(fields: goal, codes: owned),
    "attach_habit": Row(fields: "\(habit),\(goal)", codes: owned),
    "detach_habit": Row(fields: habit, codes: owned),
    "create_task": Row(
      fields: #""title":"Spy","parent_task_id":"\#(World.key(8, 1))""#, codes: owned),
    "update_task": Row(fields: #"\#(task),"title":"Spy""#, codes: owned),
    "move_task": Row(fields: #"\#(task),"bucket_key":"WEEKEND""#, codes: owned),
    "complete_task": Row(fields: task, codes: owned),
    "reopen_task": Row(fields: task, codes: owned),
    "delete_task": Row(fields: task, codes: owned),
    "upsert_task": Row(fields: #""id":"\#(World.key(8, 1))","title":"Spy""#, codes: owned),
    "create_label": Row(fields: #""key":"\#(World.key(9, 1))","name":"home""#, codes: taken),
    "update_label": Row(fields: #"\#(label),"name":"Spy""#, codes: owned),
    "delete_label": Row(fields: label, codes: owned),
    "upsert_label": Row(fields: #""id":"\#(World.key(9, 1))","name":"Spy""#, codes: owned),
    "set_task_labels": Row(
      fields: #"\#(task),"labels":["\#(World.key(9, 1))"]"#, codes: owned),
    "undo_task": Row(fields: #""position":\#(World.taskPosition)"#, codes: undone),
    "undo": Row(fields: #""position":\#(World.taskPosition)"#, codes: undone),
    "move_habit": Row(fields: #"\#(habit),"place":"first""#, codes: owned),
    "create_hive": Row(fields: #""key":"\#(World.key(4, 1))","name":"Bees""#, codes: taken),
    "create_hive_from_habit": Row(
      fields: #""p_habit_id":"\#(World.key(2, 1))""#, codes: owned),
    "update_hive": Row(fields: #"\#(hive),"name":"Spy""#, codes: led),
    "hand_over_hive": Row(fields: "\(hive),\(bob)", codes: led),
    "delete_hive": Row(fields: hive, codes: led),
    "create_hive_invite": Row(fields: hive, codes: led),
    "revoke_hive_invite": Row(fields: #""p_code":"00000000000a""#, codes: coded),
    // The code was revoked, so nobody joins by it.
    "join_hive_with_code": Row(
      fields: #""p_code":"00000000000b""#, codes: coded, rightful: nil),
    // Dan is among Ada's contacts.
    "add_hive_member": Row(
      fields: #"\#(hive),"member":"\#(World.key(1, 4))""#, codes: led),
    "leave_hive": Row(fields: hive, codes: shared, rightful: World.key(1, 2)),
    "remove_hive_member": Row(fields: "\(hive),\(bob)", codes: led),
    "link_habit": Row(
      fields: "\(hive),\(habit)", codes: shared.merging([.fellow: "not_owner"]) { $1 }),
    "log_hive_today": Row(fields: hive, codes: shared),
    "clear_hive_log": Row(fields: hive, codes: shared),
    // A caller without an account is the system, which may ask about a day, and alone settles.
    "advance_hive_day": Row(
      fields: #"\#(hive),"p_day":"2026-03-02""#,
      codes: shared.filter { $0.key != .nobody }),
    "create_household": Row(
      fields: #""key":"\#(World.key(5, 1))","name":"Home""#,
      // Bob is a member, and for him it is the same household.
      codes: taken.filter { $0.key != .fellow }),
    "rename_household": Row(fields: #"\#(household),"name":"Spy""#, codes: housed, isShared: true),
    "add_household_member": Row(
      fields: #"\#(household),"member":"\#(World.key(1, 4))""#, codes: housed, isShared: true),
    "leave_household": Row(fields: household, codes: housed, isShared: true),
    "remove_household_member": Row(fields: "\(household),\(bob)", codes: housed, isShared: true),
    "delete_household": Row(fields: household, codes: housed, isShared: true),
    "create_household_code": Row(fields: household, codes: housed, isShared: true),
    "revoke_household_code": Row(fields: household, codes: housed, isShared: true),
    // The household has no code.
    "join_household_with_code": Row(
      fields: #""p_code":"00000000000d""#,
      codes: own.merging([
        .stranger: "invalid_code", .former: "invalid_code", .fellow: "invalid_code",
      ]) { $1 }, rightful: nil),
    "create_household_task": Row(
      fields: #"\#(household),"title":"Spy""#, codes: housed, isShared: true),
    "update_household_task": Row(
      fields: #"\#(householdTask),"title":"Spy""#, codes: householdTaskHidden, isShared: true),
    "assign_household_task": Row(
      fields: #"\#(householdTask),"assigned_to":"\#(World.key(1, 2))""#, codes: householdTaskHidden,
      isShared: true),
    "complete_household_task": Row(
      fields: householdTask, codes: householdTaskHidden, isShared: true),
    "reopen_household_task": Row(fields: householdTask, codes: householdTaskHidden, isShared: true),
    "delete_household_task": Row(fields: householdTask, codes: householdTaskHidden, isShared: true),
    "create_recipe": Row(
      fields: #"\#(household),"title":"Spy""#, codes: housed, isShared: true),
    "update_recipe": Row(
      fields: #"\#(recipe),"title":"Spy""#, codes: hidden("recipe_not_found"), isShared: true),
    "delete_recipe": Row(fields: recipe, codes: hidden("recipe_not_found"), isShared: true),
    "plan_meal": Row(
      fields: #"\#(household),\#(recipe),"date":"2026-03-04""#, codes: housed, isShared: true),
    "update_meal": Row(
      fields: #"\#(meal),"title":"Spy""#, codes: hidden("meal_not_found"), isShared: true),
    "remove_meal": Row(fields: meal, codes: hidden("meal_not_found"), isShared: true),
    "generate_grocery_list": Row(
      fields: #"\#(household),"week_start":"2026-03-09""#, codes: housed, isShared: true),
    "add_grocery_item": Row(fields: #"\#(household),"name":"Spy""#, codes: housed, isShared: true),
    "update_grocery_item": Row(
      fields: #"\#(item),"name":"Spy""#, codes: itemHidden, isShared: true),
    "check_grocery_item": Row(fields: item, codes: itemHidden, isShared: true),
    "uncheck_grocery_item": Row(fields: item, codes: itemHidden, isShared: true),
    "remove_grocery_item": Row(fields: item, codes: itemHidden, isShared: true),
    "choose_grocery_list": Row(
      fields: #"\#(list),"is_current":false"#, codes: hidden("grocery_list_not_found"),
      isShared: true),
    "delete_grocery_list": Row(
      fields: list, codes: hidden("grocery_list_not_found"), isShared: true),
    "add_pantry_staple": Row(
      fields: #"\#(household),"name":"Spy""#, codes: housed, isShared: true),
    "update_pantry_staple": Row(
      fields: #"\#(pantryStaple),"name":"Spy""#, codes: hidden("pantry_staple_not_found"),
      isShared: true),
    "remove_pantry_staple": Row(
      fields: pantryStaple, codes: hidden("pantry_staple_not_found"), isShared: true),
    "create_calendar_event": Row(
      fields: #"\#(household),"title":"Spy","start_time":"2026-03-04""#, codes: housed,
      isShared: true),
    "update_calendar_event": Row(
      fields: #"\#(tea),"title":"Spy""#, codes: hidden("calendar_event_not_found"),
      isShared: true),
    "delete_calendar_event": Row(
      fields: tea, codes: hidden("calendar_event_not_found"), isShared: true),
    "import_calendar": Row(
      fields:
        #"\#(household),"ics":"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260304T120000Z\nEND:VEVENT\nEND:VCALENDAR""#,
      codes: housed, isShared: true),
    "settle": Row(
      fields: "",
      codes: Dictionary(
        uniqueKeysWithValues: Foreigner.allCases.filter { $0 != .nobody }.map {
          ($0, "system_only")
        }
      ), rightful: nil),
  ]

  @Test func `every command is in the matrix`() {
    #expect(Set(Request.names) == Set(Self.matrix.keys))
  }

  @Test
  func
    `a command on others' entities is refused and changes nothing (MO-9, HH-1, HH-16, MC-11)`()
    throws
  {
    let world = try World(erasing: true)
    let before = world.book.read { ($0.digest, $0.position) }
    for (name, row) in Self.matrix.sorted(by: { $0.key < $1.key }) {
      for (foreigner, code) in row.codes {
        let outcome = try world.ask(name, row.fields, as: foreigner.key)
        let found = outcome.json["error"]?["code"]?.text
        #expect(found == code, "\(name) by the \(foreigner): \(outcome.json.encoded)")
      }
    }
    #expect(world.book.read { $0.digest } == before.0)
    #expect(world.book.read { $0.position } == before.1)
  }

  @Test(arguments: matrix.keys.sorted())
  func `the owner may act, and others change only what is their own (MO-9)`(name: String) throws {
    let row = try #require(Self.matrix[name])
    if let rightful = row.rightful {
      let outcome = try World(erasing: false).ask(name, row.fields, as: rightful)
      #expect(outcome.isAccepted, "\(name): \(outcome.json.encoded)")
    }
    for foreigner in Foreigner.allCases where row.codes[foreigner] == nil {
      let world = try World(erasing: false)
      let before = world.rows(without: foreigner.key)
      let outcome = try world.ask(name, row.fields, as: foreigner.key)
      #expect(outcome.isAccepted, "\(name) by the \(foreigner): \(outcome.json.encoded)")
      if row.isShared && foreigner == .fellow { continue }
      // Every change names its actor.
      #expect(world.rows(without: foreigner.key) == before, "\(name) by the \(foreigner)")
    }
  }

  /// Ada's habit, goal, hive and household; Bob is in both, Cy was, Dan never was; Eve was, and is erased.
  struct World {
    let book: Book

    /// The position at which Ada creates her task.
    static let taskPosition = 6

    static func key(_ kind: UInt64, _ number: Int) -> String { Menu.key(kind, number).description }

    init(erasing: Bool) throws {
      let clock = HandClock(try #require(Instant("2026-03-02T12:00:00Z")))
      book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
      var lines = (1...5).map {
        #"{"do":"create_account","key":"\#(Self.key(1, $0))","timezone":"UTC"}"#
      }
      let ada = Self.key(1, 1)
      let hive = #""p_hive_id":"\#(Self.key(4, 1))""#
      // The entry after those of the five accounts.
      lines += [
        #"{"do":"create_task","as":"\#(ada)","title":"Buy milk","key":"\#(Self.key(8, 1))"}"#,
        #"{"do":"create_label","as":"\#(ada)","key":"\#(Self.key(9, 1))","name":"home"}"#,
      ]
      lines += [
        #"{"do":"create_goal","as":"\#(ada)","key":"\#(Self.key(3, 1))","title":"Fit"}"#,
        #"{"do":"create_habit","as":"\#(ada)","key":"\#(Self.key(2, 1))","name":"Run"}"#,
        #"{"do":"log_habit","as":"\#(ada)","habit":"\#(Self.key(2, 1))","day":"2026-03-01"}"#,
        #"{"do":"create_hive","as":"\#(ada)","key":"\#(Self.key(4, 1))","name":"Bees"}"#,
        #"{"do":"create_hive_invite","as":"\#(ada)",\#(hive),"code":"00000000000a"}"#,
        #"{"do":"create_hive_invite","as":"\#(ada)",\#(hive),"code":"00000000000b"}"#,
        #"{"do":"log_hive_today","as":"\#(ada)",\#(hive)}"#,
      ]
      let (adas, dans) = (String(repeating: "a", count: 64), String(repeating: "d", count: 64))
      lines += [
        #"{"do":"link_identity","as":"\#(ada)","kind":"phone","hash":"\#(adas)"}"#,
        #"{"do":"link_identity","as":"\#(Self.key(1, 4))","kind":"phone","hash":"\#(dans)","verified":true}"#,
        #"{"do":"upload_contacts","as":"\#(ada)","hashes":["\#(dans)"]}"#,
        #"{"do":"register_device","as":"\#(ada)","apns_token":"adas-phone"}"#,
      ]
      let household = #""household":"\#(Self.key(5, 1))""#
      lines += [
        #"{"do":"create_household","as":"\#(ada)","key":"\#(Self.key(5, 1))","name":"Home"}"#,
        #"{"do":"create_household_task","as":"\#(ada)",\#(household),"key":"\#(Self.key(6, 1))","title":"Wash up"}"#,
        #"{"do":"create_recipe","as":"\#(ada)",\#(household),"key":"\#(Self.key(8, 1))","title":"Soup"}"#,
        #"{"do":"plan_meal","as":"\#(ada)",\#(household),"key":"\#(Self.key(9, 1))","recipe":"\#(Self.key(8, 1))","date":"2026-03-03"}"#,
        #"{"do":"add_grocery_item","as":"\#(ada)",\#(household),"key":"\#(Self.key(12, 1))","name":"Tea"}"#,
        #"{"do":"add_pantry_staple","as":"\#(ada)",\#(household),"key":"\#(Self.key(11, 1))","name":"Salt"}"#,
        #"{"do":"create_calendar_event","as":"\#(ada)",\#(household),"key":"\#(Self.key(10, 1))","title":"Tea","start_time":"2026-03-03"}"#,
      ]
      for number in [2, 3, 5] {
        lines.append(
          #"{"do":"add_household_member","as":"\#(ada)",\#(household),"member":"\#(Self.key(1, number))"}"#
        )
      }
      lines.append(#"{"do":"leave_household","as":"\#(Self.key(1, 3))",\#(household)}"#)
      for number in [2, 3, 5] {
        lines.append(
          #"{"do":"join_hive_with_code","as":"\#(Self.key(1, number))","p_code":"00000000000a"}"#)
      }
      lines += [
        #"{"do":"leave_hive","as":"\#(Self.key(1, 3))",\#(hive)}"#,
        #"{"do":"revoke_hive_invite","as":"\#(ada)","p_code":"00000000000b"}"#,
      ]
      for line in lines {
        let outcome = try book.record(line: line)
        #expect(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
      }
      if erasing, let eve = Account.ID(5) { try book.erase(eve) }
    }

    func ask(_ name: String, _ fields: String, as key: String?) throws -> RequestOutcome {
      let actor = key.map { #","as":"\#($0)""# } ?? ""
      let rest = fields.isEmpty ? "" : "," + fields
      return try book.record(line: #"{"do":"\#(name)"\#(actor)\#(rest)}"#)
    }

    /// All rows except those that name an account, and the counts of the hive's days, which concern everybody.
    func rows(without key: String?) -> [String] {
      book.read { state in
        state.tables.filter { $0.name != "hive_days" }.flatMap { table in
          table.rows.map { "\(table.name) \($0.encoded)" }
        }
        .filter { row in key.map { !row.contains($0) } ?? true }
      }
    }
  }
}
