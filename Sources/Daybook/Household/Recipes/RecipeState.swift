/// How a household cooks something (MC-4).
public struct Recipe: Entity, Hashable {
  /// The number of a recipe in its book.
  public typealias ID = EntityNumber<Recipe>
  /// "recipe-number".
  @inlinable
  public static var entityName: StaticString { "recipe-number" }

  /// The client's name for the recipe.
  public internal(set) var key: Key
  /// The household.
  public internal(set) var household: Household.ID
  /// Who kept it.
  public internal(set) var creator: Account.ID
  /// What it says.
  public internal(set) var content: RecipeContent
  /// When it was created.
  public internal(set) var created: Instant
  /// When it last changed.
  public internal(set) var updated: Instant
  /// Whether it was deleted.
  public internal(set) var isDeleted = false

  /// What people call it.
  public var calledName: String { content.title }
  /// Who kept it; it is the household's.
  public var ownedBy: Account.ID? { creator }
  /// The household, whose members see and change it.
  public var home: Household.ID? { household }

  /// The same recipe, saying something else: for other servings, say.
  public func saying(_ content: RecipeContent) -> Recipe {
    var recipe = self
    recipe.content = content
    return recipe
  }
}

extension State {
  mutating func apply(_ event: RecipeCreated, at instant: Instant) {
    householdIndex.note(recipes.nextNumber, .recipe, of: event.household)
    recipes.append(
      Recipe(
        key: event.key, household: event.household, creator: event.owner, content: event.content,
        created: instant, updated: instant),
      key: event.key)
  }

  mutating func apply(_ event: RecipeDescribed, at instant: Instant) {
    recipes.update(event.recipe) { recipe in
      recipe.content = event.content
      recipe.updated = instant
    }
  }

  mutating func apply(_ event: RecipeDeleted, at instant: Instant) {
    recipes.update(event.recipe) { recipe in
      recipe.isDeleted = true
      recipe.updated = instant
    }
  }
}
