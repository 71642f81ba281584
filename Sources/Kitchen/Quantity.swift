/// An exact amount with its unit.
public struct Quantity: Hashable, Sendable {
  /// How much.
  public var amount: Rational
  /// The unit as it was written; `nil` for whole things.
  public var unit: String?

  /// Makes a quantity; an empty unit means none.
  public init(_ amount: Rational, _ unit: String? = nil) {
    self.amount = amount
    self.unit = unit?.isEmpty == true ? nil : unit
  }

  /// Reads an amount with or without a unit: `2`, `250 g`, `1 1/2 cups`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    var rest = Substring(text)
    guard let amount = Rational.taken(from: &rest) else { return nil }
    let unit = rest.drop { $0.isWhitespace }
    guard !unit.contains(where: \.isNumber), unit.first.map(\.isLetter) ?? true else { return nil }
    self.init(amount, String(unit))
  }

  /// The amount in the base of its dimension, so that amounts of one dimension can be added; `nil` when it
  /// does not fit in 64 bits.
  public var baseAmount: Rational? { amount.multiplied(by: KitchenUnit(unit).size) }

  /// The sum, in the most fitting unit; `nil` when the dimensions differ, or the sum does not fit in 64 bits.
  package func adding(_ other: Quantity) -> Quantity? {
    let dimension = KitchenUnit(unit).dimension
    guard dimension == KitchenUnit(other.unit).dimension, let amount = baseAmount,
      let more = other.baseAmount, let total = amount.adding(more)
    else { return nil }
    return Self.best(total, of: dimension, from: [unit, other.unit])
  }

  /// Converts to another unit; `nil` when the dimensions differ, or the result does not fit in 64 bits.
  package func converted(to other: String?) -> Quantity? {
    KitchenUnit(unit).convert(amount, to: KitchenUnit(other)).map { Quantity($0, other) }
  }

  /// The quantity for display: `1 ½ cups`, `1.5 kg`, `3`. Grams and litres are decimals; everything else is
  /// in kitchen form.
  public var shown: String {
    let isDecimal = KitchenUnit(unit).system == .metric
    let number = isDecimal ? amount.decimalForm : amount.kitchenForm
    return unit.map { "\(number) \($0)" } ?? number
  }

  /// A total in the most fitting unit; chosen for display, but still exact.
  ///
  /// The unit is the largest in which the number has a kitchen form: 3 tsp become 1 tbsp, 4 tbsp ¼ cup, 1500
  /// g 1.5 kg. It comes from the system that all parts were written in, or from the metric system when there
  /// were several. A unit that was written keeps its spelling; among several, the alphabetically first.
  ///
  /// - Parameters:
  ///   - total: The amount, in the base of the dimension.
  ///   - dimension: The dimension of the total.
  ///   - written: The units of the parts, as they were written, all of the dimension.
  /// - Returns: The same total.
  package static func best(
    _ total: Rational, of dimension: Dimension, from written: [String?]
  ) -> Quantity {
    let unit = KitchenUnit.best(
      for: total, of: dimension, used: Set(written.map { KitchenUnit($0) }))
    guard let amount = total.divided(by: unit.size) else {
      // The base of the dimension has size 1, so the total stays as it is.
      return Quantity(total, KitchenUnit.base(of: dimension))
    }
    let spelling = written.compactMap(\.self).sorted().first { KitchenUnit($0) == unit }
    return Quantity(amount, spelling ?? unit.name)
  }
}

extension KitchenUnit {
  /// The base unit of a dimension.
  fileprivate static func base(of dimension: Dimension) -> String? {
    switch dimension {
    case .mass: gram.name
    case .volume: millilitre.name
    case .count: nil
    case .own(let name): name
    }
  }

  fileprivate static func best(
    for total: Rational, of dimension: Dimension, used: Set<KitchenUnit>
  ) -> KitchenUnit {
    let systems = Set(used.map(\.system))
    let common = customary(dimension, systems.count == 1 ? systems.first ?? .metric : .metric)
    guard !common.isEmpty else { return used.count == 1 ? used.first ?? .things : .things }
    let choices = used.filter { systems.count == 1 || $0.system == .metric }.union(common)
      .sorted { ($0.size, $0.name) < ($1.size, $1.name) }
    let isSaid = { (unit: KitchenUnit, least: Rational) in
      total.divided(by: unit.size).map { $0 >= least } ?? false
    }
    let smallest = used.min { ($0.size, $0.name) < ($1.size, $1.name) } ?? .things
    // A total from several systems is shown in metric units.
    let isNear = { (unit: KitchenUnit) in systems.count > 1 || unit.size >= smallest.size }
    let sayable = choices.last { unit in
      let least = used.contains(unit) ? .zero : unit == cup ? Rational(1, over: 4) ?? .one : .one
      guard isSaid(unit, least), let amount = total.divided(by: unit.size) else { return false }
      // Nobody counts 42 teaspoons of something written in cups.
      guard isNear(unit) || amount <= Rational(maximumOfSmaller) else { return false }
      return amount.isKitchenForm || unit.system == .metric && amount.hasTwoDecimals
    }
    return sayable ?? choices.last { isSaid($0, .one) && isNear($0) } ?? smallest
  }

  /// The largest amount shown in a unit smaller than all those written.
  private static let maximumOfSmaller: Int64 = 12

  /// The customary units for a dimension in a system; empty where there is no choice.
  private static func customary(_ dimension: Dimension, _ system: System) -> [KitchenUnit] {
    switch (dimension, system) {
    case (.mass, .unitedStates): [ounce, pound]
    case (.mass, _): [gram, kilogram]
    case (.volume, .unitedStates): [teaspoon, tablespoon, cup]
    case (.volume, .imperial): [imperialFluidOunce, imperialPint]
    case (.volume, .spoons): [teaspoonful, tablespoonful]
    case (.volume, _): [millilitre, litre]
    case (.count, _), (.own, _): []
    }
  }
}

extension Rational {
  /// Whether two decimal places are exact, as on scales and jugs.
  fileprivate var hasTwoDecimals: Bool { multiplied(by: Rational(100))?.denominator == 1 }
}
