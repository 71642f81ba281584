import Kitchen
public import Calendar

/// A week of a household's meals, Monday first (MC-6).
public struct MealWeek: Sendable {
  /// The Monday on which it begins.
  public let monday: Day
  /// The meals of all seven days, in their order.
  public let meals: [(number: Meal.ID, meal: Meal)]

  /// The days, Monday to Sunday.
  public var days: [Day] { (0..<7).map { monday.advanced(by: $0) } }

  /// The meals of a day: breakfast, lunch, snack, dinner, other types by name, those without a type; meals of the same
  /// type as planned.
  public func meals(on day: Day) -> [(number: Meal.ID, meal: Meal)] {
    meals.filter { $0.meal.content.date == day }
  }

  /// The Monday of the week that includes a day.
  public static func monday(of day: Day) -> Day { day.advanced(by: -day.weekday) }
}

extension BookState {
  /// The meals that are planned with a recipe.
  package func meals(with recipe: Recipe.ID) -> [Meal.ID] {
    indexes.households.meals(of: recipe).filter {
      meals[$0]?.household == recipes[recipe]?.household
    }
  }

  /// The household's meals of the week that includes a day, as a member sees them.
  ///
  /// - Returns: A week without meals unless the viewer is a member.
  public func mealWeek(
    with day: Day, of household: Household.ID, for viewer: Account.ID
  ) -> MealWeek {
    let monday = MealWeek.monday(of: day)
    return MealWeek(
      monday: monday,
      meals: meals(of: household, for: viewer, from: monday, to: monday.advanced(by: 6)))
  }

  /// The meals that a household planned on some days, as a member sees them: by day, then in the order of the day.
  public func meals(
    of household: Household.ID, for viewer: Account.ID, from first: Day, to last: Day
  ) -> [(number: Meal.ID, meal: Meal)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    return meals(of: household, from: first, to: last)
      .sorted { $0.meal.content.rank($0.number) < $1.meal.content.rank($1.number) }
  }

  /// The meals that a household planned on some days, by day, then as planned; none for a deleted household.
  func meals(
    of household: Household.ID, from first: Day, to last: Day
  ) -> [(number: Meal.ID, meal: Meal)] {
    guard households[household]?.isDeleted == false else { return [] }
    return indexes.households.meals(of: household, from: first, to: last).compactMap { number in
      meals[number].map { (number, $0) }
    }
  }

  /// The title of a meal: its recipe's, or its own.
  public func title(of meal: Meal) -> String {
    meal.content.recipe.flatMap { recipes[$0] }?.content.title ?? meal.content.title ?? ""
  }
}

extension MealContent {
  private static let mealTypes = ["breakfast", "lunch", "snack", "dinner"]

  /// The sort key of the meal in a plan.
  fileprivate func rank(_ number: Meal.ID) -> (Day, Int, String, Meal.ID) {
    let others = Self.mealTypes.count
    guard let type = mealType?.lowercased() else { return (date, others + 1, "", number) }
    return (date, Self.mealTypes.firstIndex(of: type) ?? others, type, number)
  }
}
