public import Values
public import Calendar
public import Kitchen
public import Avro

/// The content of a planned meal (MC-6): a recipe of the household's, or something that needs none.
public struct MealContent: AvroRecord, Columns, Hashable {
  /// The recipe that is cooked.
  public var recipe: Recipe.ID?
  /// The title, if there is no recipe: "Pizza at Bob's".
  public var title: String?
  /// The day of the meal.
  public var date: Day
  /// The meal of the day: "dinner".
  public var mealType: String?
  /// The servings, if they differ from the recipe's.
  public var servings: Rational?

  public init(
    recipe: Recipe.ID? = nil, title: String? = nil, date: Day, mealType: String? = nil,
    servings: Rational? = nil
  ) {
    self.recipe = recipe
    self.title = title
    self.date = date
    self.mealType = mealType
    self.servings = servings
  }

  public static var recordName: String { "MealContent" }
  public static var placeholder: MealContent { MealContent(date: .placeholder) }

  public mutating func visitFields<V: AnyFieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.visit("recipe", &recipe)
    try visitor.visit("title", &title, [.doc("what there is without a recipe"), .personal])
    try visitor.visit("date", &date, [.needed])
    try visitor.visit("meal_type", &mealType, [.doc("which meal of the day"), .personal])
    try visitor.visit("servings", &servings)
  }

  /// Whether nothing says what there is to eat: a meal with a recipe needs no title.
  fileprivate var isNameless: Bool { recipe == nil && title?.isBlank ?? true }
}

/// A member planned a meal of the household's (MC-6).
public struct MealPlanned: EventRecord {
  /// The client's name for the meal.
  public var key: Key = Key(high: 0, low: 0)
  /// The household.
  public var household: Household.ID = .placeholder
  /// The account that planned it.
  public var owner: Account.ID = .placeholder
  /// The content of the meal.
  public var content: MealContent = .placeholder
  /// When it began by the clock of its app; nothing when it began with the entry.
  public var begun: Instant?

  public static var recordName: String { "MealPlanned" }
  var verb: String { "planned for \(content.date)" }
  var emptyField: EmptyField? { content.isNameless ? .name : nil }
  /// The household of the meal.
  public var home: Household.ID? { household }
  static let ownerDoc = "who planned it"
}

/// A planned meal changed; the event holds all of it as it is now.
public struct MealChanged: EventRecord {
  /// The meal.
  public var meal: Meal.ID = .placeholder
  /// The content of the meal.
  public var content: MealContent = .placeholder

  public static var recordName: String { "MealChanged" }
  var verb: String { "planned for \(content.date)" }
  var emptyField: EmptyField? { content.isNameless ? .name : nil }
}

/// A meal was removed from the plan.
public struct MealRemoved: EventRecord {
  /// The meal.
  public var meal: Meal.ID = .placeholder

  public static var recordName: String { "MealRemoved" }
  var verb: String { "removed from the plan" }
}

/// A meal that was removed from the plan was restored.
public struct MealRestored: EventRecord {
  /// The meal.
  public var meal: Meal.ID = .placeholder

  public static var recordName: String { "MealRestored" }
  var verb: String { "restored to the plan" }
}
