/// An exact amount of a unit, and how it is shown.
public struct Quantity: Hashable, Sendable {
  /// How much.
  public var amount: Rational
  /// Of what, as it is written; nothing for whole things.
  public var unit: String?

  /// So much of a unit; an empty one is none.
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

  /// How much it is in what its dimension is counted in, so that amounts of one dimension add up; `nil` when that
  /// leaves 64 bits.
  public var baseAmount: Rational? { amount.multiplied(by: KitchenUnit(unit).size) }

  /// Both together, in the unit that says it best; `nil` when they measure different things, or the sum leaves 64 bits.
  package func adding(_ other: Quantity) -> Quantity? {
    let dimension = KitchenUnit(unit).dimension
    guard dimension == KitchenUnit(other.unit).dimension, let amount = baseAmount,
      let more = other.baseAmount, let total = amount.adding(more)
    else { return nil }
    return Self.best(total, of: dimension, from: [unit, other.unit])
  }

  /// The same in another unit; `nil` when they measure different things, or the result leaves 64 bits.
  package func converted(to other: String?) -> Quantity? {
    KitchenUnit(unit).convert(amount, to: KitchenUnit(other)).map { Quantity($0, other) }
  }

  /// For display: `1 ½ cups`, `1.5 kg`, `3`. Grams and litres are decimals, all else is in kitchen form.
  public var shown: String {
    let isDecimal = KitchenUnit(unit).system == .metric
    let number = isDecimal ? amount.decimalForm : amount.kitchenForm
    return unit.map { "\(number) \($0)" } ?? number
  }

  /// A total in the unit that says it best; for display, though no unit makes it less exact.
  ///
  /// The unit is the largest in which a kitchen can say the number: 3 tsp are 1 tbsp, 4 tbsp are ¼ cup, 1500 g are
  /// 1.5 kg. It comes from the place that all of the total was written in, or from the metric system when that was
  /// more than one. A unit that was written is spelled as it was, the first spelling by the alphabet.
  ///
  /// - Parameters:
  ///   - total: the amount, in what the dimension is counted in.
  ///   - dimension: what is measured.
  ///   - written: the units that it comes from, as they were written, each of the dimension.
  /// - Returns: the same total.
  package static func best(
    _ total: Rational, of dimension: Dimension, from written: [String?]
  ) -> Quantity {
    let unit = KitchenUnit.best(
      for: total, of: dimension, used: Set(written.map { KitchenUnit($0) }))
    guard let amount = total.divided(by: unit.size) else {
      // The base of the dimension has the size 1, in which the total stays what it is.
      return Quantity(total, KitchenUnit.base(of: dimension))
    }
    let spelling = written.compactMap(\.self).sorted().first { KitchenUnit($0) == unit }
    return Quantity(amount, spelling ?? unit.name)
  }
}

extension KitchenUnit {
  /// What amounts of a dimension are counted in.
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
    // What was written in units of several systems is said in metric ones.
    let isNear = { (unit: KitchenUnit) in systems.count > 1 || unit.size >= smallest.size }
    let sayable = choices.last { unit in
      let least = used.contains(unit) ? .zero : unit == cup ? Rational(1, over: 4) ?? .one : .one
      guard isSaid(unit, least), let amount = total.divided(by: unit.size) else { return false }
      // Nobody counts 42 teaspoons of what was written in cups.
      guard isNear(unit) || amount <= Rational(maximumOfSmaller) else { return false }
      return amount.isKitchenForm || unit.system == .metric && amount.hasTwoDecimals
    }
    return sayable ?? choices.last { isSaid($0, .one) && isNear($0) } ?? smallest
  }

  /// So many of a unit are said at most that is smaller than all in which it was written.
  private static let maximumOfSmaller: Int64 = 12

  /// The units in which people of a place say such an amount; none where there is nothing to choose.
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
  /// Whether two places after the point say all of it, as scales and jugs do.
  fileprivate var hasTwoDecimals: Bool { multiplied(by: Rational(100))?.denominator == 1 }
}
