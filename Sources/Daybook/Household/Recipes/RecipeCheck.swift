package import Values
package import Kitchen

extension RecipeContent {
  /// The recipe in its stored form: texts trimmed, empty steps and tags left out, each tag once.
  func checked() throws(Rejection) -> RecipeContent {
    var checked = self
    checked.title = try checkedLine(title, "title")
    if let baseServings, !baseServings.isPositive { throw .invalidServings("base_servings") }
    for (minutes, field) in [(prepMinutes, "prep_time"), (cookMinutes, "cook_time")] {
      if let minutes, minutes < 0 { throw .invalidMinutes(field: field) }
    }
    try Limit.address.check(sourceURL, "source_url")
    try Limit.name.check(sourceType, "source_type")
    try Limit.text.check(notes, "notes")
    try Limit.ingredients.check(ingredients.count, "ingredients")
    for ingredient in ingredients {
      for text in [ingredient.text, ingredient.unit, ingredient.food, ingredient.note] {
        try Limit.line.check(text, "ingredients")
      }
      try Limit.text.check(ingredient.extra, "ingredients")
      if ingredient.text.trimmingSpace.isEmpty { throw .emptyText(field: "ingredients") }
      if ingredient.text.hasControls { throw .invalidText(field: "ingredients") }
      if let amount = ingredient.amount, amount < .zero { throw .invalidQuantity }
      guard ingredient.hasRange else { throw .invalidQuantity }
    }
    checked.steps = steps.map { RecipeStep($0.text.trimmingSpace, object: $0.object) }
      .filter { !$0.text.isEmpty }
    try Limit.steps.check(checked.steps.count, "steps")
    for step in checked.steps {
      try Limit.text.check(step.text, "steps")
      try Limit.text.check(step.object, "steps")
    }
    var seen: Set<String> = []
    checked.tags = tags.map(\.trimmingSpace).filter { !$0.isEmpty && seen.insert($0).inserted }
    try Limit.tags.check(checked.tags.count, "tags")
    for tag in checked.tags { try Limit.name.check(tag, "tags") }
    if checked.tags.contains(where: \.hasControls) { throw .invalidText(field: "tags") }
    return checked
  }
}

extension BookState {
  /// The recipe in its stored form. An ingredient that is a recipe and has no name gets that recipe's title, so the
  /// line is understandable even if that recipe is deleted.
  func checked(
    _ content: RecipeContent, in household: Household.ID
  ) throws(Rejection) -> RecipeContent {
    var named = content
    for (index, ingredient) in content.ingredients.enumerated() {
      guard let part = ingredient.recipe.flatMap({ recipe($0) }), part.household == household
      else { continue }
      named.ingredients[index] = ingredient.named(part.content.title)
    }
    return try named.checked()
  }

  /// Refuses included recipes that belong to another household, or that include this recipe.
  ///
  /// - Parameters:
  ///   - content: The content of the recipe.
  ///   - old: The content before. An included recipe that was deleted since may stay: it is read as a line of text.
  ///   - key: The recipe's own key.
  ///   - household: The household of the recipe.
  /// - Throws: ``Rejection``.
  package func checkParts(
    of content: RecipeContent, after old: RecipeContent? = nil, _ key: Key,
    in household: Household.ID
  ) throws(Rejection) {
    let known = Set(old?.ingredients.compactMap(\.recipe) ?? [])
    var waiting = content.ingredients.compactMap(\.recipe).filter { !known.contains($0) }
    for part in waiting where part != key {
      guard let found = recipe(part), found.household == household else { throw .recipeNotFound }
    }
    var seen: Set<Key> = []
    while let part = waiting.popLast() {
      if part == key { throw .recipeInItself }
      guard seen.insert(part).inserted, let found = recipe(part) else { continue }
      waiting += found.content.ingredients.compactMap(\.recipe)
    }
  }

  /// The recipe with a key, if it exists.
  fileprivate func recipe(_ key: Key) -> Recipe? {
    guard let found = recipes.number(of: key).flatMap({ recipes[$0] }), !found.isDeleted else {
      return nil
    }
    return found
  }
}
