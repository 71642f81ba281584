package import Values
package import Kitchen

/// Creates a recipe of a household (MC-4). Repeated by a member with the same key and content it changes nothing.
public struct CreateRecipe: HouseholdCreationCommand {
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  package var content: RecipeContent
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(in household: Household.ID, key: Key? = nil, _ content: RecipeContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  package static let form = CommandForm(
    "create_recipe", "Adds a recipe to a household.", answer: "recipe")
  /// A recipe without a title.
  public static var defaults: CreateRecipe { CreateRecipe(in: .placeholder, .placeholder) }

  /// Decides the command; the answer is the recipe's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Recipe.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    let content = try state.checked(content, in: household)
    if let known = try state.known(key, in: state.recipes, of: household, { $0.content == content })
    {
      return Decision([], known)
    }
    try state.checkParts(of: content, key, in: household)
    return Decision(
      [
        .recipeCreated(
          RecipeCreated(
            key: key, household: household, owner: actor, content: content,
            begun: context.begun(begun)))
      ], state.recipes.nextNumber)
  }
}

/// Changes the content of a recipe. Meals that are planned with it use the new content.
public struct UpdateRecipe: PatchCommand {
  package var thing: Recipe.ID
  /// The changes; a list is replaced as a whole.
  package var patch: Patch<RecipeContent>

  public init(_ recipe: Recipe.ID, _ set: (inout RecipeContent) -> Void = { _ in }) {
    thing = recipe
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_recipe", "Changes a recipe.", answer: "recipe")
  /// Nothing changes.
  public static var defaults: UpdateRecipe { UpdateRecipe(.placeholder) }

  func events(
    _ found: Recipe, _ state: BookState, _ context: Context
  ) throws(Rejection) -> [Event] {
    let old = found.content
    let content = try state.checked(patch.applied(to: old), in: found.household)
    guard content != old else { return [] }
    try state.checkParts(of: content, after: old, found.key, in: found.household)
    return [.recipeDescribed(RecipeDescribed(recipe: thing, content: content))]
  }
}

/// Deletes a recipe; as-of queries still find it. Meals that are planned with it keep its title, so that the plan still
/// says what there is to eat; nothing is bought for them any more.
public struct DeleteRecipe: BareEntityCommand {
  package var thing: Recipe.ID

  public init(_ recipe: Recipe.ID) { thing = recipe }

  package static let form = CommandForm(
    "delete_recipe", "Deletes a recipe; meals that are planned with it keep its title.",
    answer: "id, deleted")

  func events(_ found: Recipe, _ state: BookState, _ context: Context) -> [Event] {
    let kept: [Event] = state.meals(with: thing).compactMap { number in
      guard var content = state.meals[number]?.content else { return nil }
      (content.recipe, content.title) = (nil, found.content.title)
      return .mealChanged(MealChanged(meal: number, content: content))
    }
    return kept + [.recipeDeleted(RecipeDeleted(recipe: thing))]
  }
}
