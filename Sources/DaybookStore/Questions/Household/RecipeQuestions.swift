public import Avro
public import Daybook

/// `recipes`: a household's recipes by title, or those in which some words are found (MC-4).
public struct RecipesQuestion: Question, Hashable {
  /// `recipes`.
  public static let form = QuestionForm(
    "recipes", "A household's recipes by title, or those in which some words are found.",
    answer: "a list of recipes", asker: .account, .past, isHousehold: true)
  /// Of nothing yet.
  public static let defaults = RecipesQuestion(of: .first)

  /// The household.
  public var household: Household.ID
  /// Words, or how they begin; all recipes without one.
  public var search: String

  /// Asks.
  public init(of household: Household.ID, search: String = "") {
    self.household = household
    self.search = search
  }

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(HouseholdCodec(), &household)
    try visitor.column(
      "search", &search,
      [.doc("only with these words, or how they begin, in title, tags or ingredients")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/householdNotFound`` for another's.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
    let member = try needed(asker)
    _ = try view.household(household, for: member)
    return Answer(
      recipes: view.state.recipes(of: household, for: member, matching: search).map(\.recipe),
      state: view.state)
  }

  /// A household's recipes, a row each.
  public struct Answer: QuestionAnswer, Listing {
    /// The recipes; those found by their titles come first, then by tags.
    public let recipes: [Recipe]
    let state: State

    /// How many recipes there are.
    public var stepCount: Int { recipes.count }

    /// Writes a row a recipe.
    public func writeRows(_ steps: Range<Int>, to rows: inout JSONWriter) {
      for recipe in recipes[steps] { rows.value(state.recipeRow(recipe)) }
    }
  }
}

/// `recipe`: a recipe, for as many as one likes (MC-5).
public struct RecipeQuestion: Question, Hashable {
  /// `recipe`.
  public static let form = QuestionForm(
    "recipe", "A recipe, for as many as one likes.", answer: "recipe", asker: .account, .past,
    isHousehold: true)
  /// Of nothing yet.
  public static let defaults = RecipeQuestion(.first)

  /// The recipe.
  public var recipe: Recipe.ID
  /// For how many, above 0; as it is written without it.
  public var servings: Rational?

  /// Asks.
  public init(_ recipe: Recipe.ID, servings: Rational? = nil) {
    self.recipe = recipe
    self.servings = servings
  }

  /// The question's columns.
  public mutating func visitColumns<V: ColumnVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.columns(ThingCodec("recipe"), &recipe)
    try visitor.column(
      "servings", &servings, [.doc("for how many, above 0; as it is written without it")])
  }

  /// Answers.
  ///
  /// - Throws: ``Rejection/recipeNotFound`` for another household's, and for servings that no kitchen can count.
  public func answer(from view: BookView, for asker: Account.ID?) throws -> Answer {
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
  public struct Answer: QuestionAnswer {
    /// The recipe, its amounts for as many as were asked for.
    public let recipe: Recipe
    /// How many it serves as it was written, if it says so.
    public let baseServings: Rational?
    /// Whether its amounts are others than were written.
    public let isScaled: Bool
    let state: State

    /// Writes the answer.
    public func write(to json: inout JSONWriter) { json.value(state.recipeRow(recipe)) }
  }
}
