import Avro
import Calendar
import Daybook
@testable import DaybookPage
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

/// Recipes, groceries and the calendar of a household as a browser without scripts sees them (MC-4 … MC-10).
@Suite(.tags(.unit)) struct HouseholdFoodTests {
  private static let pancakes = "/household/recipes/\(HouseholdHome.pancakes)"
  private static let list = "/household/groceries?week=2026-03-02"

  // MARK: Recipes

  @Test func `recipes are listed, found by words, written and deleted (MC-4)`() async throws {
    let home = try await HouseholdHome()
    let all = await home.text("/household/recipes")
    #expect(all.contains("Pancakes</a>") && all.contains("Leek soup</a>"))
    let found = await home.text("/household/recipes?search=leek")
    #expect(found.contains("Leek soup</a>") && !found.contains("Pancakes</a>"))
    #expect(await home.text("/household/recipes?search=zzz").contains("No recipe has these words."))
    let answer = try await home.browser.submit(
      "create_recipe",
      [
        "title": "Toast", "base_servings": "1", "ingredients": "2 slices bread\r\n\r\n10 g butter",
        "steps": "Toast.\r\nButter.", "tags": "quick\r\n", "prep_time": "", "cook_time": "5",
        "source_url": "", "notes": "",
      ], on: "/household/recipes")
    #expect(answer.location.hasPrefix("/household/recipes/"), "it leads to the new recipe")
    let toast = await home.text(answer.location)
    #expect(toast.contains("<h1>Toast</h1>"))
    #expect(toast.contains("<li>2 slices bread</li>") && toast.contains("<li>Butter.</li>"))
    #expect(
      try await home.browser.submit("delete_recipe", on: answer.location).location
        == "/household/recipes")
    #expect(!(await home.text("/household/recipes").contains("Toast")))
    #expect(await home.browser.get(answer.location).status == .notFound)
  }

  @Test func `the serving adjuster scales amounts, and says what it did not scale (MC-5)`()
    async throws
  {
    let home = try await HouseholdHome()
    let written = await home.text(Self.pancakes)
    #expect(written.contains("<li>½ l milk</li>") && written.contains("servings=5\""))
    let six = await home.text(Self.pancakes + "?servings=6")
    #expect(six.contains("<strong>¾ l</strong> milk"))
    #expect(six.contains("<strong>4 ½</strong> eggs"))
    #expect(six.contains("Written for 4.") && six.contains("<li>salt</li>"))
    #expect(six.contains("1 ½ tin") && six.contains("as written: 1 tin (400 g) cherries"))
    #expect(await home.text(Self.pancakes + "?servings=1%2C5").contains("value=\"1.5\""))
    for wrong in ["0", "-2", "many"] {
      let text = await home.text(Self.pancakes + "?servings=\(wrong)")
      #expect(text.contains("role=\"alert\""), "\(wrong)")
      #expect(text.contains("<li>½ l milk</li>"), "\(wrong)")
    }
    let german = Browser(home.world, language: "de")
    german.cookies = home.browser.cookies
    #expect(
      await german.get(Self.pancakes + "?servings=3,3").text.contains("<strong>0,413 l</strong>"))
  }

  @Test func `cooking shows one step at a time, with the ingredients beside it`() async throws {
    let home = try await HouseholdHome()
    let first = await home.text(Self.pancakes + "?servings=8&cook=1")
    #expect(first.contains("Step 1 of 3") && first.contains("<p class=\"instruction\">Whisk.</p>"))
    #expect(first.contains("<strong>1 l</strong> milk"))
    #expect(first.contains("?servings=8&amp;cook=1&amp;step=2#step\""))
    #expect(!first.contains("rel=\"prev\">‹ Before"))
    let last = await home.text(Self.pancakes + "?cook=1&step=99")
    #expect(last.contains("Step 3 of 3") && last.contains("Enjoy"))
    let none = await home.text("/household/recipes/\(HouseholdHome.soup)?cook=1&step=-1")
    #expect(none.contains("The recipe has no steps."))
  }

  @Test func `changed lines of a recipe leave what an app wrote into the others`() async throws {
    let home = try await HouseholdHome()
    let key = Key().description
    try home.record(
      #"{"do":"create_recipe","key":"\#(key)","title":"Stew","ingredients":[{"text":"2 l stock","quantity":2,"unit":"l","name":"stock","category":"frozen","extra":{"brand":"Own"}},"1 onion"],"steps":[{"text":"Boil.","timer":30},"Serve."]}"#
    )
    try await home.browser.submit(
      "update_recipe",
      [
        "title": "Stew", "ingredients": "2 l stock\r\n3 onions", "steps": "Boil.\r\nServe hot.",
        "base_servings": "", "tags": "",
      ], on: "/household/recipes/\(key)")
    let content = try #require(
      home.world.book.read { $0.recipes.elements.first { $0.key == Key(key) }?.content })
    #expect(content.ingredients.map(\.text) == ["2 l stock", "3 onions"])
    #expect(content.ingredients[0].category == .frozen)
    #expect(content.steps.map(\.text) == ["Boil.", "Serve hot."])
    #expect(content.steps[0].writtenJSON["timer"] == 30)
  }

  // MARK: Groceries

  @Test func `the list goes by sections, and what is looked for at home comes first (MC-7)`()
    async throws
  {
    let home = try await HouseholdHome()
    let text = await home.text(Self.list)
    let sections = text.pieces(from: "<h2 id=\"a-", to: "\"")
    #expect(sections.first == "verify_pantry")
    let order = GroceryCategory.allCases.map(\.rawValue)
    #expect(order.filter(sections.contains) == sections)
    #expect(text.contains("<strong>2 l</strong> milk"))
    #expect(text.contains("Pancakes, Tuesday; Leek soup, Wednesday"))
  }

  @Test func `a line that is checked off stays where it is (MC-8)`() async throws {
    let home = try await HouseholdHome()
    let names = { (text: String) in text.pieces(from: "name=\"was_name\" value=\"", to: "\"") }
    let before = names(await home.text(Self.list))
    let milk = try home.line("milk").description
    try await home.browser.submit("check_grocery_item", ["item": milk], on: Self.list)
    let text = await home.text(Self.list)
    #expect(names(text) == before && before.count == 5)
    #expect(text.contains("1 of 5 in the basket"))
    #expect(text.contains("<li class=\"task line completed\">"))
    try await home.browser.submit("uncheck_grocery_item", on: Self.list)
    #expect(await home.text(Self.list).contains("0 of 5 in the basket"))
  }

  @Test func `lines are added by hand, changed, moved and removed`() async throws {
    let home = try await HouseholdHome()
    try await home.browser.submit(
      "add_grocery_item",
      ["name": "paper towels", "quantity": "2", "unit": "rolls", "category": "other"],
      on: Self.list)
    let text = await home.text(Self.list)
    #expect(text.contains("<strong>2 rolls</strong> paper towels"))
    #expect(text.contains("added by hand") && text.contains("0 of 6 in the basket"))
    let towels = try home.line("paper towels").description
    try await home.browser.submit(
      "update_grocery_item",
      [
        "item": towels, "name": "paper towels", "quantity": "1 1/2", "unit": "packs",
        "note": "soft ones", "category": "pantry", "was_name": "paper towels",
        "was_quantity": "2", "was_unit": "rolls", "was_note": "",
      ], on: Self.list)
    let changed = await home.text(Self.list)
    #expect(changed.contains("<strong>1 ½ packs</strong> paper towels, soft ones"))
    #expect(changed.contains("<h2 id=\"a-pantry\">"))
    try await home.browser.submit("remove_grocery_item", ["item": towels], on: Self.list)
    #expect(!(await home.text(Self.list).contains("paper towels")))
  }

  @Test func `a line says why it is on the list, with entries that lead to their moments`()
    async throws
  {
    let home = try await HouseholdHome()
    let milk = try home.line("milk").description
    #expect(await home.text(Self.list).contains("why=\(milk)#why\""))
    let text = await home.text(Self.list + "&why=\(milk)")
    let reasons = try #require(text.pieces(from: "id=\"why\"", to: "</div>").first)
    #expect(reasons.contains("<strong>1 l</strong> for") && reasons.contains("Pancakes</a>"))
    #expect(reasons.contains("Tue") && reasons.contains("Dinner") && reasons.contains("for 8"))
    #expect(reasons.contains("Leek soup</a>"))
    #expect(reasons.contains("Ada planned Pancakes."))
    #expect(reasons.contains("Ada made the list from the meals."))
    let links = reasons.pieces(from: "href=\"", to: "\"").filter { $0.contains("as_of=") }
    #expect(links.count == 5)
    for link in links {
      let answer = await home.browser.get(link.replacing("&amp;", with: "&"))
      #expect(answer.status == .ok, "\(link)")
      #expect(answer.text.contains("The past is read-only."), "\(link)")
    }
    try await home.browser.submit("add_grocery_item", ["name": "tea"], on: Self.list)
    let tea = try home.line("tea").description
    let byHand = await home.text(Self.list + "&why=\(tea)")
    #expect(byHand.contains("a member wrote it.") && byHand.contains("Ada added it by hand."))
    // A line that is gone, or never was, is no reason to show nothing.
    let gone = await home.text(Self.list + "&why=\(Key())")
    #expect(gone.contains("<strong>2 l</strong> milk") && !gone.contains("id=\"why\""))
  }

  @Test func `a stale list says so, and is made anew with what was checked`() async throws {
    let home = try await HouseholdHome()
    #expect(!(await home.text(Self.list).contains("Make it anew")))
    let leeks = try home.line("leeks").description
    try await home.browser.submit("check_grocery_item", ["item": leeks], on: Self.list)
    try home.record(#"{"do":"remove_meal","meal":"\#(HouseholdHome.tuesday)"}"#)
    #expect(await home.text(Self.list).contains("Make it anew"))
    try await home.browser.submit("generate_grocery_list", on: Self.list)
    let text = await home.text(Self.list)
    #expect(!text.contains("Make it anew") && text.contains("<strong>1 l</strong> milk"))
    #expect(text.contains("1 of 2 in the basket"))
  }

  @Test func `a week without a list offers to make one, or to write the first line`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/groceries?week=2026-03-11"
    #expect(await home.text(page).contains("There is no list for this week."))
    try await home.browser.submit("add_grocery_item", ["name": "tea"], on: page)
    #expect(await home.text(page).contains("0 of 1 in the basket"))
  }

  @Test func `the list of a past moment is what it said then`() async throws {
    let home = try await HouseholdHome()
    let milk = try home.line("milk").description
    home.world.clock.advance(days: 2)
    try home.record(#"{"do":"remove_grocery_item","item":"\#(milk)"}"#)
    #expect(!(await home.text(Self.list).contains("2 l</strong> milk")))
    let then = await home.text(Self.list + "&as_of=2026-03-01&why=\(milk)")
    #expect(then.contains("<strong>2 l</strong> milk") && then.contains("id=\"why\""))
  }

  // MARK: The calendar

  @Test func `events last all day, for days, or from time to time, in the person's zone (MC-10)`()
    async throws
  {
    let home = try await HouseholdHome()
    let page = "/household/calendar?month=2026-03"
    #expect(await home.text(page).contains("Nothing takes place in this month."))
    for event in [
      ["title": "Trip", "first_day": "2026-03-04", "last_day": "2026-03-06"],
      ["title": "Holiday", "first_day": "2026-03-20"],
      [
        "title": "Dentist", "first_day": "2026-03-10", "start_clock": "15:00", "end_clock": "15:45",
      ],
      [
        "title": "Party", "first_day": "2026-03-14", "start_clock": "22:00",
        "last_day": "2026-03-15", "end_clock": "02:00",
      ],
    ] {
      try await home.browser.submit("create_calendar_event", event, on: page)
    }
    try home.record(
      #"{"do":"create_calendar_event","title":"Call","start_time":"2026-03-02T09:00:00Z"}"#)
    let text = await home.text(page)
    let rows = text.pieces(from: "<span class=\"when\">", to: "</li>")
    func when(_ title: String) throws -> String {
      let row = try #require(rows.first { $0.contains("class=\"title\">\(title)<") })
      return String(row.prefix { $0 != "<" })
    }
    #expect(try when("Trip") == "Wed, Mar 4 – Fri, Mar 6")
    #expect(try when("Holiday") == "all day")
    #expect(try when("Dentist") == "15:00–15:45")
    #expect(try when("Party") == "Sat, Mar 14 22:00 – Sun, Mar 15 02:00")
    #expect(try when("Call") == "10:00", "nine in London is ten in Berlin")
    #expect(
      text.contains("aria-label=\"Thu, Mar 5, 2026: 1 event\""), "a day within a trip has it, too")
    #expect(await home.text("/household/calendar?month=2026-04").contains("Nothing takes place"))
  }

  @Test func `an event's words and times are changed each by itself, and it is deleted`()
    async throws
  {
    let home = try await HouseholdHome()
    let page = "/household/calendar?month=2026-03"
    try home.record(
      #"{"do":"create_calendar_event","title":"Call","start_time":"2026-03-02T09:00:00Z","end_time":"2026-03-02T10:00:00Z","time_zone":"America/New_York"}"#
    )
    func event() throws -> CalendarEvent {
      try #require(home.world.book.read { $0.calendarEvents.elements.first })
    }
    let zone = try event().content.main?.start.zone
    let same = [
      "first_day": "2026-03-02", "start_clock": "10:00", "last_day": "", "end_clock": "11:00",
      "description": "",
    ]
    try await home.browser.submit(
      "update_calendar_event", same.merging(["title": "Long call", "location": "Desk"]) { $1 },
      on: page)
    #expect(try event().displayName == "Long call")
    #expect(try event().content.main?.start.zone == zone, "its zone is as it was")
    try await home.browser.submit(
      "update_calendar_event",
      same.merging(["title": "Long call", "location": "Desk", "start_clock": "10:30"]) { $1 },
      on: page)
    #expect(await home.text(page).contains("10:30–11:00"))
    let refused = try await home.browser.submit(
      "update_calendar_event",
      same.merging(["title": "Long call", "location": "Desk", "end_clock": "08:00"]) { $1 },
      on: page)
    #expect(refused.status.code >= 400)
    try await home.browser.submit("delete_calendar_event", on: page)
    #expect(await home.text(page).contains("Nothing takes place in this month."))
  }

  @Test func `a series is changed in its words alone`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/calendar?month=2026-03"
    try await home.browser.submit(
      "create_calendar_event",
      [
        "title": "Swim", "first_day": "2026-03-02", "start_clock": "18:00",
        "recurrence": "FREQ=WEEKLY",
      ], on: page)
    let text = await home.text(page)
    #expect(text.pieces(from: "class=\"title\">Swim", to: "<").count == 5)
    #expect(text.contains("This event repeats."))
    try await home.browser.submit(
      "update_calendar_event", ["title": "Swimming", "location": "", "description": ""], on: page)
    #expect(await home.text(page).pieces(from: "class=\"title\">Swimming", to: "<").count == 5)
  }

  @Test func `a calendar file is taken in once, and says what was not understood`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/calendar"
    let ics = [
      "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1@x", "SUMMARY:Choir <b>", "DTSTART:20260302T160000Z",
      "END:VEVENT", "BEGIN:VEVENT", "UID:2@x", "SUMMARY:Broken", "DTSTART:yesterday", "END:VEVENT",
      "BEGIN:VTODO", "END:VTODO", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    let first = try await home.browser.submit("import_calendar", ["ics": ics], on: page)
    #expect(first.status == .ok)
    #expect(first.text.contains("1 new event") && first.text.contains("1 VTODO"))
    #expect(first.text.contains("Not understood") && first.text.contains("<li>Line "))
    #expect(!first.text.contains("<b>"))
    let again = try await home.browser.submit("import_calendar", ["ics": ics], on: page)
    #expect(again.text.contains("0 new events") && again.text.contains("1 event as before"))
    #expect(await home.text(page + "?month=2026-03").contains("Choir &lt;b&gt;"))
    let refused = try await home.browser.submit("import_calendar", ["ics": "no file"], on: page)
    #expect(refused.status.code >= 400)
    #expect(refused.text.contains("no file"), "what was pasted is not lost")
  }
}
