import Values
public import Calendar
import Kitchen

extension BookState {
  /// What a household's meals of a week need, with all recipes and the pantry: the input of a generated grocery list.
  func groceryPlan(of household: Household.ID, week: Day) -> GroceryPlan {
    let meals = meals(of: household, from: week, to: week.advanced(by: 6)).compactMap {
      _, meal -> GroceryPlan.Meal? in
      guard let recipe = meal.content.recipe.flatMap({ self.recipes[$0] }) else { return nil }
      return GroceryPlan.Meal(
        key: meal.key, recipe: recipe.key, date: meal.content.date, servings: meal.content.servings)
    }
    let recipes = recipes(of: household, usedIn: meals)
    let pantry = householdEntities(.pantryStaple, in: pantryStaples, of: household).map {
      _, pantryStaple in
      GroceryPlan.PantryStaple(
        food: pantryStaple.content.name, amount: pantryStaple.content.amount,
        unit: pantryStaple.content.unit)
    }
    return GroceryPlan(meals: meals, recipes: recipes, pantry: pantry)
  }

  /// The household's recipes among those that meals need, directly or through other recipes.
  private func recipes(
    of household: Household.ID, usedIn meals: [GroceryPlan.Meal]
  ) -> [Key: RecipeContent] {
    var found: [Key: RecipeContent] = [:]
    var open = meals.map(\.recipe)
    while let key = open.popLast() {
      guard found[key] == nil, let recipe = recipes.number(of: key).flatMap({ recipes[$0] }),
        recipe.household == household, !recipe.isDeleted
      else { continue }
      found[key] = recipe.content
      open += recipe.content.ingredients.compactMap(\.recipe)
    }
    return found
  }

  /// Whether the meals, recipes or staples have changed since a list was generated; a list that only members wrote is
  /// never stale (MC-7). Neither is a list with an app's own digest, which only the app understands, unless it has the
  /// form of the book's.
  public func isStale(_ list: GroceryList) -> Bool {
    guard let hash = list.mealPlanHash, GroceryPlan.isDigest(hash) else { return false }
    return groceryPlan(of: list.household, week: list.weekStart).digest != hash
  }

  /// The current list of a household: the one made last among those that are not set aside.
  package func currentList(
    of household: Household.ID
  ) -> (number: GroceryList.ID, list: GroceryList)? {
    guard households[household]?.isDeleted == false else { return nil }
    return indexes.households.groceries.currentList(of: household).flatMap { number in
      lists[number].map { (number, $0) }
    }
  }

  /// A household's list for a week as a member sees it, or its current list; nothing for others.
  public func groceryList(
    of household: Household.ID, week: Day? = nil, for viewer: Account.ID
  ) -> (number: GroceryList.ID, list: GroceryList)? {
    guard self.household(household, for: viewer) != nil else { return nil }
    guard let week else { return currentList(of: household) }
    return indexes.households.groceries.list(of: household, week: MealWeek.monday(of: week))
      .flatMap { number in lists[number].map { (number, $0) } }
  }
}

extension GroceryList {
  /// When it was last generated, or created by a member. An app that makes the list itself may have made it before it
  /// reported it.
  var made: Instant { max(generated ?? created, created) }

  /// Whether it was made after another list.
  func isMade(after other: GroceryList?) -> Bool { other.map { made > $0.made } ?? false }

  /// The derived key of a household's list for a week, used when no client gives one.
  static func key(of household: Household?, week: Day) -> Key {
    Key(derivedFrom: ["grocery list", household?.key.description ?? "", week.description])
  }

  /// Its lines as a household sees them: by category in the order of a shop, in each by the order that clients gave
  /// them, then planned ones before written ones; each with its place in its category, from 0 (MC-8).
  public var ordered: [(place: Int, item: GroceryItem)] {
    let kept = items.filter { $0.status != .removed }
    return GroceryCategory.allCases.flatMap { category in
      let lines = kept.filter { $0.content.category == category }.enumerated()
      return lines.sorted { one, other in
        (one.element.content.order ?? .max, one.offset)
          < (other.element.content.order ?? .max, other.offset)
      }.enumerated().map { ($0.offset, $0.element.element) }
    }
  }
}
