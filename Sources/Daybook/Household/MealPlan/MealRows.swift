package import Avro

/// A meal's row of `meal_plan`: what a command calls `recipe` is `recipe_id` in it.
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

extension ColumnCommand where Answer == Meal.ID {
  /// The meal's row, or that it is gone.
  package func row(of answer: Meal.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.mealRow($0) }
  }
}
