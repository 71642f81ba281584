import Avro
import Daybook
import DaybookStore
import Testing

/// Questions about accounts, and the limits of what they show of others (HH-16, MO-9).
@Suite(.tags(.unit)) struct PeopleQuestionTests {
  private static let read = #""habit":"\#(PeopleBook.read)""#
  private static let hive = #""hive":"\#(PeopleBook.hive)""#

  @Test(arguments: ["audit", "history", "stats", "heatmap", "strength"])
  func `a question about another account's habit is refused`(name: String) throws {
    let book = try PeopleBook()
    #expect(try book.refusal(name, as: PeopleBook.bob, Self.read) == "not_owner")
    #expect(try book.ask(name, as: PeopleBook.ada, Self.read)["ok"] != nil)
    #expect(
      try book.ask(name, Self.read)["ok"] != nil, "without an asker the whole book is visible")
    let unknown = Self.read.replacing("00000000-0000", with: "99999999-0000")
    #expect(try book.refusal(name, as: PeopleBook.ada, unknown) == "habit_not_found")
  }

  @Test(arguments: ["audit", "hive", "feed"])
  func `a hive is shown to its members only`(name: String) throws {
    let book = try PeopleBook()
    #expect(try book.refusal(name, as: PeopleBook.bob, Self.hive) == "not_member")
    #expect(try book.refusal(name, Self.hive) == "actor_missing")
    #expect(try book.ask(name, as: PeopleBook.ada, Self.hive)["ok"] != nil)
  }

  @Test func `a list contains only the asker's own`() throws {
    let book = try PeopleBook()
    for name in ["habits", "stats", "streaks"] {
      let rows = try book.ask(name, as: PeopleBook.bob)["ok"]?.elements ?? []
      #expect(rows.map { $0["name"]?.text } == ["Run"], "\(name)")
    }
    #expect(try book.ask("hives", as: PeopleBook.bob)["ok"] == [])
    #expect(try book.ask("profile", as: PeopleBook.bob)["ok"]?["display_name"] == "Bob")
    #expect(try book.ask("awards", as: PeopleBook.bob)["ok"]?.elements?.count == 1)
    let focus = try book.ask("focus", as: PeopleBook.bob)["ok"]
    #expect(focus?["current_habit"]?["name"] == "Run")
  }

  @Test func `a deleted habit is not found, and is shown in the past before`() throws {
    let book = try PeopleBook()
    let state = try book.book.reader.state()
    let (ada, read) = (
      try #require(state.accounts.number(of: PeopleBook.key(of: PeopleBook.ada))),
      try #require(state.habits.number(of: PeopleBook.key(of: PeopleBook.read)))
    )
    try book.book.record(DeleteHabit(read), by: ada, at: book.moment("2026-03-04T08:00:00Z"))
    let before = Self.read + #","as_of":"2026-03-03T22:00:00Z""#
    for name in ["audit", "history", "stats"] {
      #expect(try book.refusal(name, as: PeopleBook.ada, Self.read) == "habit_not_found")
      #expect(try book.ask(name, as: PeopleBook.ada, before)["ok"] != nil)
    }
  }

  @Test func `a personal question needs an asker`() throws {
    let book = try PeopleBook()
    let names = Set(
      QuestionRequest.names.filter { QuestionRequest.form(of: $0)?.asker == .account })
    #expect(
      names.isSuperset(of: [
        "insights", "focus", "feed", "hives", "hive", "matches", "profile", "awards",
      ]))
    for name in names { #expect(try book.refusal(name) == "actor_missing") }
    #expect(try book.refusal("metrics", as: PeopleBook.ada) == "unknown_field")
  }

  /// A question, its fields, and the field that is refused.
  struct Wrong: Sendable, CustomTestStringConvertible {
    let name: String
    let fields: String
    let field: String
    var testDescription: String { "\(name) \(fields)" }

    init(_ name: String, _ fields: String, _ field: String) {
      (self.name, self.fields, self.field) = (name, fields, field)
    }
  }

  @Test(arguments: [
    Wrong("audit", read + "," + hive, "hive"), Wrong("audit", "", "habit"),
    Wrong("audit", read + #","from":"2026-03-02","to":"2026-03-01""#, "to"),
    Wrong("audit", hive + #","from":"2026-03-02","to":"2026-03-01""#, "to"),
    Wrong("history", read + #","limit":0"#, "limit"), Wrong("history", "", "habit"),
    Wrong("stats", #""by":"fortnight""#, "by"), Wrong("stats", #""last":0"#, "last"),
    Wrong("disagreements", #""against":"none""#, "against"),
    Wrong("disagreements", "", "against"), Wrong("feed", #""limit":0"#, "limit"),
    Wrong("feed", #""before":0"#, "before"), Wrong("hive", hive + #","days":0"#, "days"),
    Wrong("hive", hive + #","days":3661"#, "days"), Wrong("due", "", "from"),
    Wrong("due", #""from":"2026-03-02T00:00:00Z","to":"2026-03-01T00:00:00Z""#, "to"),
  ])
  func `an out-of-range value is refused with its field`(wrong: Wrong) throws {
    let answer = try PeopleBook().ask(wrong.name, as: PeopleBook.ada, wrong.fields)
    #expect(answer["error"]?["field"]?.text == wrong.field, "\(answer.encoded)")
  }

  @Test func `rows about several accounts name their owners`() throws {
    let book = try PeopleBook()
    let seen = #""as_of":"2026-03-03T22:00:00Z""#
    let span = #""from":"2026-03-01T22:00:00Z","to":"2026-03-03T08:00:00Z""#
    for (name, fields) in [("stats", seen), ("streaks", seen), ("today", seen), ("due", span)] {
      let all = try book.ask(name, fields)["ok"]?.elements ?? []
      let owners = Set(all.map { $0["account"]?.text })
      #expect(owners == [PeopleBook.ada, PeopleBook.bob], "\(name)")
      let own = try book.ask(name, as: PeopleBook.bob, fields)["ok"]?.elements ?? []
      #expect(own == all.filter { $0["account"]?.text == PeopleBook.bob }, "\(name)")
      #expect(!own.isEmpty)
    }
  }

  @Test func `both time axes are accepted where they have a meaning`() throws {
    let book = try PeopleBook()
    func count(_ name: String, _ fields: String) throws -> Int? {
      let answer = try book.ask(name, as: PeopleBook.ada, Self.read + "," + fields)["ok"]
      return (answer?["days"] ?? answer)?.elements?.count
    }
    #expect(try count("audit", #""as_of":"2026-03-02T22:00:00Z""#) == 2)
    #expect(try count("audit", #""on":"2026-03-02""#) == 2)
    #expect(try count("audit", #""as_of":"2026-03-03T22:00:00Z","from":"2026-03-02""#) == 2)
    #expect(try count("history", #""as_of":"2026-03-02T22:00:00Z""#) == 3)
    #expect(try count("history", #""on":"2026-03-02""#) == 1)
    #expect(try count("history", #""limit":2"#) == 2)
    #expect(try book.ask("accounts", #""as_of":"2026-02-01T00:00:00Z""#)["ok"] == [])
    #expect(try book.ask("metrics", #""as_of":"2026-02-01T00:00:00Z""#)["ok"]?["accounts"] == 0)
    #expect(
      try book.refusal("profile", as: PeopleBook.ada, #""on":"2026-03-02""#) == "unknown_field")
    // An account cannot ask about a past in which it did not exist.
    #expect(
      try book.refusal("profile", as: PeopleBook.ada, #""as_of":"2026-02-01T00:00:00Z""#)
        == "account_not_found")
  }

  @Test func `a profile lists the pauses, the earliest first`() throws {
    let book = try PeopleBook()
    let state = try book.book.reader.state()
    let ada = try #require(state.accounts.number(of: PeopleBook.key(of: PeopleBook.ada)))
    for first in ["2026-04-01", "2026-03-10"] {
      let day = try #require(Day(first))
      try book.book.record(
        Pause(first: day, last: day.advanced(by: 2)), by: ada,
        at: book.moment("2026-03-04T08:00:00Z"))
    }
    let now = #""as_of":"2026-03-04T09:00:00Z""#
    let pauses = try book.ask("profile", as: PeopleBook.ada, now)["ok"]?["pauses"]?.elements
    #expect(pauses?.map { $0["from"]?.text } == ["2026-03-10", "2026-04-01"])
    #expect(pauses?.first?["to"] == "2026-03-12")
    #expect(try book.ask("profile", as: PeopleBook.bob, now)["ok"]?["pauses"] == [])
  }

  @Test func `strength is given for each day, and ends where streaks end (HH-14)`() throws {
    let book = try PeopleBook()
    let now = #""as_of":"2026-03-03T22:00:00Z""#
    func days(_ fields: String) throws -> [JSON] {
      try book.ask("strength", as: PeopleBook.ada, Self.read + "," + now + fields)["ok"]?["days"]?
        .elements ?? []
    }
    let all = try days("")
    #expect(all.map { $0["day"]?.text } == ["2026-03-01", "2026-03-02", "2026-03-03"])
    let streaks = try book.ask("streaks", as: PeopleBook.ada, now)["ok"]?.elements
    #expect(all.last?["strength"] == streaks?.first?["strength"])
    #expect(all[0]["strength"] == all[1]["strength"], "a skip changes no strength")
    #expect(try days(#","last":2"#) == Array(all.suffix(2)))
    #expect(try days(#","on":"2026-03-02""#) == Array(all.prefix(2)))
    for count in [0, 3701] {
      let wrong = try book.ask("strength", as: PeopleBook.ada, Self.read + #","last":\#(count)"#)
      #expect(wrong["error"]?["field"] == "last")
    }
  }

  @Test func `two rules disagree on a skipped day`() throws {
    let book = try PeopleBook()
    let fields = #""against":"loop","as_of":"2026-03-02T22:00:00Z","on":"2026-03-02""#
    let answer = try book.ask("disagreements", as: PeopleBook.ada, fields)["ok"]
    #expect(
      answer?.encoded == """
        [{"habit":"\(PeopleBook.read)","account":"\(PeopleBook.ada)","name":"Read","days":[\
        {"day":"2026-03-02","daybook":{"mark":"skipped","streak":1},\
        "loop":{"mark":"skipped","streak":2}}]}]
        """)
    #expect(
      try book.ask("disagreements", as: PeopleBook.bob, #""against":"loop""#)["ok"]?.elements?
        .contains { $0["account"]?.text != PeopleBook.bob } == false)
    #expect(try book.ask("disagreements", #""against":"daybook""#)["ok"] == [])
  }

  @Test func `an audit in pages equals the whole audit`() throws {
    let book = try PeopleBook()
    let view = try book.book.reader.view()
    let read = try #require(view.state.habits.number(of: PeopleBook.key(of: PeopleBook.read)))
    let hive = try #require(view.state.hives.number(of: PeopleBook.key(of: PeopleBook.hive)))
    let ada = try #require(view.state.accounts.number(of: PeopleBook.key(of: PeopleBook.ada)))
    for question in [AuditQuestion(of: read), AuditQuestion(of: hive)] {
      let answer = try question.answer(from: view, for: ada)
      var pieces: [UInt8] = []
      answer.writePieces { pieces += $0 }
      #expect(String(decoding: pieces, as: UTF8.self) == answer.json.encoded)
    }
  }
}
