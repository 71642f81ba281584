import Avro
import Daybook
import Journal
import PropertyTesting
import Testing

@testable import DaybookStore

/// Lines from elsewhere belong to their caller, whatever they contain.
@Suite(.tags(.unit)) struct CallerTests {
  private let book: Book
  private let ada: Account.ID
  private let bob: Account.ID
  private let clock = HandClock(Menu.beginnings[0])

  init() throws {
    book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    ada = try book.record(CreateAccount(key: Menu.key(1, 1), name: "Ada", timeZone: "UTC"))
    bob = try book.record(CreateAccount(key: Menu.key(1, 2), name: "Bob", timeZone: "UTC"))
    try book.record(CreateHabit(key: Menu.key(2, 1), name: "Read"), by: ada)
    try book.record(CreateHabit(key: Menu.key(2, 2), name: "Run"), by: bob)
  }

  private func apply(_ line: String) throws -> JSON {
    try book.record(line: Array(line.utf8), from: .account(bob)).json
  }

  @Test func `a caller need not name itself, and p_at is the client's own time`() throws {
    let line =
      #"{"do":"log_habit","habit":"\#(Menu.key(2, 2))","p_at":"\#(clock.instant)"}"#
    #expect(try apply(line)["ok"] != nil)
    var all = AllEntries()
    try book.reader.replay(into: &all)
    #expect(all.entries.last?.head.actor == bob)
  }

  @Test(
    arguments: [
      (#""as":"\#(Menu.key(1, 1))""#, "caller_acts", "as"),
      (#""as":"\#(Menu.key(1, 2))""#, "caller_acts", "as"),
      (#""as":7"#, "caller_acts", "as"),
      (#""at":"2026-01-01T00:00:00Z""#, "caller_acts", "at"),
    ])
  func `a caller's line with an actor or a time is refused`(
    field: String, code: String, name: String
  ) throws {
    let answer = try apply(#"{"do":"log_habit","habit":"\#(Menu.key(2, 2))",\#(field)}"#)
    #expect(answer["error"]?["code"]?.text == code)
    #expect(answer["error"]?["field"]?.text == name)
    #expect(book.read { $0.position } == 4)
  }

  @Test(arguments: [
    #"{"do":"settle"}"#, #"{"do":"create_account"}"#,
    #"{"do":"link_identity","kind":"email","value":"ada@example.com","verified":true}"#,
    #"{"do":"verify_identity","kind":"email","value":"ada@example.com"}"#,
    #"{"do":"unlink_identity","kind":"email","value":"ada@example.com"}"#,
  ])
  func `a command for the system or about an identity is refused to a caller`(line: String) throws {
    #expect(try apply(line)["error"]?["code"]?.text == "system_only")
    #expect(book.read { $0.position } == 4)
  }

  @Test(arguments: ["link_identity", "verify_identity", "unlink_identity"])
  func `a caller cannot link, verify or unlink an identity (DM-11)`(name: String) throws {
    let hash = String(repeating: "a", count: 64)
    let line = #"{"do":"\#(name)","kind":"email","hash":"\#(hash)"}"#
    #expect(try apply(line)["error"]?["code"]?.text == "system_only")
    #expect(book.read { $0.position } == 4)
  }

  /// Commands that name something of Ada's, with the name of the field.
  static let others: [(command: String, name: String, fields: String, kind: UInt64)] = [
    ("log_habit", "habit", "", 2), ("create_hive_from_habit", "p_habit_id", "", 2),
    ("attach_habit", "goal", #","habit":"\#(Menu.key(2, 2))""#, 3),
    ("update_goal", "goal", #","title":"Mine""#, 3), ("log_hive_today", "p_hive_id", "", 4),
    ("update_hive", "p_hive_id", #","name":"Mine""#, 4), ("complete_task", "task", "", 8),
    ("delete_task", "task", #","purge":true"#, 8), ("delete_label", "label", "", 9),
    ("delete_label", "label", #","purge":true"#, 9),
  ]

  @Test(arguments: others)
  func `another account's thing is answered as if it did not exist (DM-11)`(
    command: String, name: String, fields: String, kind: UInt64
  ) throws {
    try book.record(CreateGoal(key: Menu.key(3, 1), title: "Fit"), by: ada)
    try book.record(CreateHive(key: Menu.key(4, 1), name: "Bees"), by: ada)
    try book.record(CreateTask(key: Menu.key(8, 1), title: "Wash"), by: ada)
    try book.record(CreateLabel(key: Menu.key(9, 1), name: "home"), by: ada)
    func answer(_ number: Int) throws -> JSON {
      try apply(#"{"do":"\#(command)","\#(name)":"\#(Menu.key(kind, number))"\#(fields)}"#)
    }
    let nobodys = try answer(77)
    #expect(nobodys["error"]?["code"]?.text?.hasSuffix("_not_found") == true)
    #expect(try answer(1) == nobodys)
    let owner = try book.record(
      line: #"{"do":"\#(command)","\#(name)":"\#(Menu.key(kind, 1))"\#(fields)}"#, by: bob)
    let code = owner.json["error"]?["code"]?.text ?? ""
    #expect(["not_owner", "not_member"].contains(code), "the terminal says more")
  }

  // MARK: Questions

  private func ask(_ line: String) throws -> JSON {
    var questions = QuestionLines(book.reader)
    return try questions.answer(line: Array(line.utf8), from: .account(bob)).json
  }

  @Test func `a caller's question is answered about the caller`() throws {
    let rows = try ask(#"{"ask":"streaks"}"#)["ok"]?.elements ?? []
    #expect(rows.map { $0["name"]?.text } == ["Run"])
    #expect(rows.map { $0["account"]?.text } == [Menu.key(1, 2).description])
  }

  @Test(
    arguments: [
      (#"{"ask":"streaks","as":"\#(Menu.key(1, 1))"}"#, "caller_acts"),
      (#"{"ask":"heatmap","habit":"\#(Menu.key(2, 1))"}"#, "habit_not_found"),
    ])
  func `a caller's question about another account is refused`(line: String, code: String) throws {
    #expect(try ask(line)["error"]?["code"]?.text == code)
  }

  @Test func `an erased account's questions are refused, for now and for the past`() throws {
    let before = clock.instant
    clock.instant = clock.instant.advanced(byMilliseconds: 60_000)
    try book.erase(bob)
    for axes in ["", #","as_of":"\#(before)""#] {
      #expect(try ask(#"{"ask":"streaks"\#(axes)}"#)["error"]?["code"]?.text == "account_not_found")
    }
  }

  @Test func `a question about a past before the account is refused`() throws {
    let line = #"{"ask":"today","as":"\#(Menu.key(1, 2))","as_of":"2001-01-01T00:00:00Z"}"#
    var questions = QuestionLines(book.reader)
    let json = try questions.answer(line: Array(line.utf8)).json
    #expect(json["error"]?["code"]?.text == "account_not_found")
    let own = try ask(#"{"ask":"today","as_of":"2001-01-01T00:00:00Z"}"#)
    #expect(own["error"]?["code"]?.text == "account_not_found")
  }
}

/// Lines from elsewhere belong to their caller, whatever they contain.
@Suite(.tags(.law)) struct CallerLawTests {
  @Test func `every line of a caller is recorded under the caller, at the book's time`() throws {
    let clock = HandClock(Menu.beginnings[0])
    let book = try Book(at: "book", storage: MemoryStorage(), clock: clock.bookClock)
    let ada = try book.record(CreateAccount(key: Menu.key(1, 1), name: "Ada", timeZone: "UTC"))
    let bob = try book.record(CreateAccount(key: Menu.key(1, 2), name: "Bob", timeZone: "UTC"))
    try book.record(CreateHabit(key: Menu.key(2, 1), name: "Read"), by: ada)
    try book.record(CreateHabit(key: Menu.key(2, 2), name: "Run"), by: bob)
    let report = check(
      "a caller's entries", Generator.zip(LineGroupTests.lines, .bool(probability: 0.5)), cases: 60
    ) { line, isStripped in
      let line = isStripped ? line.replacing(/"as":"[0-9a-f-]+",?/, with: "") : line
      let before = book.read { $0.position }
      let outcome = try book.record(line: Array(line.utf8), from: .account(bob))
      var all = AllEntries()
      try book.reader.replay(into: &all, from: before + 1)
      guard !outcome.isAccepted || !line.contains("\"as\"") else { return false }
      return all.entries.allSatisfy { $0.head.actor == bob && $0.head.at == clock.instant }
    }
    #expect(report.passed, "\(report)")
  }
}
