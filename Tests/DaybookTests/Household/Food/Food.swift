import Daybook
import Foundation
import PropertyTesting

/// Generators for the tests of recipes and groceries.
enum Food {
  /// Where fixtures of other projects lie: beside the package, never in it.
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../shared/fixtures").standardizedFileURL

  /// Whether a fixture exists.
  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: fixtures.appending(path: name).path)
  }

  /// The text of a fixture.
  static func text(_ name: String) throws -> String {
    try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
  }

  /// The n-th key.
  static func key(_ number: Int) -> Key { Key(high: 0, low: UInt64(number)) }

  /// Numbers of either sign as in kitchens: whole, halves to twelfths, decimals.
  static let rationals = Generator<(Int, Int64)>.zip(
    .integer(in: -100_000...100_000),
    .element(of: [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 100, 1_000] as [Int64])
  ).map { terms in Rational(Int64(terms.0), over: terms.1) ?? .zero }

  /// Lines of any text, and near-misses of recipes.
  static let lines: Generator<String> = .oneOf(
    .unicode(count: 0...30),
    Generator<String>.element(of: [
      "1", "2", "½", "1/2", "0", "-", "–", ",", " ", ".", "(", ")", "g", "EL", "cup", "of", "Salz",
      "ca.", "a", "1,5",
    ]).array(count: 0...12).map { $0.joined() })

  /// Pieces of pages and of recipes, in any order.
  static let pages: Generator<String> = Generator<String>.element(of: [
    "<", ">", "</", "&", "&#", "&#x110000;", ";", "<script", " type=\"application/ld+json\"",
    "</script>", "{", "}",
    "[", "]", "\"", ":", ",", "\"@type\":\"Recipe\"", "\"name\":\"A\"", "\"recipeYield\":",
    "\"4 x\"", "1e9",
    "\"prepTime\":\"PT", "99999999999999999999", "H\"", "[CDATA[", "<!", "\n", "é", "\u{0}",
  ]).array(count: 0...20).map { $0.joined() }

  /// A quantity in its dimension's base unit.
  static func base(_ quantity: Quantity) -> Rational? {
    quantity.amount.multiplied(by: KitchenUnit(quantity.unit).size)
  }

  private static let foods = Generator<String>.element(of: [
    "Milk", "milk", "flour", "eggs", "Salt",
  ])
  private static let units = Generator<String?>.element(of: [
    nil, "g", "kg", "cup", "cups", "tsp", "ml", "EL", "oz", "dozen", "Prise", "box",
  ])
  private static let amounts = Generator<Rational>.element(
    of: [
      "1", "2", "3", "1/2", "1/3", "3/4", "0.25", "250", "12",
    ].compactMap { Rational($0) })

  /// Ingredients that are likely to add up.
  static let ingredients = Generator { source in
    let food = try source.draw(foods)
    let category = try source.draw(Generator<GroceryCategory>.anyCase().optional())
    switch try source.draw(.integer(in: 0...9)) {
    case 0: return Ingredient(text: food, category: category)
    case 1: return Ingredient(text: food, food: food, category: category)
    default:
      return Ingredient(
        text: food, amount: try source.draw(amounts), unit: try source.draw(units), food: food,
        category: category)
    }
  }

  /// Weeks of meals: recipes may use only later ones, so that there is no cycle; the pantry counts some of its foods.
  static let weeks = Generator { source in
    let count = try source.draw(.integer(in: 1...4))
    var recipes: [Key: RecipeContent] = [:]
    for number in 0..<count {
      var recipe = RecipeContent(
        title: "\(number)", baseServings: try source.draw(amounts.optional()))
      recipe.ingredients = try source.draw(ingredients.array(count: 0...6))
      if number + 1 < count, try source.draw(.bool(probability: 0.3)) {
        let part = try source.draw(.integer(in: number + 1...count - 1))
        recipe.ingredients.append(
          Ingredient(text: "part", amount: try source.draw(amounts.optional()), recipe: key(part)))
      }
      recipes[key(number)] = recipe
    }
    var plan = GroceryPlan(meals: [], recipes: recipes)
    try source.repeated(0...6) { source in
      plan.meals.append(
        .init(
          key: key(100 + plan.meals.count),
          recipe: key(try source.draw(.integer(in: 0...count - 1))),
          date: day("2026-11-16").advanced(by: try source.draw(.integer(in: 0...6))),
          servings: try source.draw(amounts.optional())))
    }
    try source.repeated(0...3) { source in
      let amount = try source.draw(amounts.optional())
      plan.pantry.append(
        .init(
          food: try source.draw(foods), amount: amount,
          unit: amount == nil ? nil : try source.draw(units)))
    }
    return plan
  }
}
