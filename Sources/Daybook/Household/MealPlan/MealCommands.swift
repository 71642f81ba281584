import Kitchen
package import Values

/// Plans a meal (MC-6): a recipe on a day, or a title without one. Repeated by a member with the same key and content
/// it changes nothing.
public struct PlanMeal: HouseholdCreationCommand {
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  package var content: MealContent
  /// When it began by the clock of its app; now if that is not given, or lies in the future.
  package var begun: Instant?

  public init(in household: Household.ID, key: Key? = nil, _ content: MealContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  package static let form = CommandForm(
    "plan_meal", "Plans a meal for a day: a recipe, or a title without a recipe.", answer: "meal")
  /// Nothing is planned.
  public static var defaults: PlanMeal { PlanMeal(in: .placeholder, .placeholder) }

  /// Decides the command; the answer is the meal's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    let content = try state.checked(content, in: household)
    if let known = try state.known(key, in: state.meals, of: household, { $0.content == content }) {
      return Decision([], known)
    }
    let planned = MealPlanned(
      key: key, household: household, owner: actor, content: content, begun: context.begun(begun))
    return Decision([.mealPlanned(planned)], state.meals.nextNumber)
  }
}

/// Changes a planned meal: moves it, or replaces its recipe or title. A recipe replaces a title, and a title a recipe.
public struct UpdateMeal: PatchCommand {
  package var thing: Meal.ID
  /// The changes.
  package var patch: Patch<MealContent>

  public init(_ meal: Meal.ID, _ set: (inout MealContent) -> Void = { _ in }) {
    thing = meal
    patch = Patch(set)
  }

  package static let form = CommandForm(
    "update_meal", "Changes a planned meal: moves it, or replaces it.",
    answer: "meal")
  /// Nothing changes.
  public static var defaults: UpdateMeal { UpdateMeal(.placeholder) }

  func events(_ found: Meal, _ state: BookState, _ context: Context) throws(Rejection) -> [Event] {
    var content = patch.applied(to: found.content)
    if !patch.has("title"), content.recipe != nil { content.title = nil }
    if !patch.has("recipe"), content.title != nil { content.recipe = nil }
    content = try state.checked(content, in: found.household)
    guard content != found.content else { return [] }
    return [.mealChanged(MealChanged(meal: thing, content: content))]
  }
}

/// Removes a meal from the plan; as-of queries still find it.
public struct RemoveMeal: BareEntityCommand {
  package var thing: Meal.ID

  public init(_ meal: Meal.ID) { thing = meal }

  package static let form = CommandForm(
    "remove_meal", "Removes a meal from the plan.", answer: "id, deleted")

  func events(_ found: Meal, _ state: BookState, _ context: Context) -> [Event] {
    [.mealRemoved(MealRemoved(meal: thing))]
  }
}

extension BookState {
  /// The checked content: a recipe of the household's or a title, and not both.
  fileprivate func checked(
    _ content: MealContent, in household: Household.ID
  ) throws(Rejection) -> MealContent {
    var checked = content
    if let recipe = content.recipe {
      guard let found = recipes[recipe], !found.isDeleted, found.household == household else {
        throw .recipeNotFound
      }
      guard content.title == nil else { throw .recipeOrTitle }
    } else {
      checked.title = try checkedLine(content.title ?? "", "title")
    }
    let type = content.mealType?.trimmingSpace ?? ""
    checked.mealType = type.isEmpty ? nil : try checkedLine(type, "meal_type")
    if let servings = content.servings, !servings.isPositive { throw .invalidServings("servings") }
    return checked
  }
}
