import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// The answer to a repeated command, and its readers: the row as its own commit left it, and nothing for accounts
/// that may no longer see it.
@Suite(.tags(.unit)) struct RepeatedAnswerTests {
  static let (ada, bob) = (Menu.key(1, 1), Menu.key(1, 2))
  static let home = Menu.key(5, 1)
  let book: Book

  /// Ada and Bob live together.
  init() throws {
    let clock = HandClock(try #require(Instant("2026-03-02T12:00:00Z")))
    book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    for (key, name) in [(Self.ada, "Ada"), (Self.bob, "Bob")] {
      try apply(#""do":"create_account","key":"\#(key)","display_name":"\#(name)""#, by: nil)
    }
    try apply(#""do":"create_household","key":"\#(Self.home)","name":"Home""#, by: Self.ada)
    try apply(#""do":"add_household_member","member":"\#(Self.bob)""#, by: Self.ada)
  }

  /// Carries out a command for an account; it must be accepted unless a test says otherwise.
  @discardableResult
  private func apply(
    _ body: String, by actor: Key?, id: Int? = nil, isAccepted: Bool = true
  ) throws -> JSON {
    let (actor, id) = (
      actor.map { #","as":"\#($0)""# } ?? "", id.map { #","id":"\#(Menu.key(7, $0))""# } ?? ""
    )
    let outcome = try book.record(line: "{\(body)\(actor)\(id)}")
    try #require(outcome.isAccepted == isAccepted, "\(body): \(outcome.json.encoded)")
    return outcome.json
  }

  private static let removal = #""do":"remove_household_member","member":"\#(bob)""#

  /// Bob's command with an id; Ada's later change, in words that Bob must not read; and his refusal.
  struct Leak: Sendable, CustomTestStringConvertible {
    var before: [String] = []
    var line: String
    var change: String
    var code: String

    var testDescription: String { line }
  }

  private static func key(_ number: Int) -> String { Menu.key(8, number).description }

  static let leaks = [
    Leak(
      before: [#""do":"create_recipe","key":"\#(key(1))","title":"Tea","notes":"first""#],
      line: #""do":"update_recipe","recipe":"\#(key(1))","notes":"Bob's""#,
      change: #""do":"update_recipe","recipe":"\#(key(1))","notes":"SECRET""#,
      code: "recipe_not_found"),
    Leak(
      line: #""do":"create_household_task","key":"\#(key(2))","title":"Sweep""#,
      change: #""do":"update_household_task","task":"\#(key(2))","title":"SECRET""#,
      code: "household_task_not_found"),
    Leak(
      line: #""do":"plan_meal","key":"\#(key(3))","title":"Soup","date":"2026-03-03","#
        + #""meal_type":"dinner""#,
      change: #""do":"update_meal","meal":"\#(key(3))","title":"SECRET""#,
      code: "meal_not_found"),
    Leak(
      line: #""do":"rename_household","name":"Bob's home""#,
      change: #""do":"rename_household","name":"SECRET""#, code: "household_not_found"),
    Leak(
      before: [
        #""do":"create_calendar_event","key":"\#(key(4))","title":"Walk","#
          + #""start_time":"2026-03-03T10:00:00Z","end_time":"2026-03-03T11:00:00Z""#
      ],
      line: #""do":"update_calendar_event","event":"\#(key(4))","title":"Swim""#,
      change: #""do":"update_calendar_event","event":"\#(key(4))","title":"SECRET""#,
      code: "calendar_event_not_found"),
    Leak(
      line: #""do":"add_grocery_item","key":"\#(key(5))","name":"milk""#,
      change: #""do":"update_grocery_item","item":"\#(key(5))","note":"SECRET""#,
      code: "grocery_list_not_found"),
    Leak(
      line: #""do":"add_pantry_staple","key":"\#(key(6))","name":"salt""#,
      change: #""do":"update_pantry_staple","staple":"\#(key(6))","name":"SECRET""#,
      code: "pantry_staple_not_found"),
  ]

  @Test(arguments: leaks)
  func `a removed member's repeated command reveals nothing written later (HH-26, MC-11)`(
    _ leak: Leak
  ) throws {
    for line in leak.before { try apply(line, by: Self.bob) }
    let first = try apply(leak.line, by: Self.bob, id: 1)
    try apply(leak.change, by: Self.ada)
    let asMember = try apply(leak.line, by: Self.bob, id: 1)
    #expect(asMember == first, "a member gets the row as their own commit left it")
    try apply(Self.removal, by: Self.ada)
    let position = book.read { $0.position }
    let again = try apply(leak.line, by: Self.bob, id: 1, isAccepted: false)
    #expect(again["error"]?["code"] == .string(leak.code))
    #expect(again["position"] == first["position"], "the execution of the command is not secret")
    #expect(book.read { $0.position } == position)
  }

  @Test func `a repeated command for a deleted household is refused`() throws {
    let line = #""do":"rename_household","name":"Ours""#
    try apply(line, by: Self.bob, id: 1)
    try apply(#""do":"delete_household""#, by: Self.ada)
    let again = try apply(line, by: Self.bob, id: 1, isAccepted: false)
    #expect(again["error"]?["code"] == "household_not_found")
  }

  @Test func `a repeated command of an erased account is refused`() throws {
    let line = #""do":"rename_household","name":"Ours""#
    let own = #""do":"update_profile","theme":"mint""#
    let firsts = [
      try apply(line, by: Self.bob, id: 1), try apply(own, by: Self.bob, id: 2),
    ]
    let number = try #require(book.read { $0.accounts.number(of: Self.bob) })
    try book.erase(number)
    for (index, line) in [line, own].enumerated() {
      let again = try apply(line, by: Self.bob, id: index + 1, isAccepted: false)
      #expect(again["error"]?["code"] == "account_not_found")
      #expect(
        again["position"] == firsts[index]["position"], "the execution of the command is not secret"
      )
    }
    let others = try apply(own, by: Self.ada, id: 2, isAccepted: false)
    #expect(
      others["error"]?["code"] == "key_reused", "another account's line gets its usual answer")
    try apply(own, by: Self.ada, id: 3)
    let strange = try apply(own, by: Self.bob, id: 3, isAccepted: false)
    #expect(strange["error"]?["code"] == "account_not_found")
    #expect(strange["position"] == nil, "it was never theirs")
  }

  @Test func `a repeated line that created an erased account is refused`() throws {
    let eve = Menu.key(1, 3)
    let line = #""do":"create_account","key":"\#(eve)","display_name":"Eve""#
    let first = try apply(line, by: nil, id: 1)
    try book.erase(try #require(book.read { $0.accounts.number(of: eve) }))
    let again = try apply(line, by: nil, id: 1, isAccepted: false)
    #expect(again["error"]?["code"] == "account_not_found")
    #expect(again["position"] == first["position"])
  }

  @Test func `a repeated hive command is refused to former members only (HH-26)`()
    throws
  {
    let hive = Menu.key(4, 1)
    try apply(#""do":"create_hive","key":"\#(hive)","name":"Readers""#, by: Self.ada)
    try apply(
      #""do":"create_hive_invite","p_hive_id":"\#(hive)","code":"0123456789ab""#, by: Self.ada)
    let join = #""do":"join_hive_with_code","p_code":"0123456789ab""#
    let first = try apply(join, by: Self.bob, id: 1)
    try apply(#""do":"update_hive","p_hive_id":"\#(hive)","name":"SECRET""#, by: Self.ada)
    #expect(try apply(join, by: Self.bob, id: 1) == first)
    let leave = #""do":"leave_hive","p_hive_id":"\#(hive)""#
    let left = try apply(leave, by: Self.bob, id: 2)
    let again = try apply(join, by: Self.bob, id: 1, isAccepted: false)
    #expect(again["error"]?["code"] == "not_member")
    #expect(try apply(leave, by: Self.bob, id: 2) == left, "members may know that they left")
  }

  @Test func `a repeated command gets its first row, until its entity is deleted`() throws {
    let first = try apply(
      #""do":"create_habit","key":"\#(Self.key(9))","name":"Read""#, by: Self.bob, id: 1)
    try apply(#""do":"update_habit","habit":"\#(Self.key(9))","name":"Write""#, by: Self.bob)
    #expect(
      try apply(
        #""do":"create_habit","key":"\#(Self.key(9))","name":"Read""#, by: Self.bob, id: 1) == first
    )
    try apply(#""do":"delete_habit","habit":"\#(Self.key(9))""#, by: Self.bob)
    let gone = try apply(
      #""do":"create_habit","key":"\#(Self.key(9))","name":"Read""#, by: Self.bob, id: 1,
      isAccepted: false)
    #expect(gone["error"]?["code"] == "habit_not_found")
  }
}
