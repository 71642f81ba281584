import Values
public import Calendar
import Kitchen

extension BookState {
  /// What a household's meals of a week take, with all its recipes and its pantry: what a grocery list is made from.
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

  /// What recipes that are the household's say, of those that meals take, straight or by way of others.
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

  /// Whether a list was made from other meals, recipes or staples than there are now; one that members alone wrote
  /// never is (MC-7). Nor is one under the digest of an app, which knows itself what that says, as long as
  /// it is not of the form of the book's.
  public func isStale(_ list: GroceryList) -> Bool {
    guard let hash = list.mealPlanHash, GroceryPlan.isDigest(hash) else { return false }
    return groceryPlan(of: list.household, week: list.weekStart).digest != hash
  }

  /// The list that a household shops by: of those that it did not set aside the one that was made last.
  package func currentList(
    of household: Household.ID
  ) -> (number: GroceryList.ID, list: GroceryList)? {
    guard households[household]?.isDeleted == false else { return nil }
    return indexes.households.groceries.currentList(of: household).flatMap { number in
      lists[number].map { (number, $0) }
    }
  }

  /// A household's list of a week as a member sees it, or the one it shops by; nothing for others.
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
  /// When it was last made, or begun by a member. An app that makes it itself may have done so before it told the book.
  var made: Instant { max(generated ?? created, created) }

  /// Whether it was made after another.
  func isMade(after other: GroceryList?) -> Bool { other.map { made > $0.made } ?? false }

  /// The name of a household's list of a week where no client gives one.
  static func key(of household: Household?, week: Day) -> Key {
    Key(derivedFrom: ["grocery list", household?.key.description ?? "", week.description])
  }

  /// Its lines as a household sees them: by category in the order of a shop, in each by the order that clients gave
  /// them, then planned ones before what members wrote; each with its place in its category, from 0 (MC-8).
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
