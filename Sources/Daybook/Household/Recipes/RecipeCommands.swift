/// Keeps a recipe for a household (MC-4). Repeated by a member with the same key it changes nothing.
public struct CreateRecipe: Command {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// What it says.
  public var content: RecipeContent

  /// Makes the command.
  public init(in household: Household.ID, key: Key? = nil, _ content: RecipeContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  /// Decides the command; the answer is the recipe's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Recipe.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    if let known = try state.known(key, in: state.recipes, of: household) {
      return Decision([], known)
    }
    let content = try state.checked(content, in: household)
    try state.checkParts(of: content, key, in: household)
    return Decision(
      [
        .recipeCreated(
          RecipeCreated(key: key, household: household, owner: actor, content: content))
      ], state.recipes.nextNumber)
  }
}

/// Changes what a recipe says. Meals that are planned with it are cooked by what it says now.
public struct UpdateRecipe: Command {
  /// The recipe.
  public var recipe: Recipe.ID
  /// What it is called.
  public var title: Edit<String> = .keep
  /// The page that it comes from.
  public var sourceURL: Edit<String?> = .keep
  /// What kind of source that is.
  public var sourceType: Edit<String?> = .keep
  /// How many it serves as written.
  public var baseServings: Edit<Rational?> = .keep
  /// What goes in: all of it anew.
  public var ingredients: Edit<[Ingredient]> = .keep
  /// What to do: all of it anew.
  public var steps: Edit<[String]> = .keep
  /// Words to find it by: all of them anew.
  public var tags: Edit<[String]> = .keep
  /// Minutes of preparation.
  public var prepMinutes: Edit<Int32?> = .keep
  /// Minutes of cooking.
  public var cookMinutes: Edit<Int32?> = .keep
  /// Anything else.
  public var notes: Edit<String?> = .keep

  /// Makes a command that changes nothing yet.
  public init(_ recipe: Recipe.ID) { self.recipe = recipe }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Recipe.ID> {
    let (found, _, _) = try state.ownRecipe(recipe, context)
    let old = found.content
    let new = RecipeContent(
      title: title.applied(to: old.title), sourceURL: sourceURL.applied(to: old.sourceURL),
      sourceType: sourceType.applied(to: old.sourceType),
      baseServings: baseServings.applied(to: old.baseServings),
      ingredients: ingredients.applied(to: old.ingredients), steps: steps.applied(to: old.steps),
      tags: tags.applied(to: old.tags), prepMinutes: prepMinutes.applied(to: old.prepMinutes),
      cookMinutes: cookMinutes.applied(to: old.cookMinutes), notes: notes.applied(to: old.notes))
    let content = try state.checked(new, in: found.household)
    guard content != old else { return Decision([], recipe) }
    try state.checkParts(of: content, after: old, found.key, in: found.household)
    return Decision([.recipeDescribed(RecipeDescribed(recipe: recipe, content: content))], recipe)
  }
}

/// Throws a recipe away; time travel finds it. Meals that are planned with it keep its title, so that the plan
/// still says what there was to eat; nothing is bought for them any more.
public struct DeleteRecipe: Command {
  /// The recipe.
  public var recipe: Recipe.ID

  /// Makes the command.
  public init(_ recipe: Recipe.ID) { self.recipe = recipe }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Recipe.ID> {
    let (found, _, _) = try state.ownRecipe(recipe, context)
    let kept: [Event] = state.householdIndex.meals(of: recipe).compactMap { number in
      guard let meal = state.meals[number], meal.household == found.household else { return nil }
      var content = meal.content
      (content.recipe, content.title) = (nil, found.content.title)
      return .mealChanged(MealChanged(meal: number, content: content))
    }
    return Decision(kept + [.recipeDeleted(RecipeDeleted(recipe: recipe))], recipe)
  }
}

extension State {
  fileprivate func ownRecipe(
    _ number: Recipe.ID, _ context: Context
  ) throws(Rejection) -> (Recipe, Household, Account.ID) {
    try ownThing(number, in: recipes, context, missing: .recipeNotFound)
  }
}
