import Avro
import Daybook
import DaybookStore
import Testing

/// The answers to members of a household, and the refusals to everybody else (MC-11).
@Suite(.tags(.unit)) struct HouseholdQuestionTests {
  private static let names = [
    "household_history", "chores", "recipes", "recipe", "plan", "groceries", "pantry", "calendar",
  ]

  /// The fields that name the subject of a question.
  private static func fields(_ name: String) -> String {
    name == "recipe" ? #""recipe":"\#(HomeBook.soup)""# : #""household":"\#(HomeBook.nest)""#
  }

  private static func missing(_ name: String) -> String {
    name == "recipe" ? "recipe_not_found" : "household_not_found"
  }

  @Test(arguments: names)
  func `a household's things are shown to its current members only (MC-11)`(name: String) throws {
    let home = try HomeBook()
    for fields in [Self.fields(name), Self.fields(name) + #","as_of":"\#(HomeBook.then)""#] {
      for stranger in [HomeBook.cyd, HomeBook.eve] {
        let refusal = try home.refusal(name, fields, as: stranger)
        #expect(refusal.first == Self.missing(name), "\(fields)")
      }
      let own = try home.ask(name, fields)
      #expect(own["ok"] != nil && own["ok"] != .null, "\(own.encoded)")
      #expect(try home.ask(name, fields, as: HomeBook.bob) == own)
    }
    #expect(try home.refusal(name, Self.fields(name), as: nil).first == "actor_missing")
  }

  @Test(arguments: names.filter { $0 != "recipe" })
  func `a member of one household need not name it, even in a past before the account`(
    name: String
  ) throws {
    let home = try HomeBook()
    for member in [HomeBook.ada, HomeBook.bob] {
      for past in ["", #""as_of":"\#(HomeBook.then)""#] {
        let named = Self.fields(name) + (past.isEmpty ? "" : "," + past)
        #expect(try home.ask(name, past, as: member) == home.ask(name, named, as: member))
        #expect(try home.ask(name, past, as: member)["ok"] != nil, "\(name) \(past)")
      }
    }
    #expect(try home.refusal(name, as: HomeBook.eve).first == "household_not_found")
  }

  @Test func `the asker's households are listed with their members (MC-1)`() throws {
    let home = try HomeBook()
    let rows = try home.rows("household", as: HomeBook.bob)
    #expect(rows.map { $0["name"]?.text } == ["Nest"])
    #expect(rows[0]["members"]?.elements?.map { $0["name"]?.text } == ["Ada", "Bob"])
    #expect(try home.rows("household", as: HomeBook.cyd).isEmpty)
    let past = #""as_of":"\#(HomeBook.then)""#
    #expect(try home.rows("household", past, as: HomeBook.cyd).isEmpty)
    let before = try home.rows("household", past, as: HomeBook.bob)
    #expect(before[0]["members"]?.elements?.map { $0["name"]?.text } == ["Ada", "Cyd"])
  }

  @Test func `history is listed newest first, and grocery lines keep their words`() throws {
    let home = try HomeBook()
    try home.record(
      "add_grocery_item", #""name":"tea","week_start":"2026-03-03""#, at: "2026-03-02T10:00:00Z")
    let rows = try home.rows("household_history")
    #expect(rows.first?["name"] == "2026-03-02: tea")
    #expect(rows.last?["event"] == "HouseholdCreated")
    #expect(rows.contains { $0["event"] == "HouseholdJoined" && $0["name"] == "Bob" })
    #expect(try home.rows("household_history", #""limit":2"#) == Array(rows.prefix(2)))
    #expect(try home.refusal("household_history", #""limit":0"#) == ["invalid_field", "limit"])
  }

  @Test func `chores are filtered by status, and mine are those assigned to the asker (MC-3)`()
    throws
  {
    let home = try HomeBook()
    try home.record(
      "create_household_task", #""title":"Sweep","assigned_to":"\#(HomeBook.bob)""#,
      at: "2026-03-02T10:00:00Z")
    func titles(_ show: String, as asker: String) throws -> [String?] {
      try home.rows("chores", #""show":"\#(show)""#, as: asker).map { $0["title"]?.text }
    }
    #expect(try titles("all", as: HomeBook.ada) == ["Bins", "Sweep"])
    #expect(try titles("mine", as: HomeBook.bob) == ["Sweep"])
    #expect(try titles("mine", as: HomeBook.ada) == [])
    #expect(try titles("complete", as: HomeBook.ada) == [])
    #expect(try home.refusal("chores", #""show":"some""#) == ["invalid_field", "show"])
  }

  @Test func `a recipe is scaled to the requested servings (MC-5)`() throws {
    let home = try HomeBook()
    let recipe = Self.fields("recipe")
    func quantity(_ servings: String) throws -> JSON? {
      let row = try home.ask("recipe", recipe + #","servings":\#(servings)"#)["ok"]
      return row?["ingredients"]?.elements?.first?["quantity"]
    }
    #expect(try quantity("null") == 1)
    #expect(try quantity("6") == 3)
    #expect(try quantity(#""3/2""#) == .number("0.75"))
    for servings in ["0", #""1/9223372036854775807""#] {
      let refusal = try home.refusal("recipe", recipe + #","servings":\#(servings)"#)
      #expect(refusal == ["invalid_servings", "servings"], "\(servings)")
    }
    #expect(try home.rows("recipes", #""search":"mil""#).map { $0["title"]?.text } == ["Soup"])
    #expect(try home.rows("recipes", #""search":"tea""#).isEmpty)
  }

  @Test func `a week is named by any of its days (MC-6, MC-8)`() throws {
    let home = try HomeBook()
    let sunday = #""week_start":"2026-03-08""#
    let plan = try home.ask("plan", sunday)["ok"]
    #expect(plan?["week_start"] == "2026-03-02" && plan?["week_end"] == "2026-03-08")
    #expect(plan?["meals"]?.elements?.map { $0["name"]?.text } == ["Soup"])
    let list = try home.ask("groceries", sunday)["ok"]
    #expect(list?["list"]?["week_start"] == "2026-03-02")
    #expect(list?["items"]?.elements?.map { $0["name"]?.text } == ["milk"])
    #expect(try home.ask("groceries")["ok"] == list, "the list that was made last")
    #expect(try home.ask("groceries", #""week_start":"2026-03-09""#)["ok"] == .null)
    // Today for the asker at the time of asking: a Sunday.
    let then = try home.ask("plan", #""as_of":"\#(HomeBook.then)""#, as: HomeBook.bob)["ok"]
    #expect(then?["week_start"] == "2026-02-23")
  }

  @Test func `a grocery line names its meals, and the entries that made it so (MC-7)`() throws {
    let home = try HomeBook()
    let item = try #require(
      home.ask("groceries")["ok"]?["items"]?.elements?.first?["id"]?.text)
    func ask(_ past: String = "", as asker: String = HomeBook.ada) throws -> JSON {
      try home.ask("grocery_item", #""item":"\#(item)"\#(past)"#, as: asker)
    }
    func events() throws -> [String?] {
      try ask()["ok"]?["entries"]?.elements?.map { $0["event"]?.text } ?? []
    }
    let line = try ask()["ok"]
    #expect(line?["item"]?["name"] == "milk" && line?["item"]?["aisle"] == "dairy")
    #expect(line?["list"]?["week_start"] == "2026-03-02")
    let source = line?["sources"]?.elements?.first
    #expect(source?["name"] == "Soup" && source?["recipe_id"]?.text == HomeBook.soup)
    #expect(source?["quantity"] == 1 && source?["unit"] == "l" && source?["date"] == "2026-03-03")
    #expect(try events() == ["RecipeCreated", "MealPlanned", "GroceryListGenerated"])
    // A list that is made anew without a change of the line is no reason for it; a change is one.
    try home.record("plan_meal", #""title":"Out","date":"2026-03-04""#, at: "2026-03-02T10:00:00Z")
    try home.record(
      "generate_grocery_list", #""week_start":"2026-03-03""#, at: "2026-03-02T10:00:00Z")
    try home.record("check_grocery_item", #""item":"\#(item)""#, at: "2026-03-02T11:00:00Z")
    try home.record(
      "plan_meal", #""recipe":"\#(HomeBook.soup)","date":"2026-03-05""#, at: "2026-03-02T12:00:00Z")
    #expect(
      try events()
        == ["RecipeCreated", "MealPlanned", "GroceryListGenerated", "GroceryItemMarked"])
    try home.record(
      "generate_grocery_list", #""week_start":"2026-03-03""#, at: "2026-03-02T13:00:00Z")
    #expect(
      try events()
        == [
          "RecipeCreated", "MealPlanned", "GroceryListGenerated", "GroceryItemMarked",
          "MealPlanned", "GroceryListGenerated",
        ])
    #expect(try ask()["ok"]?["sources"]?.elements?.count == 2)
    // The line as it was known then, for today's members.
    let past = #","as_of":"\#(HomeBook.then)""#
    #expect(try ask(past)["ok"]?["item"] == line?["item"])
    #expect(try ask(past, as: HomeBook.bob) == ask(past))
    for stranger in [HomeBook.cyd, HomeBook.eve] {
      for past in ["", past] {
        #expect(
          try ask(past, as: stranger)["error"]?["code"] == "grocery_item_not_found", "\(past)")
      }
    }
  }

  @Test func `a line that a member wrote has its own entries alone as reasons (MC-8)`() throws {
    let home = try HomeBook()
    let tea = "00000000-0000-4006-8000-000000000001"
    try home.record(
      "add_grocery_item", #""key":"\#(tea)","name":"tea""#, at: "2026-03-02T10:00:00Z")
    try home.record(
      "update_grocery_item", #""item":"\#(tea)","quantity":2"#, at: "2026-03-02T11:00:00Z")
    let answer = try home.ask("grocery_item", #""item":"\#(tea)""#)["ok"]
    #expect(answer?["sources"] == [])
    let entries = answer?["entries"]?.elements ?? []
    #expect(entries.map { $0["event"]?.text } == ["GroceryItemAdded", "GroceryItemDescribed"])
    #expect(entries.allSatisfy { $0["actor_name"] == "Ada" })
    let elsewhere = #","household":"\#(HomeBook.home)""#
    #expect(
      try home.refusal("grocery_item", #""item":"\#(tea)"\#(elsewhere)"#).first
        == "household_not_found")
  }

  @Test func `a ten-year calendar is written in pieces, with each time once (MC-10)`() throws {
    let home = try HomeBook()
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:eve@x", "SUMMARY:Eve", "DTSTART:20260101T230000Z",
      "DTEND:20260103T010000Z", "RRULE:FREQ=WEEKLY", "END:VEVENT",
      "BEGIN:VEVENT", "UID:day@x", "DTSTART;VALUE=DATE:20351201", "DTEND;VALUE=DATE:20370201",
      "END:VEVENT", "END:VCALENDAR", "",
    ]
    try home.record(
      "import_calendar", #""ics":"\#(lines.joined(separator: #"\r\n"#))""#,
      at: "2026-03-02T10:00:00Z")
    let question = CalendarQuestion(of: .first, from: Day("2026-01-02"), to: Day("2036-01-01"))
    let answer = try question.answer(from: home.book.reader.view(), for: .first)
    let rows = try #require(answer.json["occurrences"]?.elements)
    let eves = rows.filter { $0["uid"] == "eve@x" }
    #expect(eves.count == 522)
    #expect(Set(eves.map { $0["start_time"]?.text }).count == 522)
    #expect(rows.count { $0["uid"] == "day@x" } == 1)
    var pieces: [[UInt8]] = []
    answer.writePieces { pieces.append($0) }
    #expect(pieces.count > 8 && pieces.allSatisfy { $0.count < 100_000 })
    #expect(try JSON(parsing: pieces.flatMap(\.self)) == answer.json)
  }

  @Test func `a calendar answer states its days, and names the events it cuts off (MC-10)`() throws
  {
    let home = try HomeBook()
    let march = #""from":"2026-03-03","to":"2026-03-03""#
    let day = try home.ask("calendar", march)["ok"]
    #expect(day?["first_day"] == "2026-03-03" && day?["last_day"] == "2026-03-03")
    #expect(day?["occurrences"]?.elements?.map { $0["title"]?.text } == ["Choir"])
    #expect(day?["cut_off"] == [])
    let week = try home.ask("calendar", #""on":"2026-03-03""#)["ok"]
    #expect(week?["first_day"] == "2026-03-03" && week?["last_day"] == "2026-03-09")
    let past = try home.ask("calendar", #""as_of":"\#(HomeBook.then)""#)["ok"]
    #expect(past?["first_day"] == "2026-03-01" && past?["last_day"] == "2026-03-07")
    let refusal = try home.refusal("calendar", #""from":"2026-03-03","to":"2026-03-02""#)
    #expect(refusal == ["invalid_field", "to"])
    // Its count covers all years since the first.
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:00010101T120000Z",
      "RRULE:FREQ=DAILY;BYDAY=MO;COUNT=2147483647", "END:VEVENT", "END:VCALENDAR", "",
    ]
    try home.record(
      "import_calendar", #""ics":"\#(lines.joined(separator: #"\r\n"#))""#,
      at: "2026-03-02T10:00:00Z")
    let cut = try home.ask("calendar", march)["ok"]
    let events = try home.book.reader.state().calendarEvents.elements
    #expect(cut?["cut_off"]?.elements?.compactMap(\.text) == [events[1].key.description])
  }
}
