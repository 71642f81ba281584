package import Avro
package import Daybook

/// `recipes`: a household's recipes by title, or those in which some words are found (MC-4).
package struct RecipesQuestion: Question, Hashable {
  /// `recipes`.
  package static let form = QuestionForm(
    "recipes", "A household's recipes by title, or those in which some words are found.",
    answer: "a list of recipes", asker: .account, .past, isByMembers: true)
  /// Of nothing yet.
  package static let defaults = RecipesQuestion(of: .first)

  package var household: Household.ID
  /// Words, or how they begin; all recipes without one.
  package var search: String

  package init(of household: Household.ID, search: String = "") {
    self.household = household
    self.search = search
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "search", &search,
      [.doc("only with these words, or how they begin, in title, tags or ingredients")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      recipes: view.state.recipes(of: household, for: member, matching: search).map(\.recipe),
      state: view.state)
  }

  /// A household's recipes, a row each.
  package struct Answer: QuestionAnswer, Listing {
    /// The recipes; those found by their titles come first, then by tags.
    package let recipes: [Recipe]
    let state: BookState

    /// How many recipes there are.
    package var stepCount: Int { recipes.count }

    /// Writes a row a recipe.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for recipe in recipes[steps] { rows.value(state.recipeRow(recipe)) }
    }
  }
}

/// `recipe`: a recipe, for as many as one likes (MC-5).
package struct RecipeQuestion: Question, Hashable {
  /// `recipe`.
  package static let form = QuestionForm(
    "recipe", "A recipe, for as many as one likes.", answer: "recipe", asker: .account, .past,
    isByMembers: true)
  /// Of nothing yet.
  package static let defaults = RecipeQuestion(.first)

  package var recipe: Recipe.ID
  /// For how many, above 0; as it is written without it.
  package var servings: Rational?

  package init(_ recipe: Recipe.ID, servings: Rational? = nil) {
    self.recipe = recipe
    self.servings = servings
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("recipe"), &recipe)
    try visitor.column(
      "servings", &servings, [.doc("for how many, above 0; as it is written without it")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/recipeNotFound`` for another household's, and for servings that no kitchen can count.
  package func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    guard let found = view.state.recipes[recipe], !found.isDeleted,
      view.state.household(found.household, for: member) != nil
    else { throw Rejection.recipeNotFound }
    if let servings, !servings.isPositive { throw Rejection.invalidServings("servings") }
    guard let content = found.content.scaled(to: servings) else {
      throw Rejection.tooManyServings
    }
    let base = found.content.baseServings
    return Answer(
      recipe: found.withContent(content), baseServings: base,
      isScaled: servings != nil && servings != base, state: view.state)
  }

  /// A recipe for so many.
  package struct Answer: QuestionAnswer {
    /// The recipe, its amounts for as many as were asked for.
    package let recipe: Recipe
    /// How many it serves as it was written, if it says so.
    package let baseServings: Rational?
    /// Whether its amounts are others than were written.
    package let isScaled: Bool
    let state: BookState

    /// Writes the answer.
    package func write(to json: inout JSONWriter) { json.value(state.recipeRow(recipe)) }
  }
}
