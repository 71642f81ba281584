import Avro
import Daybook
import PropertyTesting
import Testing

@Suite(.tags(.unit)) struct RecipeTests {
  private let home = Home.household

  @Test func `a household keeps a recipe (MC-4)`() throws {
    let content = RecipeContent(
      title: " Waffles ", sourceURL: "https://example.org/w", sourceType: "url",
      baseServings: Rational(4), ingredients: [Ingredient(parsing: "2 eggs")],
      steps: [" Stir. ", "", "Bake."], tags: ["sweet ", " ", "quick", "sweet"], prepMinutes: 10,
      cookMinutes: 20, notes: "Gran's")
    let created: RecipeCreated = make {
      $0.key = Scenario.fresh
      $0.household = home
      $0.owner = Bees.person(2)
      $0.content = content
      $0.content.title = "Waffles"
      $0.content.steps = ["Stir.", "Bake."]
      $0.content.tags = ["sweet", "quick"]
    }
    let command = CreateRecipe(in: home, content)
    #expect(try Home.with(2).when(command, by: 2) == [.recipeCreated(created)])
  }

  @Test func `an invalid recipe is refused (MC-4)`() throws {
    let scenario = try Home.with()
    let rows: [(RecipeContent, String)] = [
      (RecipeContent(title: " "), "empty_title"),
      (RecipeContent(title: "a\u{7}b"), "invalid_title"),
      (RecipeContent(title: "a", baseServings: .zero), "invalid_servings"),
      (RecipeContent(title: "a", ingredients: [Ingredient(text: " ")]), "empty_ingredients"),
      (
        RecipeContent(title: "a", ingredients: [Ingredient(text: "x", amount: Rational(-1))]),
        "invalid_quantity"
      ),
      (RecipeContent(title: "a", tags: ["\u{7}"]), "invalid_tags"),
      (RecipeContent(title: "a", prepMinutes: -1), "invalid_prep_time"),
      (RecipeContent(title: "a", cookMinutes: -1), "invalid_cook_time"),
      (
        RecipeContent(
          title: "a", ingredients: [Ingredient(text: "x", recipe: Key(high: 8, low: 7))]),
        "recipe_not_found"
      ),
    ]
    for (content, code) in rows {
      #expect(self.code(CreateRecipe(in: home, content), in: scenario) == code)
    }
  }

  private func code(_ command: some Command, in scenario: Scenario, by actor: Int = 1) -> String? {
    do {
      _ = try scenario.when(command, by: actor)
      return nil
    } catch { return error.code }
  }

  @Test func `a recipe created again by a member is the same recipe`() throws {
    let scenario = try Home.with(2).recipe("Soup")
    let content = try #require(scenario.state.recipes[.number(1)]?.content)
    let again = CreateRecipe(in: home, key: Key(high: 8, low: 1), content)
    #expect(try scenario.when(again, by: 2) == [])
    let other = CreateRecipe(in: home, key: Key(high: 8, low: 1), RecipeContent(title: "Stew"))
    #expect(throws: Rejection.keyTaken(Key(high: 8, low: 1))) { try scenario.when(other) }
    #expect(throws: Rejection.keyTaken(Key(high: 8, low: 1))) {
      try scenario.and(DeleteRecipe(.number(1))).when(again)
    }
  }

  @Test func `an edit records only what changes (MC-4)`() throws {
    let scenario = try Home.with(2).recipe("Soup")
    var update = UpdateRecipe(.number(1))
    #expect(try scenario.when(update) == [])
    update.patch.set(\.title, "Stew")
    update.patch.set(\.cookMinutes, 90)
    let described: RecipeDescribed = make {
      $0.recipe = .number(1)
      $0.content = RecipeContent(
        title: "Stew", baseServings: Rational(4), ingredients: [Ingredient(text: "1 onion")],
        cookMinutes: 90)
    }
    #expect(try scenario.when(update, by: 2) == [.recipeDescribed(described)])
  }

  @Test func `no recipe contains itself at any depth`() throws {
    let scenario = try Home.with().recipe("a").recipe("b", part: 1).recipe("c", part: 2)
    for part in 1...3 {
      let update = UpdateRecipe(.number(1)) { $0.ingredients = [Home.part(UInt64(part))] }
      #expect(throws: Rejection.recipeInItself) { try scenario.when(update) }
    }
    // Another household's recipe cannot be a part here.
    let other = try scenario.and(CreateHousehold(name: "Cabin"), by: 2)
    let spy = CreateRecipe(
      in: try #require(Household.ID(2)),
      RecipeContent(title: "spy", ingredients: [Home.part(1)]))
    #expect(throws: Rejection.recipeNotFound) { try other.when(spy, by: 2) }
    // A deleted part remains as a line of text.
    let after = try scenario.and(DeleteRecipe(.number(2)))
    let rename = UpdateRecipe(.number(3)) { $0.title = "d" }
    #expect(try after.when(rename).count == 1)
  }

  @Test func `a nested recipe without a name is called by its title (MC-4)`() throws {
    let scenario = try Home.with().recipe("Dough", "1 cup flour")
    let parts = [
      Ingredient(text: "", recipe: Home.part(1).recipe),
      Ingredient(text: "2, thin", amount: Rational(2), note: "thin", recipe: Home.part(1).recipe),
      Ingredient(text: "the usual", recipe: Home.part(1).recipe),
      Ingredient(text: "a crust", food: "crust", recipe: Home.part(1).recipe),
    ]
    let pie = CreateRecipe(
      in: home, key: Key(high: 8, low: 99), RecipeContent(title: "Pie", ingredients: parts))
    let after = try scenario.and(pie)
    let content = try #require(after.state.recipes.elements.last?.content)
    #expect(content.ingredients.map(\.text) == ["Dough", "2 Dough, thin", "the usual", "a crust"])
    #expect(content.ingredients.map(\.food) == ["Dough", "Dough", "Dough", "crust"])
    // Without an amount it is made once.
    #expect(
      content.scaled(to: Rational(3))?.ingredients.map(\.amount)
        == [Rational(3), Rational(6), Rational(3), Rational(3)])
    let update = UpdateRecipe(.number(2)) { $0.ingredients = parts }
    #expect(try after.when(update) == [])
    // A deleted part is still bought by its name.
    let list = try after.and(DeleteRecipe(.number(1)))
      .and(PlanMeal(in: home, MealContent(recipe: .number(2), date: day("2026-03-03"))))
      .and(GenerateGroceryList(of: home, week: day("2026-03-03")))
    let lines = list.state.lists.elements.first?.ordered.map(\.item.content) ?? []
    #expect(lines.map(\.name) == ["crust", "Dough"])
    #expect(lines.map(\.amount) == [.one, Rational(4)])
  }

  @Test func `a search matches beginnings of words, titles first (MC-4)`() throws {
    let scenario = try Home.with(2)
      .recipe("Onion soup", tags: ["warm"], "2 leeks").recipe("Salad", tags: ["Soup kitchen"])
      .recipe("Goulash", "1 l SOUPE de poisson").recipe("Bread", "flour")
    let find = { (text: String, viewer: Int) in
      scenario.state.recipes(of: home, for: Bees.person(viewer), matching: text)
        .map(\.recipe.content.title)
    }
    #expect(find("soup", 1) == ["Onion soup", "Salad", "Goulash"])
    #expect(find("  SOUP, warm ", 2) == ["Onion soup"])
    #expect(find("oup", 1) == [])
    #expect(find("", 1) == ["Bread", "Goulash", "Onion soup", "Salad"])
    #expect(find("soup", 3) == [])
  }

  @Test func `servings are adjusted exactly (MC-5)`() throws {
    let recipe = RecipeContent(
      title: "Cake", baseServings: Rational(6),
      ingredients: [
        Ingredient(text: "1/3 cup oil", amount: Rational(1, over: 3)), Ingredient(text: "salt"),
      ])
    let scaled = try #require(recipe.scaled(to: Rational(4)))
    #expect(scaled.ingredients.map(\.amount) == [Rational(2, over: 9), nil])
    #expect(scaled.baseServings == Rational(4))
    #expect(recipe.scaled(to: nil) == recipe)
    let tooMany = Rational(.max)
    #expect(recipe.scaled(to: Rational(1, over: .max))?.scaled(to: tooMany)?.ingredients == nil)
  }

  @Test func `scaling by a, then by b, is scaling by ab (MC-5)`() {
    let terms = Generator<Int>.integer(in: 1...500)
    let report = check(
      "scaling twice", Generator.zip(terms, Generator.zip(terms, terms)), cases: 300
    ) { terms in
      let recipe = RecipeContent(
        title: "x", baseServings: Rational(Int64(terms.0)),
        ingredients: [Ingredient(text: "y", amount: Rational(7, over: 3))])
      let (first, second) = (Rational(Int64(terms.1.0), over: 7), Rational(Int64(terms.1.1)))
      try expect(recipe.scaled(to: first)?.scaled(to: second) == recipe.scaled(to: second))
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `ingredients are lines, or objects with parts (MC-4)`() throws {
    let scenario = try Home.with()
    let read = { (ingredients: String) throws -> [Ingredient] in
      let line =
        #"{"do":"create_recipe","as":"\#(person(1).key)","title":"x","ingredients":\#(ingredients)}"#
      let body = try Request(try JSON(parsing: line), scenario.state).body
      return try #require(body as? CreateRecipe).content.ingredients
    }
    #expect(
      try read(#"["2 eggs",{"text":"2 eggs"}]"#) == [
        Ingredient(parsing: "2 eggs"), Ingredient(parsing: "2 eggs"),
      ])
    let parts =
      #"{"quantity":"3/2","unit":"cup","name":"sugar","category":"pantry","note":"brown"}"#
    #expect(
      try read("[\(parts)]") == [
        Ingredient(
          text: "3/2 cup sugar, brown", amount: Rational(3, over: 2), unit: "cup", food: "sugar",
          note: "brown", category: .pantry)
      ])
    for wrong in ["1", "[1]", #"[{"qty":1}]"#, #"[{"quantity":"many"}]"#, #"[{"category":"x"}]"#] {
      #expect(throws: Rejection.self, "\(wrong)") { try read(wrong) }
    }
  }

  @Test func `a recipe's row reads back as the same recipe (MC-4)`() throws {
    var scenario = try Home.with().recipe("Pie")
    let update = UpdateRecipe(.number(1)) { content in
      content.ingredients = [
        Ingredient(parsing: "2¼ l Wasser, kalt"),
        Ingredient(
          text: "sugar", amount: Rational(1, over: 3), unit: "cup", food: "sugar",
          category: .pantry),
      ]
      content.ingredients[1].extra = #"{"id":"s"}"#
      content.steps = ["One\ntwo", RecipeStep("Three", object: #"{"text":"Three"}"#)]
      content.prepMinutes = 5
    }
    scenario = try scenario.and(update)
    let row = try #require(scenario.state.tables.first { $0.name == "recipes" }?.rows.first)
    var members: [JSON.Member] = [
      .init("do", "update_recipe"), .init("as", .string(person(1).key.description)),
      .init("recipe", row["id"] ?? .null),
    ]
    for name in [
      "title", "source_url", "source_type", "base_servings", "ingredients", "steps", "tags",
      "prep_time", "cook_time", "notes",
    ] { members.append(.init(name, row[name] ?? .null)) }
    let body = try Request(.object(members), scenario.state).body
    #expect(try scenario.when(try #require(body as? UpdateRecipe)) == [])
  }
}
