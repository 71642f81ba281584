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
  private let home: Value

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
    try world.delete("household_tasks", open, by: ada)
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
        ["list_id": .uuid(one), "name": .text(name), "sort_order": .integer(Int64(order))], by: ada)
    }
    let items = try world.rows("grocery_items", for: ada)
    #expect(items.allSatisfy { $0.key("list_id") == one })
    #expect(items.map { $0.integer("sort_order") } == [3, 1, 2])
    try world.delete("grocery_lists", list, by: ada)
    #expect(try world.rows("grocery_items", for: ada).isEmpty)
    #expect(try world.rows("grocery_lists", for: ada).map { $0.key("id") } == [other])
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
      ["list_id": list["id"] ?? .null, "name": .text("Milk"), "quantity": .decimal("1.5")], by: ada)
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
