package import Avro
package import Daybook

/// `recipes`: a household's recipes by title, or those that contain some words (MC-4).
package struct RecipesQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "recipes", "A household's recipes by title, or those in which some words are found.",
    answer: "a list of recipes", asker: .account, .past, isByMembers: true, isOfPerson: true)
  package static let defaults = RecipesQuestion(of: .first)

  package var household: Household.ID
  /// Words or prefixes of words; empty for all recipes.
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
    /// The recipes; matches in titles come first, then matches in tags.
    package let recipes: [Recipe]
    let state: BookState

    /// How many recipes there are.
    package var stepCount: Int { recipes.count }

    /// Writes one row for each recipe.
    package func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for recipe in recipes[steps] { rows.value(recipe.row(in: state)) }
    }
  }
}

/// `recipe`: a recipe for any number of servings (MC-5).
package struct RecipeQuestion: Question, Hashable {
  package static let form = QuestionForm(
    "recipe", "A recipe, for any number of servings.", answer: "recipe", asker: .account, .past,
    isByMembers: true, isOfPerson: true)
  package static let defaults = RecipeQuestion(.first)

  package var recipe: Recipe.ID
  /// The number of servings, above 0; nil for the recipe as written.
  package var servings: Rational?

  package init(_ recipe: Recipe.ID, servings: Rational? = nil) {
    self.recipe = recipe
    self.servings = servings
  }

  package mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdEntityCodec("recipe"), &recipe)
    try visitor.column(
      "servings", &servings, [.doc("for how many, greater than 0; unless given, as it is written")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/recipeNotFound`` for another household's, and for servings that lead to
  ///   impossible amounts.
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

  /// A recipe for a number of servings.
  package struct Answer: QuestionAnswer {
    /// The recipe with amounts for the servings asked for.
    package let recipe: Recipe
    /// The servings of the recipe as written, if it gives them.
    package let baseServings: Rational?
    /// Whether the amounts differ from the recipe as written.
    package let isScaled: Bool
    let state: BookState

    /// Writes the answer.
    package func write(to json: inout JSONWriter) { json.value(recipe.row(in: state)) }
  }
}
