package import Values
package import Calendar

/// The input of a grocery list: the planned meals, what their recipes need, and what is at home (MC-7).
///
/// ``lines()`` first adds the exact amounts of all meals, for each food and dimension, then subtracts what
/// the pantry holds; the remainder of a food is one line. Nothing is rounded: display code does that. The
/// result does not depend on the order of meals, recipes or staples.
package struct GroceryPlan: Hashable, Sendable {
  /// A recipe planned for a day.
  package struct Meal: Hashable, Sendable {
    /// The id of the meal.
    package var key: Key
    /// The recipe that is cooked.
    package var recipe: Key
    /// The day of the meal.
    package var date: Day
    /// The number of servings; without it, as many as the recipe serves.
    package var servings: Rational?

    package init(key: Key, recipe: Key, date: Day, servings: Rational? = nil) {
      self.key = key
      self.recipe = recipe
      self.date = date
      self.servings = servings
    }
  }

  /// A food that is kept at home.
  package struct PantryStaple: Hashable, Sendable {
    package var food: String
    /// The amount at home; `nil` when nobody counts it.
    package var amount: Rational?
    /// The unit, as it was written.
    package var unit: String?

    package init(food: String, amount: Rational? = nil, unit: String? = nil) {
      self.food = food
      self.amount = amount
      self.unit = unit
    }
  }

  /// The meals, in any order.
  package var meals: [Meal]
  /// The recipes of the meals, and those used in them. A meal whose recipe is missing needs nothing.
  package var recipes: [Key: RecipeContent]
  /// What is at home.
  package var pantry: [PantryStaple]
  /// Foods to buy although they are at home, uncounted.
  package var wanted: Set<String>

  package init(
    meals: [Meal], recipes: [Key: RecipeContent], pantry: [PantryStaple] = [],
    wanted: Set<String> = []
  ) {
    self.meals = meals
    self.recipes = recipes
    self.pantry = pantry
    self.wanted = wanted
  }

  /// The lines of the list, by category, then by name.
  ///
  /// Lines that the pantry covers are included, with nothing to buy.
  ///
  /// - Throws: ``GroceryPlanError`` when a recipe uses itself, or an amount does not fit in 64 bits.
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

  /// What each meal needs, grouped by what can be added up.
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

/// A reason why no list can be made.
package enum GroceryPlanError: Error, Hashable, Sendable {
  /// These recipes form a cycle: each uses the next, and the last uses the first.
  case recipeTakesItself([Key])
  /// Recipes use one another more deeply than the limit.
  case tooDeep(Key)
  /// The exact amount of this food does not fit in 64 bits.
  case amountTooLarge(String)
}
