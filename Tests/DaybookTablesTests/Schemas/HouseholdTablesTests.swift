import Avro
import Calendar
import Daybook
import DaybookStore
import Testing
import Values

@testable import DaybookTables

/// The tables and functions of households.
@Suite(.tags(.unit)) struct HouseholdTablesTests {
  private let world: TableWorld
  private let ada: Account.ID
  private let bob: Account.ID
  private let home: TableValue

  init() throws {
    world = try TableWorld()
    (ada, bob) = (world.people[0], world.people[1])
    home = try world.insert("households", ["name": .text("Home")], by: ada)["id"] ?? .null
  }

  @Test func `nobody moves in by a household's id, and everybody by its code (MC-1, MC-11)`() throws
  {
    let me = try #require(world.rows("users", for: bob).first)
    #expect(throws: TableError.rowSecurity("users")) {
      try world.update("users", me, to: ["household_id": home], by: bob)
    }
    let shown = try world.row(world.call("create_household_code", [:], by: ada), for: ada)
    let code = try #require(shown["code"])
    let answer = try world.call("join_household_with_code", ["p_code": code], by: bob)
    guard case .scalar(let key) = answer else { throw TableWorld.Missing(what: "key") }
    #expect(key == home)
    let joined = try world.update(
      "users", me, to: ["household_id": home, "name": .text("Bob")], by: bob)
    #expect(joined["household_id"] == home)
    #expect(try world.rows("users", for: ada).map { $0.text("name") }.contains("Bob"))
    let left = try world.update("users", joined, to: ["household_id": .null], by: bob)
    #expect(left["household_id"] == .null)
    #expect(try world.rows("users", for: ada).count == 1)
  }

  @Test func `rows of another household are refused, and one's own need not name it (MC-11)`()
    throws
  {
    #expect(throws: TableError.rowSecurity("recipes")) {
      try world.insert("recipes", ["household_id": home, "title": .text("Soup")], by: bob)
    }
    let recipe = try world.insert("recipes", ["title": .text("Soup")], by: ada)
    #expect(recipe["household_id"] == home)
    #expect(recipe.key("created_by") == TableWorld.key(100))
  }

  @Test func `a household's task is done and to be done again (MC-3)`() throws {
    let task = try world.insert(
      "household_tasks",
      [
        "title": .text("Wash"), "due_date": .date(world.today), "due_time": .text("18:30:00"),
        "priority": .text("urgent"), "assigned_to": .uuid(TableWorld.key(100)),
      ], by: ada)
    #expect(task.text("due_time") == "18:30")
    #expect(task.text("priority") == "urgent")
    let done = try world.update("household_tasks", task, to: ["is_complete": .bool(true)], by: ada)
    #expect(done.instant("completed_at") != nil)
    #expect(done.key("completed_by") == TableWorld.key(100))
    let open = try world.update(
      "household_tasks", done, to: ["is_complete": .bool(false), "assigned_to": .null], by: ada)
    #expect(open["completed_at"] == .null)
    #expect(open["assigned_to"] == .null)
    let earlier = world.now.advanced(byMilliseconds: -60_000)
    let before = try world.update(
      "household_tasks", open,
      to: ["is_complete": .bool(true), "completed_at": .timestamp(earlier)], by: ada)
    #expect(before.instant("completed_at") == earlier)
    #expect(before.key("completed_by") == TableWorld.key(100))
    try world.delete("household_tasks", before, by: ada)
    #expect(try world.rows("household_tasks", for: ada).isEmpty)
  }

  @Test func `a recipe's JSON comes back as it was said (MC-4)`() throws {
    let ingredients: JSON = [
      ["quantity": 2, "unit": "cups", "name": "Flour", "category": "pantry"]
    ]
    let recipe = try world.insert(
      "recipes",
      [
        "title": .text("Bread"), "base_servings": .integer(4), "ingredients": .json(ingredients),
        "steps": .json(["Mix", "Bake"]), "tags": .array(["easy", "warm"]),
        "prep_time": .integer(10),
      ], by: ada)
    #expect(recipe["ingredients"] == .json(ingredients))
    #expect(recipe["steps"] == .json(["Mix", "Bake"]))
    #expect(recipe["tags"] == .array(["easy", "warm"]))
    #expect(recipe["base_servings"] == .decimal("4"))
    let changed = try world.update("recipes", recipe, to: ["tags": .array(["warm"])], by: ada)
    #expect(changed["tags"] == .array(["warm"]))
    #expect(changed["ingredients"] == recipe["ingredients"])
  }

  @Test func `what the book does not know of a recipe comes back, too (MC-4)`() throws {
    let ingredients: JSON = [
      ["id": "a", "name": "Flour", "quantity": 2, "unit": .null, "category": "baking"],
      ["id": "b", "name": "Salt", "swap": ["for": ["Soy"]], "extra": 1],
    ]
    let steps: JSON = ["Mix", ["order": 2, "text": "Bake", "image": .null], ["n": 3]]
    let recipe = try world.insert(
      "recipes",
      ["title": .text("Bread"), "ingredients": .json(ingredients), "steps": .json(steps)], by: ada)
    #expect(Set(members(recipe)) == Set(members(["ingredients": .json(ingredients)])))
    #expect(recipe.json("steps")?.elements?.count == 3)
    #expect(recipe.json("steps")?.elements?[1]["image"] == .null)
    #expect(recipe.json("steps")?.elements?[2] == ["n": 3])
    let before = world.state.position
    _ = try world.update("recipes", recipe, to: ["ingredients": .json(ingredients)], by: ada)
    #expect(world.state.position == before, "it says already what it said")
  }

  @Test func `an ingredient is any JSON, and comes back as it was written (MC-4)`() throws {
    let ingredients: JSON = try JSON(
      parsing: """
        ["1 egg", {"name":"Flour","quantity":0.3333333333333333,"unit":"cup"}, {"item":"Salt"},
         {"name":"S","quantity":66.66666666666667}, {"name":"Oil","quantity":"2"}, {"text":"2 eggs"},
         [1, [2]], 7, "", null, {}, {"":1,"name":"x"}, {"name":"Dust","quantity":1e-7},
         {"name":"Stars","quantity":12345678901234567890}]
        """)
    let recipe = try world.insert(
      "recipes", ["title": .text("Bread"), "ingredients": .json(ingredients)], by: ada)
    #expect(recipe.json("ingredients")?.canonicalText == ingredients.canonicalText)
    // What is understood of them is there for lists.
    let content = try #require(world.state.recipes.elements.last).content
    #expect(content.ingredients[0].food == "egg" && content.ingredients[0].amount == .one)
    #expect(content.ingredients[1].amount?.description == "3333333333333333/10000000000000000")
    #expect(content.ingredients[2].text == "Salt" && content.ingredients[12].text == "Dust")
    let before = world.state.position
    _ = try world.update("recipes", recipe, to: ["ingredients": .json(ingredients)], by: ada)
    #expect(world.state.position == before, "it says already what it said")
  }

  /// The members of each ingredient of a recipe.
  private func members(_ recipe: RowColumns) -> [JSON.Member] {
    (recipe.json("ingredients")?.elements ?? []).flatMap { $0.members ?? [] }
  }

  @Test func `lists have their clients' keys, and lines their order; both go (MC-7, MC-8)`()
    throws
  {
    let (one, other) = (TableWorld.key(801), TableWorld.key(802))
    let row: RowColumns = ["id": .uuid(one), "week_start": .date(world.today)]
    let list = try world.insert("grocery_lists", row, by: ada)
    #expect(list.key("id") == one && list.flag("is_current") == true)
    world.wait(minutes: 1)
    let second = try world.insert(
      "grocery_lists", ["id": .uuid(other), "week_start": .date(world.today)], by: ada)
    #expect(second.key("id") == other && second.flag("is_current") == true)
    for (name, order) in [("c", 3), ("a", 1), ("b", 2)] {
      _ = try world.insert(
        "grocery_items",
        ["grocery_list_id": .uuid(one), "name": .text(name), "sort_order": .integer(Int64(order))],
        by: ada)
    }
    let items = try world.rows("grocery_items", for: ada)
    #expect(items.allSatisfy { $0.key("grocery_list_id") == one })
    #expect(items.map { $0.integer("sort_order") } == [3, 1, 2])
    try world.delete("grocery_lists", list, by: ada)
    #expect(try world.rows("grocery_items", for: ada).isEmpty)
    #expect(try world.rows("grocery_lists", for: ada).map { $0.key("id") } == [other])
  }

  @Test func `of a list that an app makes itself the plan's digest and its time are kept (MC-7)`()
    throws
  {
    let before = world.now.advanced(byMilliseconds: -90_000)
    let noted: RowColumns = [
      "meal_plan_hash": .text("sha256:0f/+="), "generated_at": .timestamp(before),
    ]
    let row = noted.merging(["week_start": .date(world.today)]) { $1 }
    let list = try world.insert("grocery_lists", row, by: ada)
    #expect(list.text("meal_plan_hash") == "sha256:0f/+=")
    #expect(list.instant("generated_at") == before)
    let number = try #require(list.key("id").flatMap { world.state.lists.number(of: $0) })
    #expect(world.state.lists[number].map(world.state.isStale) == false)
    // The list that was begun last is the one to shop by, though its app made it before another began.
    world.wait(minutes: 1)
    let between = world.now.advanced(byMilliseconds: -30_000)
    _ = try world.insert("grocery_lists", ["id": .uuid(TableWorld.key(803))], by: ada)
    world.wait(minutes: 1)
    let next: RowColumns = ["id": .uuid(TableWorld.key(804)), "generated_at": .timestamp(between)]
    let second = try world.insert("grocery_lists", noted.merging(next) { $1 }, by: ada)
    #expect(second.flag("is_current") == true && second.instant("generated_at") == between)

    let position = world.state.position
    _ = try world.update("grocery_lists", second, to: noted.merging(next) { $1 }, by: ada)
    #expect(world.state.position == position, "said again it is no news")
    let late = world.now.advanced(byMilliseconds: 3_600_000)
    let anew = try world.update(
      "grocery_lists", second,
      to: ["meal_plan_hash": .text("2"), "generated_at": .timestamp(late)], by: ada)
    #expect(anew.text("meal_plan_hash") == "2")
    #expect(anew.instant("generated_at") == world.now, "no clock of an app's is ahead")
    let cleared = try world.update(
      "grocery_lists", second, to: ["meal_plan_hash": .null, "generated_at": .null], by: ada)
    #expect(cleared["meal_plan_hash"] == .null && cleared["generated_at"] == .null)
    for text in ["", "two words", "naïve", "line\n", String(repeating: "x", count: 201)] {
      #expect(throws: (any Error).self, "\(text)") {
        try world.update("grocery_lists", list, to: ["meal_plan_hash": .text(text)], by: ada)
      }
    }
    #expect(throws: TableError.checkFailed("week_start", of: "grocery_lists")) {
      try world.update(
        "grocery_lists", list, to: ["week_start": .date(world.today.advanced(by: 7))], by: ada)
    }
  }

  @Test
  func `the current list is the one that its app says, and its week begins when it says (MC-7)`()
    throws
  {
    let day: Day = "2026-04-05"
    let now = world.now
    let first = try world.insert(
      "grocery_lists",
      ["week_start": .date(day), "is_current": .bool(false), "generated_at": .timestamp(now)],
      by: ada)
    #expect(first.day("week_start") == day && first.flag("is_current") == false)
    #expect(first.instant("generated_at") == now && first["meal_plan_hash"] == .null)
    // A list of the same week is another one: nobody finds the lines of the former on it.
    let second = try world.insert("grocery_lists", ["week_start": .date(day)], by: ada)
    #expect(second.key("id") != first.key("id") && second.flag("is_current") == true)
    let chosen = try world.update("grocery_lists", first, to: ["is_current": .bool(true)], by: ada)
    #expect(chosen.flag("is_current") == true)
    let rows = try world.rows("grocery_lists", for: ada)
    #expect(rows.map { $0.flag("is_current") } == [true, false])
    let none = try world.update("grocery_lists", chosen, to: ["is_current": .bool(false)], by: ada)
    #expect(none.flag("is_current") == false)
    #expect(try world.rows("grocery_lists", for: ada).allSatisfy { $0.flag("is_current") == false })
  }

  @Test func `an app's digest stays with the lines, and goes when the book makes the list (MC-7)`()
    throws
  {
    let recipe = try world.insert(
      "recipes",
      [
        "title": .text("Soup"), "base_servings": .integer(2),
        "ingredients": .json([["name": "Leek", "quantity": 1]]),
      ], by: ada)
    _ = try world.insert(
      "meal_plans", ["recipe_id": recipe["id"] ?? .null, "date": .date(world.today)], by: ada)
    guard case .uuid(let key) = home else { throw TableWorld.Missing(what: "key") }
    let household = try #require(world.state.households.number(of: key))
    let generate = GenerateGroceryList(of: household, week: world.today)
    let number = try world.write(by: ada) { try $0.record(generate) }
    let made = try #require(world.state.lists[number])
    #expect(made.planned.count == 1 && !world.state.isStale(made))
    let list = try #require(world.rows("grocery_lists", for: ada).first)
    _ = try world.update("grocery_lists", list, to: ["meal_plan_hash": .text("mine")], by: ada)
    let noted = try #require(world.state.lists[number])
    #expect(noted.planned.map(\.key) == made.planned.map(\.key))
    #expect(noted.mealPlanHash == "mine" && noted.generated == made.generated)
    _ = try world.write(by: ada) { try $0.record(generate) }
    #expect(world.state.lists[number]?.mealPlanHash == made.mealPlanHash)
  }

  @Test func `meals make a list, to which members add (MC-6…MC-8)`() throws {
    let recipe = try world.insert(
      "recipes",
      [
        "title": .text("Bread"),
        "ingredients": .json([["quantity": 2, "unit": "cups", "name": "Flour"]]),
      ], by: ada)
    let meal = try world.insert(
      "meal_plans", ["recipe_id": recipe["id"] ?? .null, "date": .date(world.today)], by: ada)
    #expect(
      try world.update("meal_plans", meal, to: ["servings_override": .integer(6)], by: ada)[
        "servings"] == .decimal("6"))
    let list = try world.row(world.call("generate_grocery_list", [:], by: ada), for: ada)
    #expect(list.flag("is_current") == true)
    #expect(list.text("meal_plan_hash") != nil)
    let milk = try world.insert(
      "grocery_items",
      ["grocery_list_id": list["id"] ?? .null, "name": .text("Milk"), "quantity": .decimal("1.5")],
      by: ada)
    #expect(milk.flag("is_manual") == true)
    let names = try world.rows("grocery_items", for: ada).compactMap { $0.text("name") }
    #expect(names == ["Flour", "Milk"])
    let checked = try world.update("grocery_items", milk, to: ["is_checked": .bool(true)], by: ada)
    #expect(checked.flag("is_checked") == true)
    try world.delete("grocery_items", checked, by: ada)
    #expect(try world.rows("grocery_items", for: ada).count == 1)
  }

  @Test func `an event of Google's is known again by its id (MC-10)`() throws {
    let row: RowColumns = [
      "google_event_id": .text("g-1"), "title": .text("Dentist, \"Dr. No\""),
      "start_time": .timestamp(world.now),
      "end_time": .timestamp(world.now.advanced(byMilliseconds: 3_600_000)),
    ]
    let event = try world.insert("calendar_events", row, by: ada)
    #expect(event.text("google_event_id") == "g-1")
    #expect(event["title"] == row["title"])
    #expect(event["start_time"] == row["start_time"])
    #expect(event.instant("synced_at") != nil)
    let again = try world.insert("calendar_events", row, by: ada)
    #expect(again["id"] == event["id"])
    #expect(try world.rows("calendar_events", for: ada).count == 1)
  }

  @Test(
    arguments: [
      // As its person's phone says midnight.
      ("2026-05-31T22:00:00Z", "2026-06-01T22:00:00Z", "2026-06-01", "2026-06-02"),
      ("2026-05-31T22:00:00Z", "2026-06-02T21:59:59.999Z", "2026-06-01", "2026-06-03"),
      ("2026-12-31T23:00:00Z", nil, "2027-01-01", "2027-01-02"),
      // As UTC does.
      ("2026-06-01T00:00:00Z", "2026-06-03T00:00:00Z", "2026-06-01", "2026-06-03"),
      ("2026-06-01T00:00:00Z", "2026-06-02T23:59:59Z", "2026-06-01", "2026-06-03"),
      ("2026-06-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-06-01", "2026-06-02"),
      // As neither does.
      ("2026-06-01T07:30:00Z", "2026-06-01T08:00:00Z", "2026-06-01", "2026-06-02"),
      ("2026-06-01T22:30:00Z", "2026-06-01T23:00:00Z", "2026-06-02", "2026-06-03"),
    ] as [(String, String?, String, String)])
  func `a day in the calendar is that of the person who writes it (MC-10)`(
    start: String, end: String?, first: String, last: String
  ) throws {
    _ = try world.write(by: ada) { try $0.record(UpdateProfile { $0.timeZone = "Europe/Berlin" }) }
    func midnight(_ day: String) throws -> TableValue {
      .timestamp(try #require(Instant(day + "T00:00:00Z")))
    }
    var row: RowColumns = [
      "title": .text("Fair"), "start_time": .timestamp(try #require(Instant(start))),
      "all_day": .bool(true),
    ]
    if let end { row["end_time"] = .timestamp(try #require(Instant(end))) }
    for more in [[:], ["google_event_id": .text("g")]] as [RowColumns] {
      let event = try world.insert("calendar_events", row.merging(more) { $1 }, by: ada)
      #expect(try event["start_time"] == midnight(first) && event["end_time"] == midnight(last))
      let moved = try world.update(
        "calendar_events", event,
        to: ["start_time": .timestamp(world.now), "all_day": .bool(false), "end_time": .null],
        by: ada)
      let back = try world.update("calendar_events", moved, to: row, by: ada)
      #expect(try back["start_time"] == midnight(first))
      if end != nil { #expect(try back["end_time"] == midnight(last)) }
    }
  }

  @Test func `a day in the calendar is a day wherever one is (MC-10)`() throws {
    _ = try world.write(by: ada) { try $0.record(UpdateProfile { $0.timeZone = "Asia/Tokyo" }) }
    let midnight = Instant(clamping: Int64(world.today.number) * 86_400_000)
    let event = try world.insert(
      "calendar_events",
      [
        "title": .text("Fair"), "start_time": .timestamp(midnight), "all_day": .bool(true),
        "end_time": .timestamp(midnight.advanced(byMilliseconds: 2 * 86_400_000)),
      ], by: ada)
    #expect(event.instant("start_time") == midnight)
    #expect(event.instant("end_time") == midnight.advanced(byMilliseconds: 2 * 86_400_000))
    let moved = try world.update(
      "calendar_events", event, to: ["title": .text("Big fair")], by: ada)
    #expect(moved.text("title") == "Big fair")
    #expect(moved["start_time"] == event["start_time"])
  }
}
