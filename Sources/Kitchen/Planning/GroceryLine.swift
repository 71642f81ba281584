package import Values
package import Calendar

/// One line of a grocery list: a food, or a text that was not understood, and for which meals it is bought (MC-7).
package struct GroceryLine: Hashable, Sendable {
  /// What makes it the same line when the list is made again: the food, or the text.
  package var identity: GroceryIdentity
  /// The food, as most recipes write it; or the whole text of a line that was not understood.
  package var name: String
  /// Where it is found, or that it should be at home.
  package var category: GroceryCategory
  /// Its place within the category, from 0.
  package var sortOrder: Int
  /// How much of it, for each measure that adds up: masses, volumes, units of their own, things, and what no recipe says
  /// an amount of.
  package var parts: [GroceryPart]

  /// What is left to buy of it.
  package var wanted: [GroceryPart] {
    // A loop, since Swift 6.3.1 crashes on `filter` here when it optimises.
    var wanted: [GroceryPart] = []
    for part in parts where !part.isCovered { wanted.append(part) }
    return wanted
  }

  /// Which meal takes how much of what is left to buy, by date.
  package var sources: [GroceryShare] { wanted.flatMap(\.sources).sorted { $0.order < $1.order } }

  /// Whether the pantry holds all of it.
  package var isCovered: Bool { parts.allSatisfy(\.isCovered) }

  /// The line of a food, of what is taken of it in each measure; never of nothing.
  init(_ groups: [GroceryShares], stock: PantryStock) throws(GroceryPlanError) {
    let first = groups[0].identity
    identity = GroceryIdentity(food: first.food, text: first.text)
    name = GroceryShares.name(of: groups)
    sortOrder = 0
    var parts: [GroceryPart] = []
    for shares in groups { parts.append(try GroceryPart(shares, stock: stock)) }
    self.parts = parts.sorted { $0.identity.place < $1.identity.place }
    // What is to be bought in one measure is bought, whatever nobody can say of another.
    let isLookedFor =
      parts.contains(where: \.isUncertain)
      && parts.allSatisfy { $0.isUncertain || $0.isCovered }
    category = isLookedFor ? .verifyPantry : GroceryShares.category(of: groups)
  }
}

/// How much of a food is to be bought in one measure.
package struct GroceryPart: Hashable, Sendable {
  /// The food, or the text, and the dimension.
  package var identity: GroceryIdentity
  /// What all meals take together, exactly; nothing when none says how much. Of a text: how many times.
  package var required: Quantity?
  /// What of it is left to buy, exactly.
  package var quantity: Quantity?
  /// Which meal takes how much, by date; their amounts add up to ``required``.
  package var sources: [GroceryShare]
  /// Whether the food is at home, but nobody can say whether enough of it.
  package var isUncertain = false

  /// Whether the pantry holds all of it.
  package var isCovered: Bool { quantity?.amount == .zero }

  init(_ shares: GroceryShares, stock: PantryStock) throws(GroceryPlanError) {
    identity = shares.identity
    sources = shares.sorted
    required = try shares.required()
    quantity = required
    switch identity.food.map({ stock.holding(of: $0, in: identity) }) ?? .none {
    case .none: break
    case .uncounted: isUncertain = true
    case .counted(let held):
      guard let dimension = identity.dimension, let total = shares.total,
        let rest = total.subtracting(min(held, total))
      else { break }
      quantity = Quantity.best(rest, of: dimension, from: shares.units)
    }
  }
}

/// What adds up to one amount: the same food and dimension, or the same text.
package struct GroceryIdentity: Hashable, Comparable, Sendable {
  /// The food, as names are compared.
  package var food: String?
  /// What its amounts are added in; nothing when they are not said.
  package var dimension: Dimension?
  /// The text of a line that was not understood, as it was written.
  package var text: String?
  /// The unit, where sums in one unit stay within 64 bits and the sum of all does not.
  package var unit: String?

  /// The line of a food and dimension, or of a text.
  package init(
    food: String? = nil, dimension: Dimension? = nil, text: String? = nil, unit: String? = nil
  ) {
    self.food = food
    self.dimension = dimension
    self.text = text
    self.unit = unit
  }

  /// By name; then by dimension, with amounts that are not said at the end.
  package static func < (left: GroceryIdentity, right: GroceryIdentity) -> Bool {
    left.order < right.order
  }

  /// The place of a part in its line: things come last before what is not counted, as in "200 g and 2 tomatoes".
  fileprivate var place: GroceryPlace {
    GroceryPlace(
      group: dimension.map { $0 == .count ? 1 : 0 } ?? 2, dimension: dimension ?? .count,
      unit: unit ?? "")
  }

  private var order: (String, Int, Dimension, String) {
    (
      food ?? text?.foldedName ?? "", dimension == nil ? 1 : 0, dimension ?? .count,
      unit ?? text ?? ""
    )
  }
}

/// Where a part stands in its line.
private struct GroceryPlace: Comparable {
  var group: Int
  var dimension: Dimension
  var unit: String

  static func < (left: Self, right: Self) -> Bool {
    (left.group, left.dimension, left.unit) < (right.group, right.dimension, right.unit)
  }
}

/// What one meal takes of one line.
package struct GroceryShare: Hashable, Sendable {
  /// The name of the meal.
  package var meal: Key
  /// What is cooked.
  package var recipe: Key
  /// When.
  package var date: Day
  /// For how many; nothing when neither plan nor recipe says so.
  package var servings: Rational?
  /// How much, exactly; nothing when the recipe does not say.
  package var amount: Rational?
  /// Of what measure, as it was written.
  package var unit: String?

  /// By date, then by names: the same whatever the order of the plan.
  var order: (Day, Key, Key, String) { (date, recipe, meal, unit ?? "") }
}
