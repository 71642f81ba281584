package import Values
package import Calendar

/// One line of a grocery list: a food or a text that was not understood, and the meals it is bought for
/// (MC-7).
package struct GroceryLine: Hashable, Sendable {
  /// The food or text that identifies the line when the list is generated again.
  package var identity: GroceryIdentity
  /// The food as most recipes spell it, or the whole text of a line that was not understood.
  package var name: String
  /// The section of the shop, or that the food should be at home.
  package var category: GroceryCategory
  /// The position within the category, from 0.
  package var sortOrder: Int
  /// The amounts by dimension: masses, volumes, units of their own, things, and uses without an amount.
  package var parts: [GroceryPart]

  /// The parts that are still to be bought.
  package var wanted: [GroceryPart] {
    // Written as a loop because Swift 6.3.1 crashes on `filter` here when it optimises.
    var wanted: [GroceryPart] = []
    for part in parts where !part.isCovered { wanted.append(part) }
    return wanted
  }

  /// The share of each meal in what is to be bought, by date.
  package var sources: [GroceryShare] { wanted.flatMap(\.sources).sorted { $0.order < $1.order } }

  /// Whether the pantry holds all of it.
  package var isCovered: Bool { parts.allSatisfy(\.isCovered) }

  /// Makes the line of a food from its groups, one per dimension; there is at least one.
  init(_ groups: [GroceryShares], stock: PantryStock) throws(GroceryPlanError) {
    let first = groups[0].identity
    identity = GroceryIdentity(food: first.food, text: first.text)
    name = GroceryShares.name(of: groups)
    sortOrder = 0
    var parts: [GroceryPart] = []
    for shares in groups { parts.append(try GroceryPart(shares, stock: stock)) }
    self.parts = parts.sorted { $0.identity.place < $1.identity.place }
    // If an amount in one dimension is to be bought, an uncertain one in another changes nothing.
    let isLookedFor =
      parts.contains(where: \.isUncertain)
      && parts.allSatisfy { $0.isUncertain || $0.isCovered }
    category = isLookedFor ? .verifyPantry : GroceryShares.category(of: groups)
  }
}

/// The amount of a food to buy in one dimension.
package struct GroceryPart: Hashable, Sendable {
  /// The food or text, and the dimension.
  package var identity: GroceryIdentity
  /// The exact total of all meals; `nil` when none gives an amount. For a text, the number of times.
  package var required: Quantity?
  /// The exact amount still to be bought.
  package var quantity: Quantity?
  /// The share of each meal, by date; the amounts add up to ``required``.
  package var sources: [GroceryShare]
  /// Whether the food is at home, but perhaps not enough of it.
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

/// Identifies amounts that add up: the same food and dimension, or the same text.
package struct GroceryIdentity: Hashable, Comparable, Sendable {
  /// The food, in the form used for comparison.
  package var food: String?
  /// The dimension of the amounts; `nil` when none are given.
  package var dimension: Dimension?
  /// The original text of a line that was not understood.
  package var text: String?
  /// The unit, when only sums within one unit fit in 64 bits.
  package var unit: String?

  /// Makes the identity of a food and dimension, or of a text.
  package init(
    food: String? = nil, dimension: Dimension? = nil, text: String? = nil, unit: String? = nil
  ) {
    self.food = food
    self.dimension = dimension
    self.text = text
    self.unit = unit
  }

  /// Orders by name, then by dimension; uses without an amount come last.
  package static func < (left: GroceryIdentity, right: GroceryIdentity) -> Bool {
    left.order < right.order
  }

  /// The place of a part in its line: whole things come last, before uses without an amount, as in "200 g and
  /// 2 tomatoes".
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

/// The place of a part in its line.
private struct GroceryPlace: Comparable {
  var group: Int
  var dimension: Dimension
  var unit: String

  static func < (left: Self, right: Self) -> Bool {
    (left.group, left.dimension, left.unit) < (right.group, right.dimension, right.unit)
  }
}

/// The share of one meal in one line.
package struct GroceryShare: Hashable, Sendable {
  /// The id of the meal.
  package var meal: Key
  /// The recipe that is cooked.
  package var recipe: Key
  /// The day of the meal.
  package var date: Day
  /// The number of servings; `nil` when neither the plan nor the recipe gives it.
  package var servings: Rational?
  /// The exact amount; `nil` when the recipe gives none.
  package var amount: Rational?
  /// The unit, as it was written.
  package var unit: String?

  /// The sort key: date, then names; it does not depend on the order of the plan.
  var order: (Day, Key, Key, String) { (date, recipe, meal, unit ?? "") }
}
