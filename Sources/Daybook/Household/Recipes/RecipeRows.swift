package import Avro

extension BookState {
  /// The recipe's row of `recipes`.
  package func recipeRow(_ recipe: Recipe) -> JSON { .object(recipe.members(in: self)) }

  var recipeRows: [JSON] { shown(recipes).map { recipeRow($0) } }
}

extension ColumnCommand where Answer == Recipe.ID {
  /// The recipe's row, or that it is gone.
  package func row(of answer: Recipe.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.recipeRow($0) }
  }
}
