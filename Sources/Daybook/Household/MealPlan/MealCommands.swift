/// Plans a meal (MC-6): a recipe on a day, or something without one. Repeated by a member with the same key it
/// changes nothing.
public struct PlanMeal: Command {
  /// The household.
  public var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  public var key: Key?
  /// What is planned.
  public var content: MealContent

  /// Makes the command.
  public init(in household: Household.ID, key: Key? = nil, _ content: MealContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  /// Decides the command; the answer is the meal's number.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    let (_, actor) = try state.ownHousehold(household, context)
    let key = key ?? context.freshKey
    if let known = try state.known(key, in: state.meals, of: household) {
      return Decision([], known)
    }
    let content = try state.checked(content, in: household)
    return Decision(
      [.mealPlanned(MealPlanned(key: key, household: household, owner: actor, content: content))],
      state.meals.nextNumber)
  }
}

/// Plans a meal otherwise: moves it, or puts something else in its place. A recipe takes the place of a title, and
/// a title that of a recipe.
public struct UpdateMeal: Command {
  /// The meal.
  public var meal: Meal.ID
  /// What is cooked.
  public var recipe: Edit<Recipe.ID?> = .keep
  /// What there is, when no recipe says it.
  public var title: Edit<String?> = .keep
  /// On which day.
  public var date: Edit<Day> = .keep
  /// Which meal of the day.
  public var mealType: Edit<String?> = .keep
  /// For how many.
  public var servings: Edit<Rational?> = .keep

  /// Makes a command that changes nothing yet.
  public init(_ meal: Meal.ID) { self.meal = meal }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    let (found, _, _) = try state.ownMeal(meal, context)
    let old = found.content
    var content = MealContent(
      recipe: recipe.applied(to: old.recipe), title: title.applied(to: old.title),
      date: date.applied(to: old.date), mealType: mealType.applied(to: old.mealType),
      servings: servings.applied(to: old.servings))
    if title == .keep, content.recipe != nil { content.title = nil }
    if recipe == .keep, content.title != nil { content.recipe = nil }
    content = try state.checked(content, in: found.household)
    guard content != old else { return Decision([], meal) }
    return Decision([.mealChanged(MealChanged(meal: meal, content: content))], meal)
  }
}

/// Takes a meal off the plan; time travel finds it.
public struct RemoveMeal: Command {
  /// The meal.
  public var meal: Meal.ID

  /// Makes the command.
  public init(_ meal: Meal.ID) { self.meal = meal }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: State, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    _ = try state.ownMeal(meal, context)
    return Decision([.mealRemoved(MealRemoved(meal: meal))], meal)
  }
}

extension State {
  fileprivate func ownMeal(
    _ number: Meal.ID, _ context: Context
  ) throws(Rejection) -> (Meal, Household, Account.ID) {
    try ownThing(number, in: meals, context, missing: .mealNotFound)
  }

  /// What is planned, as it is kept: a recipe of the household's, or a title, and not both.
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
