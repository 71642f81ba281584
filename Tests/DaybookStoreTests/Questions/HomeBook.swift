import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// A book with a household: Ada's Nest, which has one of everything. Cyd has left it since; Bob, whose account is
/// newer than its content, has joined since. Eve is in no household, and has a task and a label of her own.
struct HomeBook {
  static let (ada, bob, cyd, eve) = (key(1, 1), key(1, 2), key(1, 3), key(1, 4))
  static let (nest, soup) = (key(2, 1), key(3, 1))
  static let (milk, letter) = (key(4, 1), key(4, 2))
  static let (home, post) = (key(5, 1), key(5, 2))
  /// After everything was recorded, before anybody joined or left.
  static let then = "2026-03-01T12:00:00Z"

  let book: Book

  init() throws {
    book = try Book(at: "book", storage: MemoryStorage())
    for (name, key) in [("Ada", Self.ada), ("Cyd", Self.cyd), ("Eve", Self.eve)] {
      try account(name, key)
    }
    try record("create_household", #""key":"\#(Self.nest)","name":"Nest""#)
    try record("add_household_member", #""member":"\#(Self.cyd)""#)
    try record("create_household_task", #""title":"Bins","due_date":"2026-03-03""#)
    try record(
      "create_recipe",
      #""key":"\#(Self.soup)","title":"Soup","base_servings":2,"ingredients":[{"text":"1 l milk"}]"#
    )
    try record("plan_meal", #""recipe":"\#(Self.soup)","date":"2026-03-03""#)
    try record("add_pantry_staple", #""name":"salt""#)
    try record("generate_grocery_list", #""week_start":"2026-03-03""#)
    try record(
      "create_calendar_event", #""title":"Choir","start_time":"2026-03-03T16:00:00Z""#)
    try record("create_label", #""key":"\#(Self.home)","name":"home""#)
    try record(
      "create_task",
      #""key":"\#(Self.milk)","title":"Milk","labels":["\#(Self.home)"],"due_at":"2026-03-02T18:00:00Z""#
    )
    try record("create_label", #""key":"\#(Self.post)","name":"post""#, as: Self.eve)
    try record("create_task", #""key":"\#(Self.letter)","title":"Letter""#, as: Self.eve)
    try record("leave_household", "", as: Self.cyd, at: "2026-03-02T09:00:00Z")
    try account("Bob", Self.bob, at: "2026-03-02T09:00:00Z")
    try record("add_household_member", #""member":"\#(Self.bob)""#, at: "2026-03-02T09:00:00Z")
  }

  /// Records a command in its JSON form.
  func record(
    _ name: String, _ fields: String, as actor: String? = ada, at: String = "2026-03-01T09:00:00Z"
  ) throws {
    let actor = actor.map { #","as":"\#($0)""# } ?? ""
    let rest = fields.isEmpty ? "" : "," + fields
    let line = #"{"do":"\#(name)","at":"\#(at)"\#(actor)\#(rest)}"#
    let outcome = try book.record(line: line)
    try #require(outcome.isAccepted, "\(line): \(outcome.json.encoded)")
  }

  private func account(
    _ name: String, _ key: String, at: String = "2026-03-01T08:00:00Z"
  ) throws {
    try record(
      "create_account", #""key":"\#(key)","display_name":"\#(name)","timezone":"UTC""#, as: nil,
      at: at)
  }

  /// The answer to a question: `{"ok":…}` or `{"error":…}`.
  func ask(_ name: String, _ fields: String = "", as asker: String? = ada) throws -> JSON {
    let asker = asker.map { #","as":"\#($0)""# } ?? ""
    let rest = fields.isEmpty ? "" : "," + fields
    var lines = QuestionLines(book.reader)
    return try lines.answer(line: Array(#"{"ask":"\#(name)"\#(asker)\#(rest)}"#.utf8)).json
  }

  /// The rows of the answer to a question.
  func rows(_ name: String, _ fields: String = "", as asker: String? = ada) throws -> [JSON] {
    let answer = try ask(name, fields, as: asker)
    return try #require(answer["ok"]?.elements, "\(name): \(answer.encoded)")
  }

  /// The code of a refused question, and the field at fault.
  func refusal(_ name: String, _ fields: String = "", as asker: String? = ada) throws -> [String?] {
    let error = try ask(name, fields, as: asker)["error"]
    return [error?["code"]?.text, error?["field"]?.text]
  }

  private static func key(_ kind: Int, _ number: Int) -> String {
    "00000000-0000-400\(kind)-8000-00000000000\(number)"
  }
}
