import Calendar
import Daybook
@testable import DaybookPage
import DaybookStore
import Foundation
import HTTPTypes
import Testing
import Values
import Wire

/// The household's rooms as a browser without scripts sees them (MC-1 … MC-12).
@Suite(.tags(.unit)) struct HouseholdScreenTests {
  private static let rooms = [
    "", "/chores", "/plan", "/recipes", "/groceries", "/pantry", "/calendar",
  ].map { "/household\($0)" }

  // MARK: The household

  @Test(arguments: rooms)
  func `a person without a household is asked to create or to join one (MC-12)`(room: String)
    async throws
  {
    let world = try await PageWorld()
    let browser = try await world.browser(of: "ada@example.com")
    let text = await browser.get(room).text
    #expect(text.contains("You are in no household yet."))
    #expect(text.contains("value=\"join_household_with_code\""))
    #expect(
      try await browser.submit("create_household", ["name": "Nest"], on: room).location
        == "/household")
    #expect(await browser.get(room).text.contains("aria-current=\"page\""))
  }

  @Test func `an invitation's address lets another in, and who leaves sees nothing more (MC-1)`()
    async throws
  {
    let home = try await HouseholdHome()
    #expect(!(await home.text("/household").contains("/join?code=")))
    try await home.browser.submit("create_household_code", on: "/household")
    let address = try #require(
      await home.text("/household").pieces(from: "http://page.test", to: "\"").first)
    #expect(address.hasPrefix("/join?code="))
    let bob = try await home.world.browser(of: "bob@example.com")
    #expect(await bob.get("/household/groceries").text.contains("You are in no household yet."))
    let code = String(address.suffix(12))
    #expect(await bob.get(address).text.contains("value=\"\(code)\""))
    try await bob.submit("join_household_with_code", ["p_code": code], on: address)
    #expect(await bob.get("/household/groceries").text.contains("milk"))
    // A code that is removed is shown no more.
    try await bob.submit("revoke_household_code", on: "/household")
    #expect(!(await home.text("/household").contains(code)))
    try await bob.submit("leave_household", on: "/household")
    for room in Self.rooms { #expect(!(await bob.get(room).content.contains("Nest")), "\(room)") }
    let recipe = "/household/recipes/\(HouseholdHome.pancakes)"
    #expect(!(await bob.get(recipe).content.contains("Pancakes")))
    #expect(await bob.get("/household?household=\(HouseholdHome.nest)").status == .notFound)
  }

  @Test func `the overview shows today's meals, what is due, and the basket`() async throws {
    let home = try await HouseholdHome()
    home.world.clock.advance(days: 2)
    try home.record(#"{"do":"create_household_task","title":"Bins","due_date":"2026-03-03"}"#)
    try home.record(#"{"do":"create_household_task","title":"Later","due_date":"2026-03-09"}"#)
    try home.record(
      #"{"do":"create_calendar_event","title":"Choir","start_time":"2026-03-03T18:30"}"#)
    let text = await home.text("/household")
    #expect(text.contains("Pancakes</a>") && !text.contains("Leek soup"))
    #expect(text.contains("Bins") && !text.contains("Later"))
    #expect(text.contains("18:30") && text.contains("Choir"))
    #expect(text.contains("0 of 5 in the basket"))
    try await home.browser.submit("complete_household_task", on: "/household")
    #expect(await home.text("/household").contains("Nothing is due today."))
  }

  @Test func `the address says which of several households is shown`() async throws {
    let home = try await HouseholdHome()
    let other = Key().description
    try home.record(#"{"do":"create_household","key":"\#(other)","name":"Cabin"}"#)
    try home.record(#"{"do":"add_pantry_staple","household":"\#(other)","name":"firewood"}"#)
    #expect(await home.text("/household").contains("Go to Cabin"))
    let cabin = await home.text("/household/pantry?household=\(other)")
    #expect(cabin.contains("firewood") && !cabin.contains("salt"))
    #expect(cabin.contains("/household/plan?household=\(other)\""))
    try await home.browser.submit(
      "add_pantry_staple", ["name": "candles"], on: "/household/pantry?household=\(other)")
    #expect(await home.text("/household/pantry?household=\(other)").contains("candles"))
    let first = await home.text("/household/pantry")
    #expect(first.contains("salt") && !first.contains("candles"))
  }

  // MARK: Chores

  @Test func `chores are added, changed, done, opened again and deleted (MC-3)`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/chores"
    #expect(await home.text(page).contains("Everything is done."))
    try await home.browser.submit(
      "create_household_task",
      [
        "title": "Bins", "due_date": "2026-02-28", "due_time": "18:30", "priority": "urgent",
        "assigned_to": home.ada.description, "description": "",
      ], on: page)
    let open = await home.text(page)
    #expect(open.contains("Yesterday 18:30, overdue"))
    #expect(open.contains("<span class=\"badge urgent\">Urgent</span>"))
    #expect(open.contains("<span class=\"soft\">Ada</span>"))
    #expect(await home.text(page + "?show=mine").contains("Bins"))
    try await home.browser.submit(
      "update_household_task",
      [
        "title": "Bins and paper", "due_date": "", "due_time": "", "priority": "low",
        "assigned_to": "", "description": "Both of them",
      ], on: page)
    let changed = try #require(home.world.book.read { $0.householdTasks.elements.first })
    #expect(changed.content.title == "Bins and paper" && changed.content.dueDate == nil)
    #expect(changed.assignee == nil && changed.content.description == "Both of them")
    #expect(await home.text(page + "?show=mine").contains("Nothing is assigned to you."))
    try await home.browser.submit("complete_household_task", on: page)
    #expect(await home.text(page + "?show=complete").contains("done by Ada"))
    try await home.browser.submit("reopen_household_task", on: page + "?show=complete")
    try await home.browser.submit("delete_household_task", on: page)
    #expect(await home.text(page + "?show=all").contains("There are no chores yet."))
  }

  @Test func `chores are sorted by the day on which they are due`() async throws {
    let home = try await HouseholdHome()
    for (title, day) in [
      ("Third", "2026-03-09"), ("First", "2026-03-02"), ("Second", "2026-03-05"),
    ] {
      try home.record(#"{"do":"create_household_task","title":"\#(title)","due_date":"\#(day)"}"#)
    }
    let titles = await home.text("/household/chores").pieces(from: "class=\"title\">", to: "<")
    #expect(titles == ["First", "Second", "Third"])
  }

  @Test func `a form sends only what was changed`() async throws {
    let home = try await HouseholdHome()
    try home.record(#"{"do":"create_household_task","title":"Bins","description":"Old"}"#)
    let task = try #require(home.world.book.read { $0.householdTasks.elements.first?.key })
    let body = try await home.browser.filled(
      "update_household_task",
      ["title": "Bins", "description": "New", "due_date": "", "priority": "medium"],
      on: "/household/chores")
    // Meanwhile somebody else gives it another title.
    try home.record(#"{"do":"update_household_task","task":"\#(task)","title":"Paper"}"#)
    _ = await home.browser.send(.post, "/do", body)
    let after = try #require(home.world.book.read { $0.householdTasks.elements.first?.content })
    #expect(after.title == "Paper" && after.description == "New")
  }

  // MARK: The week

  @Test func `a week shows its meals, leads to its neighbours, and takes another (MC-6)`()
    async throws
  {
    let home = try await HouseholdHome()
    let page = "/household/plan?week=2026-03-04"
    let text = await home.text(page)
    #expect(text.contains("Pancakes</a>") && text.contains("Leek soup</a>"))
    #expect(text.contains("href=\"/household/plan?week=2026-02-23\""))
    #expect(text.contains("href=\"/household/plan?week=2026-03-09\""))
    #expect(text.contains("recipes/\(HouseholdHome.pancakes)?servings=8\""))
    try await home.browser.submit(
      "plan_meal",
      [
        "date": "2026-03-05", "recipe": HouseholdHome.soup, "title": "", "meal_type": "lunch",
        "servings": "3",
      ], on: page)
    try await home.browser.submit(
      "plan_meal",
      ["date": "2026-03-06", "recipe": "", "title": "Pizza", "meal_type": "", "servings": ""],
      on: page)
    let days = await home.text(page).pieces(from: "<li class=\"panel", to: "class=\"add\"")
    #expect(days[3].contains("Lunch") && days[3].contains("for 3"))
    #expect(days[4].contains("Pizza"))
    try await home.browser.submit("remove_meal", on: page)
    #expect(!(await home.text(page).contains("Pancakes</a>")))
    #expect(await home.text("/household/plan?week=2026-04-01").contains("Nothing is planned"))
  }

  @Test func `a week's grocery list is made from its plan`() async throws {
    let home = try await HouseholdHome()
    let answer = try await home.browser.submit(
      "generate_grocery_list", on: "/household/plan?week=2026-03-09")
    #expect(answer.location == "/household/groceries?week=2026-03-09")
    let list = await home.text(answer.location)
    #expect(list.contains("Nothing is to be bought."))
  }

  // MARK: Pantry

  @Test func `staples are added, renamed, moved and removed (MC-9)`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/pantry"
    try await home.browser.submit("remove_pantry_staple", on: page)
    #expect(await home.text(page).contains("The pantry is empty."))
    try await home.browser.submit(
      "add_pantry_staple",
      ["name": "Rice", "quantity": "1,5", "unit": "kg", "category": "pantry"], on: page)
    #expect(await home.text(page).contains("<strong>1.5 kg</strong>"))
    try await home.browser.submit(
      "update_pantry_staple",
      ["name": "Basmati", "quantity": "1/3", "unit": "kg", "category": "other"], on: page)
    let text = await home.text(page)
    #expect(text.contains("Basmati") && text.contains("value=\"1/3\"") && text.contains("Other"))
    let german = Browser(home.world, language: "de")
    german.cookies = home.browser.cookies
    #expect(await german.get(page).text.contains("0,333 kg"))
  }

  // MARK: Safety and time

  @Test func `what people write in a household is shown as text in every room`() async throws {
    let home = try await HouseholdHome()
    let hostile = #"<script>x</script>\"'&{{token}}"#
    let (recipe, chore) = (Key().description, Key().description)
    for line in [
      #"{"do":"rename_household","name":"\#(hostile)"}"#,
      #"{"do":"update_profile","display_name":"\#(hostile)"}"#,
      #"{"do":"create_household_task","key":"\#(chore)","title":"\#(hostile)","description":"\#(hostile)","due_date":"2026-03-01","assigned_to":"\#(home.ada)"}"#,
      #"{"do":"create_recipe","key":"\#(recipe)","title":"\#(hostile)","ingredients":["2 <b> \#(hostile)",{"quantity":1,"unit":"<i>","name":"\#(hostile)","note":"\#(hostile)"}],"steps":["\#(hostile)",{"text":"\#(hostile)"},{"x":"\#(hostile)"}],"tags":["\#(hostile)"],"notes":"\#(hostile)","source_url":"javascript:alert(1)//\#(hostile)","base_servings":2}"#,
      #"{"do":"plan_meal","recipe":"\#(recipe)","date":"2026-03-01","meal_type":"\#(hostile)"}"#,
      #"{"do":"plan_meal","title":"\#(hostile)","date":"2026-03-01"}"#,
      #"{"do":"generate_grocery_list","week_start":"2026-03-01"}"#,
      #"{"do":"add_grocery_item","week_start":"2026-03-01","name":"\#(hostile)","quantity":2,"unit":"<b>","note":"\#(hostile)"}"#,
      #"{"do":"add_pantry_staple","name":"\#(hostile)","quantity":2,"unit":"<i>"}"#,
      #"{"do":"create_calendar_event","title":"\#(hostile)","description":"\#(hostile)","location":"\#(hostile)","start_time":"2026-03-01"}"#,
    ] {
      try home.record(line)
    }
    let item = try #require(
      home.world.book.read { $0.lists.elements.last?.items.first { !$0.sources.isEmpty }?.key })
    let recipePage = "/household/recipes/\(recipe)"
    for target in Self.rooms + [
      "/household/chores?show=all", "/household/plan?week=2026-03-01",
      "/household/recipes?search=script", recipePage, recipePage + "?servings=3",
      recipePage + "?cook=1", recipePage + "?cook=1&step=3",
      "/household/groceries?week=2026-03-01&why=\(item)",
      "/household/calendar?month=2026-03",
    ] {
      let text = await home.browser.get(target).text
      #expect(text.contains("&lt;script&gt;x"), "\(target)")
      #expect(!text.contains("<script>x"), "\(target)")
      #expect(!text.contains("<b>") && !text.contains("<i>"), "\(target)")
      #expect(!text.contains("href=\"javascript:"), "\(target)")
    }
    let refused = try await home.browser.submit(
      "update_recipe",
      ["title": "", "base_servings": "<b>", "ingredients": "<i>\r\n<b>", "steps": ""],
      on: recipePage)
    #expect(refused.status.code >= 400)
    #expect(!refused.text.contains("<b>") && !refused.text.contains("<i>"))
    let join = await home.text("/household/join?code=%22%3E%3Cb%3E")
    #expect(!join.contains("<b>"))
  }

  @Test func `a refused form keeps each line that was written in it`() async throws {
    let home = try await HouseholdHome()
    let page = "/household/recipes/\(HouseholdHome.pancakes)"
    let answer = try await home.browser.submit(
      "update_recipe", ["base_servings": "many", "ingredients": "1 egg\r\n2 leeks"], on: page)
    #expect(answer.status.code >= 400)
    #expect(answer.text.contains("<textarea name=\"ingredients\" rows=\"6\">\n1 egg\n2 leeks"))
    #expect(answer.text.contains("Servings <input name=\"base_servings\" value=\"many\">"))
    #expect(answer.text.contains("type=\"hidden\" name=\"recipe\""))
  }

  @Test func `the past of every room is shown as it was known, and has no form that records`()
    async throws
  {
    let home = try await HouseholdHome()
    home.world.clock.advance(days: 3)
    try home.record(#"{"do":"rename_household","name":"Castle"}"#)
    try home.record(#"{"do":"check_grocery_item","item":"\#(try home.line("milk"))"}"#)
    try home.record(#"{"do":"create_household_task","title":"Bins"}"#)
    let recipe = "/household/recipes/\(HouseholdHome.soup)"
    for room in Self.rooms + [recipe, recipe + "?cook=1", "/household/join"] {
      let moment = (room.contains("?") ? "&" : "?") + "as_of=2026-03-01"
      let answer = await home.browser.get(room + moment)
      let then = answer.text
      #expect(!then.contains("action=\"/do\""), "\(room)")
      // The slider above tells what was recorded next.
      #expect(!answer.content.contains("Castle") && !answer.content.contains("Bins"), "\(room)")
      #expect(then.contains("The past is read-only."), "\(room)")
    }
    #expect(
      await home.text("/household/groceries?as_of=2026-03-01").contains("0 of 5 in the basket"))
    #expect(await home.text("/household/groceries").contains("1 of 5 in the basket"))
    let before = await home.text("/household?as_of=2026-02-28T00:00:00Z")
    #expect(before.contains("You were in no household then."))
  }

  @Test func `every word that a room builds is in both languages`() throws {
    let words = Language.all[0].words.keys
    for category in GroceryCategory.allCases {
      #expect(words.contains("aisle.\(category.rawValue)"))
    }
    for event in [
      "RecipeCreated", "RecipeDescribed", "MealPlanned", "MealChanged", "GroceryListGenerated",
      "GroceryItemAdded", "GroceryItemDescribed", "GroceryItemMarked", "other",
    ] {
      #expect(words.contains("reason.\(event)"))
    }
  }

  @Test func `German rooms speak German`() async throws {
    let home = try await HouseholdHome()
    let german = Browser(home.world, language: "de")
    german.cookies = home.browser.cookies
    for (room, title) in zip(
      Self.rooms.dropFirst(),
      ["Hausarbeit", "Essensplan", "Rezepte", "Einkauf", "Vorrat", "Kalender"])
    {
      #expect(await german.get(room).text.contains("<h1>\(title)"), "\(room)")
    }
  }
}
