import Avro
import Daybook
import DaybookStore
import Journal
import Testing

/// A book with two accounts: Ada reads, and has a hive; Bob runs, and is in none.
struct PeopleBook {
  static let ada = key(1, 1)
  static let bob = key(1, 2)
  static let read = key(2, 1)
  static let run = key(2, 2)
  static let hive = key(3, 1)

  let book: Book

  /// Ada reads on 1 and 3 March, and skips the 2nd; Bob runs on the 1st.
  init() throws {
    book = try Book(at: "book", storage: MemoryStorage())
    let start = try moment("2026-03-01T08:00:00Z")
    let ada = try person(Self.ada, "Ada", start)
    let bob = try person(Self.bob, "Bob", start)
    let read = try habit(Self.read, "Read", of: ada, start)
    let run = try habit(Self.run, "Run", of: bob, start)
    try book.record(CreateHive(key: Key(Self.hive), name: "Bees"), by: ada, at: start)
    try book.record(LogHabit(read), by: ada, at: moment("2026-03-01T20:00:00Z"))
    try book.record(LogHabit(run), by: bob, at: moment("2026-03-01T20:00:00Z"))
    try book.record(SkipDay(read), by: ada, at: moment("2026-03-02T20:00:00Z"))
    try book.record(LogHabit(read), by: ada, at: moment("2026-03-03T20:00:00Z"))
  }

  private func person(_ key: String, _ name: String, _ at: Instant) throws -> Account.ID {
    try book.record(
      CreateAccount(key: Key(key), name: name, timeZone: "UTC"), at: at)
  }

  private func habit(
    _ key: String, _ name: String, of owner: Account.ID, _ at: Instant
  ) throws -> Habit.ID {
    let seven = try #require(LocalTime("07:00"))
    return try book.record(
      CreateHabit(key: Key(key), name: name, reminders: [seven]), by: owner, at: at)
  }

  static func key(of text: String) throws -> Key { try #require(Key(text)) }

  func moment(_ text: String) throws -> Instant { try #require(Instant(text)) }

  /// The answer to a question: `{"ok":…}` or `{"error":…}`.
  func ask(_ text: String) throws -> JSON {
    var lines = QuestionLines(book.reader)
    return try lines.answer(line: Array(text.utf8)).json
  }

  /// A question's fields, followed by further ones, as JSON text.
  func ask(_ name: String, as asker: String? = nil, _ fields: String = "") throws -> JSON {
    try ask(
      #"{"ask":"\#(name)""# + (asker.map { #","as":"\#($0)""# } ?? "")
        + (fields.isEmpty ? "" : ",") + fields + "}")
  }

  /// The code of a refused question.
  func refusal(_ name: String, as asker: String? = nil, _ fields: String = "") throws -> String? {
    try ask(name, as: asker, fields)["error"]?["code"]?.text
  }

  private static func key(_ kind: Int, _ number: Int) -> String {
    "00000000-0000-400\(kind)-8000-00000000000\(number)"
  }
}
