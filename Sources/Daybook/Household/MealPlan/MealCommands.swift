import Kitchen
package import Values

/// Plans a meal (MC-6): a recipe on a day, or something without one. Repeated by a member with the same key and
/// content it changes nothing.
public struct PlanMeal: ColumnCommand {
  /// The household.
  package var household: Household.ID
  /// The client's name for it; a fresh one unless given.
  package var key: Key?
  /// What is planned.
  package var content: MealContent

  /// Makes the command.
  public init(in household: Household.ID, key: Key? = nil, _ content: MealContent) {
    self.household = household
    self.key = key
    self.content = content
  }

  /// "plan_meal".
  package static let form = CommandForm(
    "plan_meal", "Plans a meal: a recipe on a day, or something without one.", answer: "meal")
  /// Nothing is planned.
  public static var defaults: PlanMeal { PlanMeal(in: .placeholder, .placeholder) }

  /// `household`, `key`, and what is planned.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column("key", &key)
    try content.visitColumns(&visitor)
  }

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
    return Decision(
      [.mealPlanned(MealPlanned(key: key, household: household, owner: actor, content: content))],
      state.meals.nextNumber)
  }
}

/// Plans a meal otherwise: moves it, or puts something else in its place. A recipe takes the place of a title, and
/// a title that of a recipe.
public struct UpdateMeal: ColumnCommand {
  /// The meal.
  package var meal: Meal.ID
  /// What changes.
  package var patch: Patch<MealContent>

  /// Makes a command that sets what the closure sets.
  public init(_ meal: Meal.ID, _ set: (inout MealContent) -> Void = { _ in }) {
    self.meal = meal
    patch = Patch(set)
  }

  /// "update_meal".
  package static let form = CommandForm(
    "update_meal", "Plans a meal otherwise: moves it, or puts something else in its place.",
    answer: "meal")
  /// Nothing changes.
  public static var defaults: UpdateMeal { UpdateMeal(.placeholder) }

  /// `meal`, and what changes.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("meal"), &meal)
    try visitor.columns(&patch)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    let (found, _, _) = try state.ownMeal(meal, context)
    let old = found.content
    var content = patch.applied(to: old)
    if !patch.has("title"), content.recipe != nil { content.title = nil }
    if !patch.has("recipe"), content.title != nil { content.recipe = nil }
    content = try state.checked(content, in: found.household)
    guard content != old else { return Decision([], meal) }
    return Decision([.mealChanged(MealChanged(meal: meal, content: content))], meal)
  }
}

/// Takes a meal off the plan; time travel finds it.
public struct RemoveMeal: ColumnCommand {
  /// The meal.
  package var meal: Meal.ID

  /// Makes the command.
  public init(_ meal: Meal.ID) { self.meal = meal }

  /// "remove_meal".
  package static let form = CommandForm(
    "remove_meal", "Takes a meal off the plan.", answer: "id, deleted")
  /// Of no meal yet.
  public static var defaults: RemoveMeal { RemoveMeal(.placeholder) }

  /// `meal`.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("meal"), &meal)
  }

  /// Decides the command.
  ///
  /// - Throws: ``Rejection``.
  public func decide(
    _ state: BookState, _ context: Context
  ) throws(Rejection) -> Decision<Meal.ID> {
    _ = try state.ownMeal(meal, context)
    return Decision([.mealRemoved(MealRemoved(meal: meal))], meal)
  }
}

extension BookState {
  fileprivate func ownMeal(
    _ number: Meal.ID, _ context: Context
  ) throws(Rejection) -> (Meal, Household, Account.ID) {
    try ownEntity(number, in: meals, context, missing: .mealNotFound)
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
