import Values

/// What recipes take, those used in them included, worked out once for each.
struct RecipeNeeds {
  /// Something that is taken, apart from how much.
  struct Need: Hashable {
    var identity: GroceryIdentity
    /// The food or the text, as it was written.
    var name: String
    /// The unit, as it was written.
    var unit: String?
    /// Where it is found, if the recipe says so.
    var category: GroceryCategory?
  }

  private let recipes: [Key: RecipeContent]
  private var known: [Key: [Need: Rational]] = [:]
  /// How deeply recipes may use one another; a kitchen's do so twice or thrice.
  private static let deepest = 32

  init(_ recipes: [Key: RecipeContent]) { self.recipes = recipes }

  /// What one making takes and how much of it, equal needs added up.
  ///
  /// Where no amount is said, how many times it is taken stands instead.
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

  /// A line without a food is its text, so many times; one without an amount is its food, so many times.
  private static func need(of ingredient: Ingredient) -> (Need, Rational) {
    guard let food = ingredient.food, !food.foldedName.isEmpty else {
      let identity = GroceryIdentity(dimension: .count, text: ingredient.text)
      return (Need(identity: identity, name: ingredient.text, category: ingredient.category), .one)
    }
    // A recipe that is there no more is bought by its name, once when nothing is said.
    // Of "2-3 cloves" three are bought.
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
