import Daybook
import PropertyTesting
import Testing

/// The laws of grocery lists, over random weeks.
@Suite(.tags(.law)) struct GroceryLawTests {
  @Test func `the total of the lines is the total of the scaled ingredients, exactly (MC-5, MC-7)`()
  {
    let report = check("totals agree", Food.weeks, cases: 50) { week, statistics in
      let lines = try week.lines()
      var wanted: [GroceryIdentity: Rational] = [:]
      for meal in week.meals {
        let factor = try #require(week.recipes[meal.recipe]?.factor(servings: meal.servings))
        for (identity, amount) in try week.naiveNeeds(of: meal.recipe, times: factor) {
          let sum: Rational = try #require((wanted[identity] ?? .zero).adding(amount))
          wanted[identity] = sum
        }
      }
      let parts = lines.flatMap(\.parts)
      statistics.cover("adds up", atLeast: 40, parts.contains { $0.sources.count > 1 })
      statistics.cover("has covered parts", atLeast: 5, parts.contains(where: \.isCovered))
      statistics.cover("has parts", atLeast: 20, lines.contains { $0.parts.count > 1 })
      try expectEqual(Set(parts.map(\.identity)), Set(wanted.keys))
      try expectEqual(Set(lines.map(\.identity)).count, lines.count)
      for line in parts {
        guard let required = line.required else { continue }
        let unit = KitchenUnit(required.unit)
        try expectEqual(required.amount.multiplied(by: unit.size), wanted[line.identity])
        let shares = line.sources.map { share in
          share.amount?.multiplied(by: KitchenUnit(share.unit).size) ?? .zero
        }
        try expectEqual(
          shares.reduce(Rational.zero) { $0.adding($1) ?? .zero }, wanted[line.identity])
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `bought and held amounts cover exactly what is required (MC-7)`() {
    let report = check("the pantry is taken off once", Food.weeks, cases: 50) { week in
      for line in try week.lines().flatMap(\.parts) where !line.isUncertain {
        guard let dimension = line.identity.dimension, let food = line.identity.food else {
          continue
        }
        var held = Rational.zero
        for pantryStaple in week.pantry where pantryStaple.food.lowercased() == food {
          let unit = KitchenUnit(pantryStaple.unit)
          guard unit.dimension == dimension, let amount = pantryStaple.amount else { continue }
          held = try #require(amount.multiplied(by: unit.size)?.adding(held))
        }
        let required = try #require(line.required.flatMap(Food.base))
        let bought = try #require(line.quantity.flatMap(Food.base))
        try expectEqual(bought, max(.zero, try #require(required.subtracting(held))))
      }
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `scaling by a, then by b, is scaling by ab (MC-5)`() {
    let factors = Food.rationals.filter("positive") { $0.isPositive }
    let report = check(
      "scaling composes", .zip(Food.ingredients, factors, factors), cases: 2_000
    ) { ingredient, first, second in
      let product = try #require(first.multiplied(by: second))
      try expectEqual(
        ingredient.scaled(by: first)?.scaled(by: second), ingredient.scaled(by: product))
    }
    #expect(report.passed, "\(report)")
  }

  @Test
  func
    `adding a meal and removing it changes nothing, and removing takes away exactly its share (MC-6, MC-7)`()
  {
    let report = check("a meal comes and goes", Food.weeks, cases: 50) { week in
      guard let last = week.meals.last else { return }
      var without = week
      without.meals.removeLast()
      var again = without
      again.meals.append(last)
      try expectEqual(try again.lines(), try week.lines())
      try expectEqual(again.digest, week.digest)
      try expect(without.digest != week.digest)
      let before = try without.lines().flatMap(\.parts)
      for line in try week.lines().flatMap(\.parts) {
        let kept = line.sources.filter { $0.meal != last.key }
        let other = before.first { $0.identity == line.identity }
        try expectEqual(other?.sources ?? [], kept)
      }
      try expect(before.allSatisfy { line in line.sources.allSatisfy { $0.meal != last.key } })
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the order of meals, staples and ingredients does not matter (MC-7)`() {
    let report = check("order does not matter", Food.weeks, cases: 50) { week in
      var turned = week
      turned.meals.reverse()
      turned.pantry.reverse()
      try expectEqual(turned.digest, week.digest)
      for key in turned.recipes.keys { turned.recipes[key]?.ingredients.reverse() }
      try expectEqual(try turned.lines(), try week.lines())
    }
    #expect(report.passed, "\(report)")
  }

  @Test func `the digest changes with everything a list depends on, and nothing else (MC-7)`() {
    let meal = GroceryPlan.Meal(key: Food.key(9), recipe: Food.key(1), date: day("2026-11-16"))
    let soup = RecipeContent(
      title: "Soup",
      ingredients: [.init(parsing: "1 l water"), .init(text: "x", recipe: Food.key(2))])
    let plan = GroceryPlan(
      meals: [meal],
      recipes: [Food.key(1): soup, Food.key(2): .init(title: "Stock"), Food.key(3): soup],
      pantry: [.init(food: "Salt")])
    let changes: [(inout GroceryPlan) -> Void] = [
      { $0.meals[0].servings = .one }, { $0.meals[0].date = day("2026-11-17") },
      { $0.meals[0].recipe = Food.key(3) }, { $0.meals = [] },
      { $0.recipes[Food.key(1)]?.baseServings = .one },
      { $0.recipes[Food.key(2)]?.ingredients = [.init(parsing: "1 bone")] },
      { $0.recipes[Food.key(1)]?.ingredients[0].category = .other }, { $0.pantry = [] },
      { $0.pantry[0].amount = .one }, { $0.wanted = ["salt"] },
    ]
    var digests: Set<String> = [plan.digest]
    for change in changes {
      var other = plan
      change(&other)
      digests.insert(other.digest)
    }
    #expect(digests.count == changes.count + 1)
    var same = plan
    same.recipes[Food.key(1)]?.title = "Broth"
    same.recipes[Food.key(3)] = nil
    same.pantry[0].food = "SALT"
    #expect(same.digest == plan.digest)
    #expect(plan.digest.count == 16)
  }
}

extension GroceryPlan {
  /// The needs of a recipe, line by line, by definition.
  fileprivate func naiveNeeds(
    of recipe: Key, times: Rational
  ) throws -> [(GroceryIdentity, Rational)] {
    try (recipes[recipe]?.ingredients ?? []).flatMap {
      ingredient -> [(GroceryIdentity, Rational)] in
      if let part = ingredient.recipe, recipes[part] != nil {
        let product = try #require(times.multiplied(by: ingredient.amount ?? .one))
        return try naiveNeeds(of: part, times: product)
      }
      guard let food = ingredient.food else {
        return [(GroceryIdentity(dimension: .count, text: ingredient.text), times)]
      }
      guard let amount = ingredient.amount else {
        return [(GroceryIdentity(food: food.lowercased()), times)]
      }
      let unit = KitchenUnit(ingredient.unit)
      let product = try #require(amount.multiplied(by: unit.size)?.multiplied(by: times))
      return [(GroceryIdentity(food: food.lowercased(), dimension: unit.dimension), product)]
    }
  }
}
