import Values

/// The shares of all meals in one possible line.
struct GroceryShares {
  private(set) var identity: GroceryIdentity
  private var shares: [GroceryShare] = []
  private var places: [Place: Int] = [:]
  /// How often each spelling of the name was used.
  private var spellings: [String: Int] = [:]
  private var categories: Set<GroceryCategory> = []

  private struct Place: Hashable {
    var meal: Key
    var unit: String?
  }

  init(identity: GroceryIdentity) { self.identity = identity }

  /// Adds what a meal needs; a meal's shares in the same unit are merged.
  ///
  /// - Throws: ``GroceryPlanError/amountTooLarge(_:)`` when their sum does not fit in 64 bits.
  mutating func add(
    _ share: GroceryShare, _ need: RecipeNeeds.Need
  ) throws(GroceryPlanError) {
    spellings[need.name, default: 0] += 1
    if let category = need.category { categories.insert(category) }
    var share = share
    if identity.dimension == nil { share.amount = nil }
    let place = Place(meal: share.meal, unit: share.unit)
    if let earlier = places[place] {
      guard let amount = share.amount, let before = shares[earlier].amount else { return }
      guard let sum = before.adding(amount) else { throw .amountTooLarge(need.name) }
      shares[earlier].amount = sum
    } else {
      places[place] = shares.count
      shares.append(share)
    }
  }

  /// The most frequent spelling; among several, the alphabetically first.
  static func name(of groups: [GroceryShares]) -> String {
    var spellings: [String: Int] = [:]
    for group in groups { spellings.merge(group.spellings, uniquingKeysWith: +) }
    return spellings.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
  }

  /// The first category in list order that the recipes give; `verifyPantry` only if they give no other.
  static func category(of groups: [GroceryShares]) -> GroceryCategory {
    let categories = groups.flatMap(\.categories)
    return categories.filter { $0 != .verifyPantry }.min() ?? categories.first ?? .other
  }

  /// The units as they were written.
  var units: [String?] { shares.map(\.unit) }

  /// The shares by date, then by names; the order does not depend on the plan's.
  var sorted: [GroceryShare] {
    shares.sorted { $0.order < $1.order }
  }

  /// The sum in the base of the dimension; `nil` when no amounts are given, or when it does not fit in 64
  /// bits.
  var total: Rational? {
    guard identity.dimension != nil else { return nil }
    var total = Rational.zero
    for share in sorted {
      guard let part = share.amount.flatMap({ Quantity($0, share.unit).baseAmount }),
        let sum = total.adding(part)
      else { return nil }
      total = sum
    }
    return total
  }

  /// The exact sum; `nil` when no amounts are given.
  ///
  /// - Throws: ``GroceryPlanError/amountTooLarge(_:)`` when it does not fit in 64 bits even in a single unit.
  func required() throws(GroceryPlanError) -> Quantity? {
    guard let dimension = identity.dimension else { return nil }
    if let total { return Quantity.best(total, of: dimension, from: units) }
    var sum = Rational.zero
    for share in sorted {
      guard let next = sum.adding(share.amount ?? .zero) else {
        throw .amountTooLarge(Self.name(of: [self]))
      }
      sum = next
    }
    return Quantity(sum, identity.unit)
  }

  /// The groups that become lines: this one, or one for each unit when only those sums fit in 64 bits.
  var lines: [GroceryShares] {
    guard identity.dimension != nil, total == nil else { return [self] }
    return Dictionary(grouping: shares) { KitchenUnit($0.unit) }.map { unit, shares in
      var part = self
      part.identity.unit = unit.name
      part.shares = shares
      return part
    }
  }
}

/// The stock of the pantry, by food.
struct PantryStock {
  /// What the pantry holds for a need.
  enum Holding {
    /// The food is not there.
    case none
    /// This amount is there, in the base of the dimension.
    case counted(Rational)
    /// The food is there, but perhaps not enough of it.
    case uncounted
  }

  private var amounts: [String: [Dimension: Rational]] = [:]
  private var uncounted: Set<String> = []
  private let wanted: Set<String>

  init(_ pantryStaples: [GroceryPlan.PantryStaple], wanted: Set<String>) {
    self.wanted = Set(wanted.map(\.foldedName))
    for pantryStaple in pantryStaples {
      let food = pantryStaple.food.foldedName
      let dimension = KitchenUnit(pantryStaple.unit).dimension
      let held = amounts[food]?[dimension] ?? .zero
      let part = pantryStaple.amount.flatMap { Quantity($0, pantryStaple.unit).baseAmount }
      if let sum = part?.adding(held) {
        amounts[food, default: [:]][dimension] = sum
      } else {
        uncounted.insert(food)
      }
    }
  }

  /// What the pantry holds of a food. Stock in another dimension, or for a need without an amount, cannot be
  /// compared.
  func holding(of food: String, in identity: GroceryIdentity) -> Holding {
    let isWanted = wanted.contains(food)
    if uncounted.contains(food), !isWanted { return .uncounted }
    guard let amounts = amounts[food] else { return .none }
    if identity.unit == nil, let dimension = identity.dimension, let held = amounts[dimension] {
      return .counted(held)
    }
    return isWanted ? .none : .uncounted
  }
}
