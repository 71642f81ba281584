import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct GroceryPlanTests {
  private let pasta = Food.key(1)
  private let sauce = Food.key(2)

  private func recipe(_ lines: String..., servings: Int64? = nil) -> RecipeContent {
    RecipeContent(
      title: "Dish", baseServings: servings.map { Rational($0) },
      ingredients: lines.map { Ingredient(parsing: $0) })
  }

  /// The shopping list as text, a line each; lines to check are marked.
  private func list(_ plan: GroceryPlan) throws -> [String] {
    try plan.lines().filter { !$0.isCovered }.map { line in
      let amounts = line.wanted.map { $0.quantity?.shown ?? (line.wanted.count > 1 ? "some" : "") }
      let text = [amounts.joined(separator: " + "), line.name].filter { !$0.isEmpty }
        .joined(separator: " ")
      return line.category == .verifyPantry ? "? \(text)" : text
    }
  }

  private func plan(
    _ recipe: RecipeContent, times: Int = 1, servings: Rational? = nil,
    pantry: [GroceryPlan.PantryStaple] = [], wanted: Set<String> = []
  ) -> GroceryPlan {
    GroceryPlan(
      meals: (0..<times).map {
        .init(key: Food.key(100 + $0), recipe: pasta, date: day("2026-11-16"), servings: servings)
      }, recipes: [pasta: recipe], pantry: pantry, wanted: wanted)
  }

  // MARK: Failures of other programs (grocery_cases.json)

  @Test func `G1: three servings of a recipe for three take its amounts (MC-7)`() throws {
    let eggs = recipe("5 eggs", servings: 3)
    #expect(try list(plan(eggs, servings: Rational(3))) == ["5 eggs"])
  }

  @Test func `G3: the pantry is subtracted from the sum, not from each recipe (MC-7)`() throws {
    let stock = GroceryPlan.PantryStaple(food: "Cheese", amount: Rational(250), unit: "g")
    let cheese = plan(recipe("100 g cheese"), times: 4, pantry: [stock])
    #expect(try list(cheese) == ["150 g cheese"])
    #expect(try cheese.lines().flatMap(\.parts).map(\.required) == [Quantity(Rational(400), "g")])
  }

  @Test func `G4: one food in two recipes adds up (MC-7)`() throws {
    let two = GroceryPlan(
      meals: [
        .init(key: Food.key(3), recipe: pasta, date: day("2026-11-16")),
        .init(key: Food.key(4), recipe: sauce, date: day("2026-11-17")),
      ], recipes: [pasta: recipe("300 g  A"), sauce: recipe("500 g a")])
    #expect(try list(two) == ["800 g A"])
  }

  @Test func `G7: a recipe inside a recipe is scaled once (MC-7)`() throws {
    let half = Ingredient(text: "½ cheese sauce", amount: Rational(1, over: 2), recipe: sauce)
    var whole = plan(RecipeContent(title: "Pasta", ingredients: [half]))
    whole.recipes[sauce] = recipe("1000 g cheese")
    #expect(try list(whole) == ["500 g cheese"])
    whole.meals[0].servings = Rational(2)
    #expect(try list(whole) == ["1 kg cheese"])
  }

  @Test(arguments: [1, 2] as [Int64])
  func `G9: a staple at home is not bought, however much is cooked (MC-7)`(servings: Int64) throws {
    let salted = plan(
      recipe("1 tsp salt", "2 eggs"), servings: Rational(servings), pantry: [.init(food: "Salt")])
    let bought = try salted.lines().filter { $0.category != .verifyPantry }
    #expect(bought.map(\.name) == ["eggs"])
  }

  @Test func `G10: a staple at home is bought when a member wants it (MC-7)`() throws {
    let salt = recipe("1 tsp salt")
    #expect(try list(plan(salt, pantry: [.init(food: "salt")])) == ["? 1 tsp salt"])
    #expect(
      try list(plan(salt, pantry: [.init(food: "salt")], wanted: ["SALT"])) == ["1 tsp salt"])
  }

  @Test(.enabled(if: Food.has("grocery_cases.json"), "../shared/fixtures is not here"))
  func `each known failure of other programs has a test here`() throws {
    let cases = try #require(JSON(parsing: Food.text("grocery_cases.json")).elements)
    #expect(
      cases.compactMap { $0["id"]?.text } == ["G1", "G3", "G4", "G7", "G9", "G10", "G14"])
  }

  // MARK: Sums

  @Test func `the upper end of a range is bought (MC-7)`() throws {
    #expect(try list(plan(recipe("2-3 carrots"))) == ["3 carrots"])
    #expect(try list(plan(recipe("2-3 carrots", "1 carrots"), times: 2)) == ["8 carrots"])
  }

  @Test func `a food is one line, in any measures (MC-7)`() throws {
    #expect(try list(plan(recipe("2 g salt", "Salt"))) == ["2 g + some Salt"])
    #expect(try list(plan(recipe("salt", "Salt", "salt"))) == ["Salt"])
    let flour = plan(recipe("200 g flour", "1 cup flour", "2 flour"))
    #expect(try list(flour) == ["200 g + 1 cup + 2 flour"])
    #expect(try flour.lines().map { $0.sources.count } == [3])
    var stocked = flour
    stocked.pantry = [.init(food: "flour", amount: Rational(500), unit: "g")]
    #expect(try list(stocked) == ["? 1 cup + 2 flour"])
    stocked.pantry = [.init(food: "flour", amount: Rational(50), unit: "g")]
    #expect(try list(stocked) == ["150 g + 1 cup + 2 flour"])
  }

  @Test func `the digest of a list without ranges is the same as before ranges existed (MC-7)`()
    throws
  {
    let before = plan(recipe("2 eggs", "salt, fine", servings: 2), pantry: [.init(food: "Salt")])
    #expect(before.digest == "1e4fba46917a6ac1")
    #expect(plan(recipe("2-3 eggs")).digest != plan(recipe("2-4 eggs")).digest)
  }

  @Test func `units of one dimension add up, and others do not (MC-7)`() throws {
    let much = recipe(
      "1 cup milk", "1 tbsp milk", "200 g flour", "1 cup flour", "3 eggs", "1 dozen eggs",
      "2 cloves garlic", "1 Zehe garlic", "1 head garlic", "salt", "1 tsp salt", "Salt")
    #expect(
      try list(plan(much)) == [
        "15 eggs", "200 g + 1 cup flour", "3 Zehe + 1 head garlic", "17 tbsp milk",
        "1 tsp + some salt",
      ])
  }

  @Test func `lines without a food merge only with identical text (MC-7)`() throws {
    var odd = recipe()
    for text in ["500 g", "500 g", "500  g", "(this and that)"] {
      odd.ingredients.append(Ingredient(text: text))
    }
    let lines = try plan(odd, servings: Rational(3)).lines()
    #expect(lines.map(\.name) == ["(this and that)", "500  g", "500 g"])
    #expect(
      lines.map { $0.parts.map(\.quantity?.amount) } == [
        [Rational(3)], [Rational(3)], [Rational(6)],
      ])
  }

  @Test func `a staple in another measure, or for an unknown need, must be checked (MC-7)`()
    throws
  {
    let bread = recipe("2 cups flour", "Salt", "30 g butter", "2 eggs")
    let pantry: [GroceryPlan.PantryStaple] = [
      .init(food: "flour", amount: .one, unit: "kg"), .init(food: "salt", amount: .one, unit: "kg"),
      .init(food: "butter", amount: Rational(250), unit: "g"), .init(food: "eggs", amount: .one),
      .init(food: "Eggs", amount: Rational(1, over: 2)),
    ]
    let lines = try plan(bread, pantry: pantry).lines()
    #expect(try list(plan(bread, pantry: pantry)) == ["? 2 cups flour", "? Salt", "½ eggs"])
    #expect(lines.first { $0.name == "butter" }?.isCovered == true)
  }

  @Test func `categories are in order, and their lines sorted by name (MC-7, MC-8)`() throws {
    var mixed = recipe()
    for (food, category) in [
      ("peas", .frozen), ("rye", .pantry), ("milk", .dairy), ("leek", .produce), ("ham", .meat),
      ("foil", .other), ("kale", .produce), ("oil", .verifyPantry), ("tape", nil),
    ] as [(String, GroceryCategory?)] {
      mixed.ingredients.append(
        Ingredient(text: food, amount: .one, food: food, category: category))
    }
    let lines = try plan(mixed).lines()
    #expect(
      lines.map(\.name) == ["oil", "kale", "leek", "milk", "ham", "rye", "peas", "foil", "tape"])
    #expect(lines.map(\.sortOrder) == [0, 0, 1, 0, 0, 0, 0, 0, 1])
  }

  // MARK: Refusals

  @Test func `a recipe that contains itself is refused, with the recipes (MC-7)`() throws {
    var circle = plan(RecipeContent(title: "A", ingredients: [.init(text: "b", recipe: sauce)]))
    circle.recipes[sauce] = RecipeContent(
      title: "B", ingredients: [.init(text: "a", recipe: pasta)])
    #expect(throws: GroceryPlanError.recipeTakesItself([pasta, sauce])) { try circle.lines() }
    circle.recipes[sauce] = nil
    #expect(try list(circle) == ["1 b"])
  }

  @Test func `recipes nested thirty deep, each used twice, cost thirty steps`() throws {
    var recipes: [Key: RecipeContent] = [:]
    for depth in 0..<31 {
      let next = Ingredient(text: "next", recipe: Food.key(depth + 1))
      recipes[Food.key(depth)] = RecipeContent(title: "\(depth)", ingredients: [next, next])
    }
    recipes[Food.key(31)] = recipe("1 g salt")
    var deep = GroceryPlan(
      meals: [.init(key: Food.key(99), recipe: Food.key(0), date: day("2026-11-16"))],
      recipes: recipes)
    #expect(try list(deep) == ["2147483648 g salt"])
    deep.recipes[Food.key(31)] = RecipeContent(
      title: "31", ingredients: [.init(text: "n", recipe: Food.key(32))])
    deep.recipes[Food.key(32)] = recipe("1 g salt")
    #expect(throws: GroceryPlanError.tooDeep(Food.key(32))) { try deep.lines() }
  }

  @Test func `sums beyond 64 bits are listed unit by unit, and never rounded`() throws {
    let huge = recipe("9223372036854775 l water", "1 cup water", "1/3 cup water")
    #expect(
      try plan(huge).lines().flatMap(\.parts).map(\.required) == [
        Quantity(Rational(4, over: 3) ?? .one, "cup"),
        Quantity(Rational(9_223_372_036_854_775), "l"),
      ])
    let more = recipe("9223372036854775807 eggs", "1 eggs")
    #expect(throws: GroceryPlanError.amountTooLarge("eggs")) { try plan(more).lines() }
  }
}
