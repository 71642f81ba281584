package import Avro

extension Quantity {
  /// Converts to another unit, between mass and volume too if the food's density is known.
  ///
  /// The result is `nil` if the density is unknown, if the dimensions are otherwise different, or if the
  /// number does not fit in 64 bits. Within a dimension the conversion is exact; between mass and volume it
  /// is accurate to a few percent, as cups are.
  ///
  /// - Parameters:
  ///   - unit: The unit, as people write it.
  ///   - food: The food being measured.
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

/// A quantity of a food converted to another unit: `daybook convert`.
package struct FoodConversion: Hashable, Sendable {
  /// The quantity to convert.
  package let from: Quantity
  /// The converted quantity.
  package let quantity: Quantity
  /// The food being measured.
  package let food: String
  /// The source of the density, if one was needed.
  package let source: String?

  /// Converts a text such as `2 cups flour` to another unit; `nil` if that is impossible.
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

  /// The result for display, rounded: `2 cups flour are about 250 g (USDA FoodData Central).`
  package var sentence: String {
    let words = [from.shown, food].filter { !$0.isEmpty }.joined(separator: " ")
    guard let source else { return "\(words) = \(quantity.shown)" }
    return "\(words): about \(quantity.rounded.shown) (\(source))"
  }

  /// The conversion as JSON; a result that needed a density is rounded to the density's precision.
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
  /// The amount rounded to the precision of a density: two digits, or whole numbers from ten on.
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
