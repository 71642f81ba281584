package import Kitchen
package import Values

extension RecipeImport {
  /// The key that it gets in a household of a state: it follows from its address and its title, so that a recipe
  /// that is imported twice is there once, and two of one page are two. One that was deleted comes back as a new one.
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
