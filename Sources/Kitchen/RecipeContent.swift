/// What a recipe says (MC-4): what it is called, what goes in, what to do.
public struct RecipeContent: Hashable, Sendable {
  /// What it is called.
  public var title: String = ""
  /// The page that it comes from.
  public var sourceURL: String?
  /// What kind of source that is, in the words of the program that took it: "manual", "url", "file".
  public var sourceType: String?
  /// How many it serves as written; nothing when it does not say, and then it is scaled as a whole.
  public var baseServings: Rational?
  /// What goes in, in the order of use.
  public var ingredients: [Ingredient] = []
  /// What to do, step by step.
  public var steps: [RecipeStep] = []
  /// Words to find it by.
  public var tags: [String] = []
  /// Minutes of preparation.
  public var prepMinutes: Int32?
  /// Minutes of cooking.
  public var cookMinutes: Int32?
  /// Anything else.
  public var notes: String?

  /// A recipe of these parts.
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

  /// The factor by which every ingredient is multiplied to serve so many: servings wanted over servings as
  /// written, where a recipe that does not say serves one (MC-5). `nil` when that leaves 64 bits.
  package func factor(servings: Rational?) -> Rational? {
    guard let servings else { return .one }
    guard let baseServings, baseServings.isPositive else { return servings }
    return servings.divided(by: baseServings)
  }
}
