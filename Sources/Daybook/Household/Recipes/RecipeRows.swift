public import Avro

extension BookState {
  /// The recipe's row of `recipes`.
  public func recipeRow(_ recipe: Recipe) -> JSON { .object(recipe.members(in: self)) }

  var recipeRows: [JSON] { shown(recipes).map { recipeRow($0) } }
}

extension ColumnCommand where Answer == Recipe.ID {
  /// The recipe's row, or that it is gone.
  public func row(of answer: Recipe.ID, in state: BookState) -> JSON {
    state.answer(answer) { state.recipeRow($0) }
  }
}
