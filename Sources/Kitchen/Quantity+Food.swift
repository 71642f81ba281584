package import Avro

extension Quantity {
  /// The same of a food in another unit, also a mass for a volume and the other way round where it is known how heavy
  /// the food is; `nil` where it is not, where they measure other things, or where the result leaves 64 bits.
  ///
  /// Within a dimension it is exact; from one to the other it is as near as a cup is to the next: a few in a hundred.
  ///
  /// - Parameters:
  ///   - unit: The unit, as people write it.
  ///   - food: What it is a quantity of.
  /// - Returns: The quantity.
  package func converted(to unit: String?, of food: String) -> Quantity? {
    if let exact = converted(to: unit) { return exact }
    guard let weight = DensityTable.gramsPerCup(of: food), let base = baseAmount else { return nil }
    let (from, into) = (KitchenUnit(self.unit), KitchenUnit(unit))
    let other: Rational?
    switch (from.dimension, into.dimension) {
    case (.volume, .mass):
      other = base.divided(by: KitchenUnit("cup").size).flatMap { $0.multiplied(by: weight) }
    case (.mass, .volume):
      other = base.divided(by: weight).flatMap { $0.multiplied(by: KitchenUnit("cup").size) }
    default: other = nil
    }
    return other.flatMap { $0.divided(by: into.size) }.map { Quantity($0, unit) }
  }
}

/// An amount of a food in another unit: `daybook convert`.
package struct FoodConversion: Hashable, Sendable {
  /// What is converted.
  package let from: Quantity
  /// The same in the other unit.
  package let quantity: Quantity
  /// What it is a quantity of.
  package let food: String
  /// From where it is known how heavy the food is, where that was needed.
  package let source: String?

  /// Converts what a person writes, `2 cups flour`, to another unit; nothing where it cannot be.
  package init?(_ text: String, to unit: String) {
    let line = Ingredient(parsing: text)
    guard let amount = line.amount else { return nil }
    let food = line.food ?? ""
    let from = Quantity(amount, line.unit)
    guard let found = from.converted(to: unit, of: food) else { return nil }
    self.from = from
    self.food = food
    quantity = found
    source = from.converted(to: unit) == nil ? DensityTable.source : nil
  }

  /// For display, rounded: `2 cups flour are about 250 g (USDA FoodData Central).`
  package var sentence: String {
    let words = [from.shown, food].filter { !$0.isEmpty }.joined(separator: " ")
    guard let source else { return "\(words) = \(quantity.shown)" }
    return "\(words): about \(quantity.rounded.shown) (\(source))"
  }

  /// The conversion as JSON; what a density was needed for is rounded as far as that is known.
  package var json: JSON {
    let said = source == nil ? quantity : quantity.rounded
    return [
      "food": .string(food), "quantity": said.amount.json,
      "unit": said.unit.map { JSON.string($0) } ?? .null, "is_exact": .bool(source == nil),
      "source": source.map { JSON.string($0) } ?? .null,
    ]
  }
}

extension Quantity {
  /// As much of it as a density tells: two digits, or whole ones from ten on.
  fileprivate var rounded: Quantity {
    var scale: Int64 = 1
    while scale < 1000, let more = amount.multiplied(by: Rational(scale)), more < Rational(10) {
      scale *= 10
    }
    guard let scaled = amount.multiplied(by: Rational(scale)) else { return self }
    let (whole, rest) = scaled.wholeAndRest
    let near = rest < (Rational(1, over: 2) ?? .one) ? whole : whole + 1
    return Rational(near, over: scale).map { Quantity($0, unit) } ?? self
  }
}
