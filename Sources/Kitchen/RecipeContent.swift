/// The content of a recipe (MC-4): its title, ingredients and steps.
public struct RecipeContent: Hashable, Sendable {
  /// The name of the dish.
  public var title: String = ""
  /// The address of the page that it comes from.
  public var sourceURL: String?
  /// The kind of source, in the words of the program that imported it: "manual", "url", "file".
  public var sourceType: String?
  /// The number of servings as written; `nil` when the recipe does not give it, and is scaled as a whole.
  public var baseServings: Rational?
  /// The ingredients, in the order of use.
  public var ingredients: [Ingredient] = []
  /// The steps, in order.
  public var steps: [RecipeStep] = []
  /// Keywords for finding the recipe.
  public var tags: [String] = []
  /// Minutes of preparation.
  public var prepMinutes: Int32?
  /// Minutes of cooking.
  public var cookMinutes: Int32?
  /// Anything else.
  public var notes: String?

  public init(
    title: String, sourceURL: String? = nil, sourceType: String? = nil,
    baseServings: Rational? = nil, ingredients: [Ingredient] = [], steps: [RecipeStep] = [],
    tags: [String] = [], prepMinutes: Int32? = nil, cookMinutes: Int32? = nil, notes: String? = nil
  ) {
    self.title = title
    self.sourceURL = sourceURL
    self.sourceType = sourceType
    self.baseServings = baseServings
    self.ingredients = ingredients
    self.steps = steps
    self.tags = tags
    self.prepMinutes = prepMinutes
    self.cookMinutes = cookMinutes
    self.notes = notes
  }

  /// The factor for every ingredient: the wanted servings divided by the written ones; a recipe without servings serves
  /// one (MC-5). `nil` when it does not fit in 64 bits.
  package func factor(servings: Rational?) -> Rational? {
    guard let servings else { return .one }
    guard let baseServings, baseServings.isPositive else { return servings }
    return servings.divided(by: baseServings)
  }
}
