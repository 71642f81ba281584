import Values

/// Computes what recipes need, including the recipes they use; each is computed once.
struct RecipeNeeds {
  /// Something a recipe needs, apart from the amount.
  struct Need: Hashable {
    var identity: GroceryIdentity
    /// The food or the text, as it was written.
    var name: String
    /// The unit, as it was written.
    var unit: String?
    /// The section of the shop, if the recipe gives it.
    var category: GroceryCategory?
  }

  private let recipes: [Key: RecipeContent]
  private var known: [Key: [Need: Rational]] = [:]
  /// The deepest allowed nesting of recipes; real ones nest two or three levels.
  private static let deepest = 32

  init(_ recipes: [Key: RecipeContent]) { self.recipes = recipes }

  /// The needs of making a recipe once, with equal needs added up.
  ///
  /// For a need without an amount, the value is the number of times it occurs.
  mutating func needs(
    of recipe: Key, within path: [Key] = []
  ) throws(GroceryPlanError) -> [Need: Rational] {
    if let known = known[recipe] { return known }
    if let start = path.firstIndex(of: recipe) { throw .recipeTakesItself(Array(path[start...])) }
    guard path.count < Self.deepest else { throw .tooDeep(recipe) }
    var needs: [Need: Rational] = [:]
    for ingredient in recipes[recipe]?.ingredients ?? [] {
      if let part = ingredient.recipe, recipes[part] != nil {
        let times = ingredient.upperAmount ?? ingredient.amount ?? .one
        for (need, amount) in try self.needs(of: part, within: path + [recipe]) {
          try Self.add(amount.multiplied(by: times), of: need, to: &needs)
        }
      } else {
        let (need, amount) = Self.need(of: ingredient)
        try Self.add(amount, of: need, to: &needs)
      }
    }
    known[recipe] = needs
    return needs
  }

  private static func add(
    _ amount: Rational?, of need: Need, to needs: inout [Need: Rational]
  ) throws(GroceryPlanError) {
    guard let amount, let sum = amount.adding(needs[need] ?? .zero) else {
      throw .amountTooLarge(need.name)
    }
    needs[need] = sum
  }

  /// The need of a line. A line without a food is a need for its text; a line without an amount, for its food
  /// once.
  private static func need(of ingredient: Ingredient) -> (Need, Rational) {
    guard let food = ingredient.food, !food.foldedName.isEmpty else {
      let identity = GroceryIdentity(dimension: .count, text: ingredient.text)
      return (Need(identity: identity, name: ingredient.text, category: ingredient.category), .one)
    }
    // A deleted recipe is bought by its name, once if no amount is given.
    // The upper end of a range is bought: three for "2-3 cloves".
    let said =
      ingredient.upperAmount ?? ingredient.amount ?? (ingredient.recipe == nil ? nil : .one)
    let amount = said.flatMap { $0.isPositive ? $0 : nil }
    let unit = amount == nil ? nil : ingredient.unit
    let identity = GroceryIdentity(
      food: food.foldedName, dimension: amount.map { _ in KitchenUnit(unit).dimension })
    let need = Need(identity: identity, name: food, unit: unit, category: ingredient.category)
    return (need, amount ?? .one)
  }
}
