public import Kitchen

extension BookState {
  /// A household's recipes as a member sees them, by title (MC-4).
  ///
  /// - Parameters:
  ///   - household: The household.
  ///   - viewer: The account for which recipes are searched.
  ///   - text: Only recipes in which every word of this text begins a word of the title, a tag or an ingredient,
  ///     ignoring case. Matches by title come first, then by tag.
  /// - Returns: The recipes; none unless the viewer is a member.
  public func recipes(
    of household: Household.ID, for viewer: Account.ID, matching text: String = ""
  ) -> [(number: Recipe.ID, recipe: Recipe)] {
    guard self.household(household, for: viewer) != nil else { return [] }
    let wanted = text.searchWords
    return householdEntities(.recipe, in: recipes, of: household)
      .compactMap { number, recipe in
        recipe.content.rank(matching: wanted).map { (rank: $0, number: number, recipe: recipe) }
      }
      .sorted { one, other in
        (one.rank, one.recipe.content.title.lowercased(), one.recipe.key)
          < (other.rank, other.recipe.content.title.lowercased(), other.recipe.key)
      }
      .map { ($0.number, $0.recipe) }
  }
}

extension RecipeContent {
  /// The rank of the match: 0 when all words are in the title, 1 with the tags, 2 with the ingredients; `nil` when
  /// there is no match.
  fileprivate func rank(matching wanted: [String]) -> Int? {
    var missing = wanted
    for (rank, texts) in [[title], tags, ingredients.map(\.text)].enumerated() {
      let words = texts.flatMap(\.searchWords)
      missing.removeAll { word in words.contains { $0.hasPrefix(word) } }
      if missing.isEmpty { return rank }
    }
    return nil
  }

  /// The recipe scaled to other servings: every amount is multiplied exactly (MC-5). `nil` when a number exceeds 64
  /// bits.
  public func scaled(to servings: Rational?) -> RecipeContent? {
    guard let servings, let factor = factor(servings: servings) else {
      return servings == nil ? self : nil
    }
    var scaled = self
    scaled.baseServings = servings
    scaled.ingredients = []
    for ingredient in ingredients {
      guard let more = ingredient.scaled(by: factor) else { return nil }
      scaled.ingredients.append(more)
    }
    return scaled
  }
}

extension String {
  /// The words of a text for searching: runs of letters and digits, in lower case.
  fileprivate var searchWords: [String] {
    lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
