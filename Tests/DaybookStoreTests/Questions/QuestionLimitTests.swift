import Avro
import Daybook
import DaybookStore
import Testing

/// Limits on spans and on the future: a cheap question must not cost a server days.
@Suite(.tags(.law)) struct QuestionLimitTests {
  private static let read = #""habit":"\#(PeopleBook.read)""#
  private static let pasts = QuestionRequest.names.filter {
    QuestionRequest.form(of: $0)?.axes.contains(.asOf) == true
  }

  /// The refusal of a question that an account asks at an instant, if it is refused.
  private func refusal(
    _ text: String, _ book: PeopleBook, at now: Instant, isOwner: Bool = false
  ) throws -> Rejection? {
    let state = book.book.read { $0 }
    let ada = try #require(state.accounts.number(of: PeopleBook.key(of: PeopleBook.ada)))
    do {
      _ = try QuestionRequest(
        JSON(parsing: text), of: book.book.reader, knowing: state,
        from: isOwner ? .owner { _ in ada } : .account(ada), at: now
      ).answer()
      return nil
    } catch let rejection as Rejection { return rejection }
  }

  @Test(arguments: pasts)
  func `only the owner may ask more than a year ahead`(name: String) throws {
    let book = try PeopleBook()
    let now = try book.moment("2026-03-04T12:00:00Z")
    func asked(_ asOf: String, isOwner: Bool = false) throws -> Rejection? {
      try refusal(
        #"{"ask":"\#(name)","as_of":"\#(asOf)"}"#, book, at: now, isOwner: isOwner)
    }
    #expect(try asked("2027-03-05T12:00:00Z")?.field != "as_of")
    let beyond = try asked("2027-03-05T12:00:00.001Z")
    // A question about the whole book is refused before.
    guard QuestionRequest.form(of: name)?.asker != .nobody else { return }
    #expect(
      beyond?.field == "as_of" && beyond?.code == "invalid_field" && beyond?.kind == .malformed)
    #expect(try asked("9999-12-31T23:59:59Z")?.field == "as_of")
    #expect(try asked("2027-03-06T12:00:00Z", isOwner: true)?.field != "as_of")
  }

  @Test func `the year counts from the last entry where that is later than the clock`() throws {
    let book = try PeopleBook()
    let early = try book.moment("2020-01-01T00:00:00Z")
    #expect(
      try refusal(#"{"ask":"streaks","as_of":"2027-03-04T20:00:00Z"}"#, book, at: early) == nil)
    let beyond = #"{"ask":"streaks","as_of":"2027-03-04T20:00:01Z"}"#
    #expect(try refusal(beyond, book, at: early)?.field == "as_of")
  }

  @Test func `due is answered up to a year ahead, and for ten years at once`() throws {
    let book = try PeopleBook()
    let now = try book.moment("2026-03-04T12:00:00Z")
    func asked(_ from: String, _ to: String?, isOwner: Bool = false) throws -> String? {
      let to = to.map { #","to":"\#($0)""# } ?? ""
      return try refusal(
        #"{"ask":"due","from":"\#(from)"\#(to)}"#, book, at: now, isOwner: isOwner)?.field
    }
    #expect(try asked("2026-03-04T12:00:00Z", "2027-03-05T12:00:00Z") == nil)
    #expect(try asked("2026-03-04T12:00:00Z", "2027-03-05T12:00:01Z") == "to")
    #expect(try asked("2026-03-04T12:00:00Z", "2027-03-05T12:00:01Z", isOwner: true) == nil)
    for isOwner in [true, false] {
      // 3700 days before the clock.
      #expect(try asked("2016-01-16T12:00:00Z", "2026-03-04T12:00:00Z", isOwner: isOwner) == nil)
      #expect(try asked("2016-01-16T11:59:59Z", "2026-03-04T12:00:00Z", isOwner: isOwner) == "to")
      #expect(try asked("0001-01-01T00:00:00Z", nil, isOwner: isOwner) == "to")
    }
  }

  @Test func `a calendar is shown for ten years at once, however far ahead (MC-10)`() throws {
    let home = try HomeBook()
    func refusal(_ from: String, _ to: String) throws -> String? {
      try home.refusal("calendar", #""from":"\#(from)","to":"\#(to)""#).last ?? nil
    }
    #expect(try refusal("2026-01-01", "2036-02-17") == nil)
    #expect(try refusal("2026-01-01", "2036-02-18") == "to")
    #expect(try refusal("0001-01-01", "9999-12-31") == "to")
    #expect(try refusal("9990-01-01", "9999-12-31") == nil)
  }

  @Test func `the events of a calendar share the budget of a question (MC-10)`() throws {
    let home = try HomeBook()
    let event = { (number: Int) in
      [
        "BEGIN:VEVENT", "UID:\(number)@x", "DTSTART:20260302T1200\(10 + number)Z",
        "RRULE:FREQ=DAILY",
        "END:VEVENT",
      ]
    }
    let lines = ["BEGIN:VCALENDAR"] + (0..<49).flatMap(event) + ["END:VCALENDAR", ""]
    try home.record(
      "import_calendar", #""ics":"\#(lines.joined(separator: #"\r\n"#))""#,
      at: "2026-03-02T10:00:00Z")
    func told(_ from: String, _ to: String) throws -> (count: Int, cutOff: Int) {
      let answer = try home.ask("calendar", #""from":"\#(from)","to":"\#(to)""#)["ok"]
      let count = answer?["occurrences"]?.elements?.count
      return (count ?? 0, answer?["cut_off"]?.elements?.count ?? 0)
    }
    let short = try told("2026-03-03", "2028-03-01")
    #expect(short.cutOff == 0 && short.count > 49 * 700)
    let long = try told("2026-03-03", "2036-04-15")
    #expect(long.count <= Limit.calendarSteps.maximum)
    #expect(long.count + 3700 * long.cutOff >= 49 * 3600)
  }

  @Test(arguments: [("stats", "last", 3700), ("feed", "limit", 1000), ("recent", "limit", 1000)])
  func `a limit is accepted up to its maximum`(name: String, field: String, most: Int) throws {
    let book = try PeopleBook()
    let fields = { (count: Int) in #""\#(field)":\#(count)"# }
    #expect(try book.ask(name, as: PeopleBook.ada, fields(most))["ok"] != nil)
    let beyond = try book.ask(name, as: PeopleBook.ada, fields(most + 1))["error"]
    #expect(beyond?["field"]?.text == field && beyond?["code"]?.text == "invalid_field")
  }
}
