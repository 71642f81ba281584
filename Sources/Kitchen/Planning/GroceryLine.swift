public import Values
public import Calendar

/// One line of a grocery list: what is to be bought, and for which meals (MC-7).
public struct GroceryLine: Hashable, Sendable {
  /// What makes it the same line when the list is made again.
  public var identity: GroceryIdentity
  /// The food, as most recipes write it; or the whole text of a line that was not understood.
  public var name: String
  /// Where it is found, or that it should be at home.
  public var category: GroceryCategory
  /// Its place within the category, from 0.
  public var sortOrder: Int
  /// What all meals take together, exactly; nothing when none says how much. Of a text: how many times.
  public var required: Quantity?
  /// What of it is left to buy, exactly.
  public var quantity: Quantity?
  /// Which meal takes how much, by date; their amounts add up to ``required``.
  public var sources: [GroceryShare]

  /// Whether the pantry holds all of it.
  public var isCovered: Bool { quantity?.amount == .zero }

  init(_ shares: GroceryShares, stock: PantryStock) throws(GroceryPlanError) {
    identity = shares.identity
    name = shares.name
    category = shares.category
    sortOrder = 0
    sources = shares.sorted
    required = try shares.required()
    quantity = required
    switch identity.food.map({ stock.holding(of: $0, in: identity) }) ?? .none {
    case .none: break
    case .uncounted: category = .verifyPantry
    case .counted(let held):
      guard let dimension = identity.dimension, let total = shares.total,
        let rest = total.subtracting(min(held, total))
      else { break }
      quantity = Quantity.best(rest, of: dimension, from: shares.units)
    }
  }
}

/// What makes two needs one line: the same food and dimension, or the same text.
public struct GroceryIdentity: Hashable, Comparable, Sendable {
  /// The food, as names are compared.
  public var food: String?
  /// What its amounts are added in; nothing when they are not said.
  public var dimension: Dimension?
  /// The text of a line that was not understood, as it was written.
  public var text: String?
  /// The unit, where sums in one unit stay within 64 bits and the sum of all does not.
  public var unit: String?

  /// The line of a food and dimension, or of a text.
  public init(
    food: String? = nil, dimension: Dimension? = nil, text: String? = nil, unit: String? = nil
  ) {
    self.food = food
    self.dimension = dimension
    self.text = text
    self.unit = unit
  }

  /// By name; then by dimension, with amounts that are not said at the end.
  public static func < (left: GroceryIdentity, right: GroceryIdentity) -> Bool {
    left.order < right.order
  }

  private var order: (String, Int, Dimension, String) {
    (
      food ?? text?.foldedName ?? "", dimension == nil ? 1 : 0, dimension ?? .count,
      unit ?? text ?? ""
    )
  }
}

/// What one meal takes of one line.
public struct GroceryShare: Hashable, Sendable {
  /// The name of the meal.
  public var meal: Key
  /// What is cooked.
  public var recipe: Key
  /// When.
  public var date: Day
  /// For how many; nothing when neither plan nor recipe says so.
  public var servings: Rational?
  /// How much, exactly; nothing when the recipe does not say.
  public var amount: Rational?
  /// Of what measure, as it was written.
  public var unit: String?
}
