package import Avro

extension BookState {
  /// The recipe's row of `recipes`.
  package func recipeRow(_ recipe: Recipe) -> JSON { .object(recipe.members(in: self)) }

  var recipeRows: [JSON] { shown(recipes).map { recipeRow($0) } }
}

extension RecipeContent: RowContent {
  package static func row(of item: Recipe, in state: BookState) -> JSON { state.recipeRow(item) }
}
