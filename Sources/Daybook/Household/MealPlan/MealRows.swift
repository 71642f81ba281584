public import Avro

extension State {
  /// The meal's row of `meal_plan`.
  public func mealRow(_ meal: Meal) -> JSON {
    let content = meal.content
    return [
      "id": .key(meal.key), "household_id": .key(households[meal.household]?.key),
      "recipe_id": .key(content.recipe.flatMap { recipes[$0]?.key }),
      "title": .text(content.title), "date": .day(content.date),
      "meal_type": .text(content.mealType), "servings": content.servings?.json ?? .null,
      "created_by": .key(accounts[meal.creator]?.key), "created_at": .instant(meal.created),
      "updated_at": .instant(meal.updated),
    ]
  }

  var mealRows: [JSON] { shown(meals).map { mealRow($0) } }

  func mealRow(_ number: Meal.ID) -> JSON { meals[number].map { mealRow($0) } ?? .null }
}
