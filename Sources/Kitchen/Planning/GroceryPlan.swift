package import Values
package import Calendar

/// What a grocery list answers: which meals are planned, what their recipes take, what is at home (MC-7).
///
/// ``lines()`` adds the exact amounts of all meals first, for each food and dimension, then takes off what the
/// pantry holds; what is left of a food is one line. Nothing is rounded: that is left to who shows it. The answer does not depend on the order of
/// meals, recipes or staples.
package struct GroceryPlan: Hashable, Sendable {
  /// A recipe on a day.
  package struct Meal: Hashable, Sendable {
    /// The name of the meal.
    package var key: Key
    /// What is cooked.
    package var recipe: Key
    /// When.
    package var date: Day
    /// For how many; for as many as the recipe serves when it does not say.
    package var servings: Rational?

    /// A meal of a recipe.
    package init(key: Key, recipe: Key, date: Day, servings: Rational? = nil) {
      self.key = key
      self.recipe = recipe
      self.date = date
      self.servings = servings
    }
  }

  /// A food that is kept at home.
  package struct PantryStaple: Hashable, Sendable {
    /// Which food.
    package var food: String
    /// How much there is; nothing when nobody counts it.
    package var amount: Rational?
    /// Of what measure, as it was written.
    package var unit: String?

    /// A food at home.
    package init(food: String, amount: Rational? = nil, unit: String? = nil) {
      self.food = food
      self.amount = amount
      self.unit = unit
    }
  }

  /// The meals, in any order.
  package var meals: [Meal]
  /// The recipes of the meals, and those used in them. A meal whose recipe is not there takes nothing.
  package var recipes: [Key: RecipeContent]
  /// What is at home.
  package var pantry: [PantryStaple]
  /// Foods that are to be bought though they are at home, uncounted.
  package var wanted: Set<String>

  /// A plan of meals.
  package init(
    meals: [Meal], recipes: [Key: RecipeContent], pantry: [PantryStaple] = [],
    wanted: Set<String> = []
  ) {
    self.meals = meals
    self.recipes = recipes
    self.pantry = pantry
    self.wanted = wanted
  }

  /// The lines of the list: by category, then by name.
  ///
  /// Lines that the pantry covers are among them, with nothing to buy.
  ///
  /// - Throws: ``GroceryPlanError`` when a recipe takes itself, or an amount leaves 64 bits.
  package func lines() throws(GroceryPlanError) -> [GroceryLine] {
    let stock = PantryStock(pantry, wanted: wanted)
    var lines: [GroceryLine] = []
    let groups = Dictionary(grouping: try shares().flatMap(\.lines)) {
      GroceryIdentity(food: $0.identity.food, text: $0.identity.text)
    }
    for shares in groups.values { lines.append(try GroceryLine(shares, stock: stock)) }
    lines.sort { ($0.category, $0.identity) < ($1.category, $1.identity) }
    for index in lines.indices {
      let isFirst = index == 0 || lines[index - 1].category != lines[index].category
      lines[index].sortOrder = isFirst ? 0 : lines[index - 1].sortOrder + 1
    }
    return lines
  }

  /// What each meal takes, by what may be added up.
  private func shares() throws(GroceryPlanError) -> [GroceryShares] {
    var needs = RecipeNeeds(recipes)
    var groups: [GroceryIdentity: GroceryShares] = [:]
    for meal in meals {
      guard let recipe = recipes[meal.recipe] else { continue }
      guard let factor = recipe.factor(servings: meal.servings) else {
        throw .amountTooLarge(recipe.title)
      }
      guard factor.isPositive else { continue }
      for (need, amount) in try needs.needs(of: meal.recipe) {
        guard let scaled = amount.multiplied(by: factor) else { throw .amountTooLarge(need.name) }
        let share = GroceryShare(
          meal: meal.key, recipe: meal.recipe, date: meal.date,
          servings: meal.servings ?? recipe.baseServings, amount: scaled, unit: need.unit)
        try groups[need.identity, default: GroceryShares(identity: need.identity)]
          .add(share, need)
      }
    }
    return Array(groups.values)
  }
}

/// Why there can be no list.
package enum GroceryPlanError: Error, Hashable, Sendable {
  /// These recipes use one another, the last one the first.
  case recipeTakesItself([Key])
  /// Recipes use one another more deeply than is followed.
  case tooDeep(Key)
  /// The exact amount of this leaves 64 bits.
  case amountTooLarge(String)
}
