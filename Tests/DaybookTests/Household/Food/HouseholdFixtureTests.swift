import Avro
import Daybook
import Testing

/// Compares with the weekly totals of a real household (../shared/fixtures; skipped if that is absent).
@Suite(
  .tags(.unit),
  .enabled(if: Food.has("household/household_A.json"), "../shared/fixtures is not here"))
struct HouseholdFixtureTests {
  @Test func `the weekly totals of a real household (MC-7)`() throws {
    let household = try RealHousehold(try JSON(parsing: Food.text("household/household_A.json")))
    #expect(household.recipes.count == 349)
    #expect(household.recipes.values.map(\.ingredients.count).reduce(0, +) == 4107)
    let totals = try JSON(parsing: Food.text("household/household_A.weekly_totals.json"))
    var meals = 0
    for week in try #require(totals.members) {
      let plan = household.plan(week: week.name)
      meals += plan.meals.count
      #expect(plan.meals.count == week.value["planned_meals"]?.integer, "\(week.name)")
      let lines = try plan.lines()
      let texts = lines.filter { $0.identity.text != nil }.flatMap(\.parts)
      let times = texts.compactMap(\.quantity).reduce(Rational.zero) { $0.adding($1.amount) ?? $0 }
      #expect(
        times == week.value["free_text_ingredient_lines"].flatMap { Rational(json: $0) },
        "\(week.name)")
      let found = Set(
        lines.filter { $0.identity.food != nil }.flatMap { line in
          line.parts.map { Total(line.name, $0) }
        })
      let expected = Set(
        try #require(week.value["lines"]?.elements).map { try Total($0, of: household) })
      #expect(found == expected, "\(week.name)")
      #expect(expected.count == week.value["merged_food_lines"]?.integer)
    }
    #expect(meals == household.meals.count)
  }

  private struct Total: Hashable {
    var food: String?
    var unit: String?
    var quantity: Rational?

    init(_ name: String, _ part: GroceryPart) {
      (food, unit, quantity) = (name, part.quantity?.unit, part.quantity?.amount)
    }

    init(_ json: JSON, of household: RealHousehold) throws {
      food = household.foods[try #require(json["food_id"]?.text)]
      unit = try json["unit_id"]?.text.map { try #require(household.units[$0]) }
      quantity = json["quantity"].flatMap { Rational(json: $0) }
    }
  }
}

/// A household as another program stored it.
struct RealHousehold {
  let foods: [String: String]
  let units: [String: String]
  private(set) var recipes: [Key: RecipeContent] = [:]
  private(set) var meals: [GroceryPlan.Meal] = []

  init(_ json: JSON) throws {
    let table = { (name: String) throws in try #require(json[name]?.elements) }
    let names = { (rows: [JSON]) in
      Dictionary(
        rows.compactMap { row in
          row["id"]?.text.flatMap { id in row["name"]?.text.map { (id, $0) } }
        },
        uniquingKeysWith: { first, _ in first })
    }
    foods = names(try table("foods"))
    units = names(try table("units"))
    for row in try table("recipes") {
      let key = try #require(row["id"]?.text.flatMap { Key($0) })
      recipes[key] = RecipeContent(title: try #require(row["name"]?.text))
    }
    for row in try table("ingredients") {
      let key = try #require(row["recipe_id"]?.text.flatMap { Key($0) })
      let note = row["note"]?.text ?? ""
      recipes[key]?.ingredients.append(
        Ingredient(
          text: note, amount: row["quantity"].flatMap { Rational(json: $0) },
          unit: row["unit_id"]?.text.flatMap { units[$0] },
          food: row["food_id"]?.text.flatMap { foods[$0] }, note: note.isEmpty ? nil : note))
    }
    // One of the fourteen is a note without a recipe.
    for (number, row) in try table("meal_plan").enumerated() where row["recipe_id"] != .null {
      meals.append(
        .init(
          key: Food.key(number), recipe: try #require(row["recipe_id"]?.text.flatMap { Key($0) }),
          date: try #require(row["date"]?.text.flatMap { Day($0) })))
    }
  }

  /// The plan of an ISO week, such as 2022-W44.
  func plan(week: String) -> GroceryPlan {
    GroceryPlan(meals: meals.filter { $0.date.isoWeek == week }, recipes: recipes)
  }
}

extension Day {
  /// The ISO 8601 week: that of its Thursday, counted from the year's first.
  fileprivate var isoWeek: String {
    let daysFromMonday = (Int(number) + 3) % 7
    let thursday = advanced(by: 3 - daysFromMonday)
    let year = thursday.parts.year
    let first = Day(year: year, month: 1, day: 1)?.distance(to: thursday) ?? 0
    let week = first / 7 + 1
    return "\(year)-W\(week < 10 ? "0" : "")\(week)"
  }
}
