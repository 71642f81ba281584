package import Kitchen
package import Values

extension RecipeImport {
  /// The key that the recipe gets in a household of a state. It is derived from the address and the title: a recipe
  /// that is imported twice exists once, and two recipes of one page are two. A deleted one is imported as a new
  /// recipe.
  package func key(in household: Household?, of state: BookState) -> Key {
    var parts = [
      "recipe", household?.key.description ?? "", content.sourceURL ?? "", content.title.foldedName,
    ]
    while true {
      let key = Key(derivedFrom: parts)
      guard let number = state.recipes.number(of: key), state.recipes[number]?.isDeleted == true
      else { return key }
      parts.append("again")
    }
  }
}
