import Daybook
import Testing

@Suite(.tags(.unit)) struct MealTests {
  private let home = Home.household

  private func planned(_ content: MealContent) -> Event {
    .mealPlanned(
      make {
        $0.key = Scenario.fresh
        $0.household = home
        $0.owner = First.account
        $0.content = content
      })
  }

  private func changed(_ content: MealContent) -> Event {
    .mealChanged(
      make {
        $0.meal = .number(1)
        $0.content = content
      })
  }

  @Test func `a meal is a recipe on a day, for the recipe's servings or others (MC-6)`() throws {
    let scenario = try Home.with().recipe("Soup")
    var content = MealContent(recipe: .number(1), date: day("2026-03-04"), mealType: " dinner ")
    var kept = content
    kept.mealType = "dinner"
    #expect(try scenario.when(PlanMeal(in: home, content)) == [planned(kept)])
    content.servings = Rational(5, over: 2)
    content.mealType = " "
    (kept.servings, kept.mealType) = (content.servings, nil)
    #expect(try scenario.when(PlanMeal(in: home, content)) == [planned(kept)])
  }

  @Test func `a meal needs no recipe (MC-6)`() throws {
    let content = MealContent(title: "Pizza at Bob's", date: day("2026-03-04"))
    #expect(try Home.with().when(PlanMeal(in: home, content)) == [planned(content)])
  }

  @Test func `a meal has a recipe or a title, and valid servings (MC-6)`() throws {
    let scenario = try Home.with(2).recipe("Soup").and(CreateHousehold(name: "Cabin"), by: 2)
    let date = day("2026-03-04")
    let rows: [(Int32, MealContent, String)] = [
      (1, MealContent(date: date), "empty_title"),
      (1, MealContent(title: " ", date: date), "empty_title"),
      (1, MealContent(recipe: .number(1), title: "x", date: date), "recipe_or_title"),
      (1, MealContent(recipe: .number(2), date: date), "recipe_not_found"),
      (1, MealContent(title: "x", date: date, servings: .zero), "invalid_servings"),
      (1, MealContent(title: "x", date: date, mealType: "a\u{7}b"), "invalid_meal_type"),
      // The recipe is another household's.
      (2, MealContent(recipe: .number(1), date: date), "recipe_not_found"),
    ]
    for (household, content, code) in rows {
      let command = PlanMeal(in: try #require(Household.ID(Int(household))), content)
      do {
        _ = try scenario.when(command, by: 2)
        Issue.record("\(content) was planned")
      } catch { #expect(error.code == code) }
    }
  }

  @Test func `a meal can move, and get another recipe (MC-6)`() throws {
    let scenario = try Home.with(2).recipe("Soup").recipe("Stew").meal(1, on: "2026-03-04")
    var update = UpdateMeal(.number(1))
    #expect(try scenario.when(update) == [])
    update.patch.set(\.date, day("2026-03-05"))
    update.patch.set(\.servings, Rational(6))
    let moved = MealContent(recipe: .number(1), date: day("2026-03-05"), servings: Rational(6))
    #expect(try scenario.when(update, by: 2) == [changed(moved)])
    let eatOut = UpdateMeal(.number(1)) { $0.title = "Out" }
    let out = MealContent(title: "Out", date: day("2026-03-04"))
    #expect(try scenario.when(eatOut) == [changed(out)])
    var cook = UpdateMeal(.number(1)) { $0.recipe = .number(2) }
    let stew = MealContent(recipe: .number(2), date: day("2026-03-04"))
    #expect(try scenario.and(eatOut).when(cook) == [changed(stew)])
    cook.patch.set(\.title, "Out")
    #expect(throws: Rejection.recipeOrTitle) { try scenario.when(cook) }
  }

  @Test func `a deleted recipe leaves its title in the plan`() throws {
    let scenario = try Home.with(2).recipe("Soup").recipe("Stew").meal(1, on: "2026-03-04")
      .meal(2, on: "2026-03-05").meal(1, on: "2026-03-06").and(RemoveMeal(.number(3)))
    let deleted: RecipeDeleted = make { $0.recipe = .number(1) }
    let content = MealContent(title: "Soup", date: day("2026-03-04"))
    #expect(
      try scenario.when(DeleteRecipe(.number(1)), by: 2)
        == [changed(content), .recipeDeleted(deleted)])
    let after = try scenario.and(DeleteRecipe(.number(1)))
    let titles = after.state.mealWeek(with: day("2026-03-04"), of: home, for: First.account).meals
      .map { after.state.title(of: $0.meal) }
    #expect(titles == ["Soup", "Stew"])
  }

  @Test func `a week begins on Monday, and lists its meals by day (MC-6)`() throws {
    let scenario = try Home.with(2).recipe("Soup")
      .meal("Sunday before", on: "2026-03-01").meal("nothing", on: "2026-03-02")
      .meal("tea", on: "2026-03-02", "tea").meal("dinner", on: "2026-03-02", "Dinner")
      .meal("breakfast", on: "2026-03-02", "breakfast").meal("Sunday", on: "2026-03-08")
      .meal("second dinner", on: "2026-03-02", "dinner").meal("Monday after", on: "2026-03-09")
    for text in ["2026-03-02", "2026-03-05", "2026-03-08"] {
      let week = scenario.state.mealWeek(with: day(text), of: home, for: Bees.person(2))
      #expect(week.monday == day("2026-03-02"))
      #expect(week.days.last == day("2026-03-08"))
      #expect(
        week.meals.map(\.meal.content.title) == [
          "breakfast", "dinner", "second dinner", "tea", "nothing", "Sunday",
        ])
      #expect(week.meals(on: day("2026-03-08")).count == 1)
    }
    let strange = scenario.state.mealWeek(with: day("2026-03-02"), of: home, for: Bees.person(3))
    #expect(strange.meals.isEmpty)
  }
}

extension Scenario {
  /// A recipe of Ada's household, which may contain another.
  func recipe(_ title: String, tags: [String] = [], _ line: String = "1 onion", part: UInt64? = nil)
    throws -> Scenario
  {
    let number = UInt64(state.recipes.elements.count + 1)
    return try and(
      CreateRecipe(
        in: Home.household, key: Key(high: 8, low: number),
        RecipeContent(
          title: title, baseServings: Rational(4),
          ingredients: [part.map { Home.part($0) } ?? Ingredient(text: line)], tags: tags)))
  }

  func meal(_ recipe: Int, on date: String, servings: Int64? = nil) throws -> Scenario {
    try meal(
      MealContent(
        recipe: .number(recipe), date: day(date), servings: servings.map { Rational($0) }))
  }

  func meal(_ title: String, on date: String, _ type: String? = nil) throws -> Scenario {
    try meal(MealContent(title: title, date: day(date), mealType: type))
  }

  private func meal(_ content: MealContent) throws -> Scenario {
    let number = UInt64(state.meals.elements.count + 1)
    return try and(PlanMeal(in: Home.household, key: Key(high: 9, low: number), content))
  }
}

extension Home {
  /// A recipe as a part of another, by the number in its key.
  static func part(_ number: UInt64) -> Ingredient {
    Ingredient(text: "1 sauce", amount: .one, recipe: Key(high: 8, low: number))
  }
}

extension EntityNumber {
  /// The n-th of its kind.
  static func number(_ number: Int) -> Self { Self(number) ?? .first }
}
