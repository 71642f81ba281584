package import Avro

extension BookState {
  /// The meal's row of `meal_plan`: what a command calls `recipe` is `recipe_id` in it.
  package func mealRow(_ meal: Meal) -> JSON {
    .object(
      meal.members(in: self).map { member in
        member.name == "recipe" ? .init("recipe_id", member.value) : member
      })
  }

  var mealRows: [JSON] { shown(meals).map { mealRow($0) } }
}

extension ColumnCommand where Answer == Meal.ID {
  /// The meal's row, or that it is gone.
  package func row(of answer: Meal.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.mealRow($0) }
  }
}
