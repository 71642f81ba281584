package import Avro

/// A meal's row of `meal_plan`: the `recipe` of a command is `recipe_id` in it.
struct MealRow: RowForm {
  let members: [JSON.Member]

  static func visitColumns<V: RowVisitor>(_ visitor: inout V) where V.Row == MealRow {
    visitor.columns(of: Meal.self, renaming: ["recipe": "recipe_id"]) { $0.members }
  }
}

extension BookState {
  /// The meal's row of `meal_plan`.
  package func mealRow(_ meal: Meal) -> JSON { MealRow(members: meal.members(in: self)).json }

  var mealRows: [MealRow] { shown(meals).map { MealRow(members: $0.members(in: self)) } }
}

extension MealContent: RowContent {
  package static func row(of item: Meal, in state: BookState) -> JSON { state.mealRow(item) }
}
