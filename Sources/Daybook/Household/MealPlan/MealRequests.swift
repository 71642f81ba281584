public import Avro

extension PlanMeal: RequestBody {
  /// `household`, `key`, `recipe` or `title`, `date`, `meal_type`, `servings`.
  public init(_ reader: inout RequestReader) throws {
    let household = try reader.household()
    guard let date = try reader.optionalDay("date") else { throw Rejection.missingField("date") }
    self.init(
      in: household, key: try reader.optionalKey("key"),
      MealContent(
        recipe: try reader.recipeEdit().applied(to: nil), title: try reader.optionalText("title"),
        date: date, mealType: try reader.optionalText("meal_type"),
        servings: try reader.rationalEdit("servings").applied(to: nil)))
  }

  /// The meal's row.
  public func row(of answer: Meal.ID, in state: State) -> JSON { state.mealRow(answer) }
}

extension UpdateMeal: RequestBody {
  /// `meal`, and of `recipe`, `title`, `date`, `meal_type`, `servings` those that change.
  public init(_ reader: inout RequestReader) throws {
    self.init(try reader.meal())
    recipe = try reader.recipeEdit()
    title = try reader.clearableEdit("title")
    date = try reader.edit("date", "a date such as 2026-03-01") { $0.text.flatMap { Day($0) } }
    mealType = try reader.clearableEdit("meal_type")
    servings = try reader.rationalEdit("servings")
  }

  /// The meal's row.
  public func row(of answer: Meal.ID, in state: State) -> JSON { state.mealRow(answer) }
}

extension RemoveMeal: RequestBody {
  /// `meal`.
  public init(_ reader: inout RequestReader) throws { self.init(try reader.meal()) }

  /// The key of what is gone.
  public func row(of answer: Meal.ID, in state: State) -> JSON {
    ["id": .key(state.meals[answer]?.key), "deleted": true]
  }
}

extension RequestReader {
  fileprivate mutating func meal() throws -> Meal.ID {
    try thing("meal", in: state.meals, missing: .mealNotFound)
  }

  /// A recipe by its key, or null for none.
  fileprivate mutating func recipeEdit() throws -> Edit<Recipe.ID?> {
    switch try edit("recipe", "a UUID or null", RequestReader.keyOrNull) {
    case .keep: return .keep
    case .set(nil): return .set(nil)
    case .set(.some(let key)):
      guard let number = state.recipes.number(of: key) else {
        throw Rejection.recipeNotFound
      }
      return .set(number)
    }
  }
}
