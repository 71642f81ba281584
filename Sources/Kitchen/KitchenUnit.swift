/// The kind of a quantity; only amounts of the same dimension can be added.
///
/// No list adds a volume to a mass: that would need a density, which is never exact. ``DensityTable``
/// converts on request.
package enum Dimension: Hashable, Comparable, Sendable {
  /// Whole things, counted in ones.
  case count
  /// Mass, in grams.
  case mass
  /// Volume, in millilitres.
  case volume
  /// A unit without a fixed size, or an unknown one: "clove", "Prise", "box". It adds only to itself.
  case own(String)
}

/// A unit used in recipes: what it measures, and its exact size.
///
/// Sizes are the legal definitions: an inch is 2.54 cm, a gallon 231 cubic inches, a pound 453.59237 g, an
/// imperial gallon 4.54609 l. A unit whose name does not begin with "imperial" is the US one. The metric
/// kitchen spoons EL and TL hold 15 ml and 5 ml.
package struct KitchenUnit: Hashable, Sendable {
  /// The system that a unit belongs to; amounts written in one system are shown in it.
  package enum System: Hashable, Sendable {
    /// Grams and litres.
    case metric
    /// Metric kitchen spoons.
    case spoons
    /// Ounces, cups and spoons of the United States.
    case unitedStates
    /// Fluid ounces and pints of Britain.
    case imperial
    /// Whole things, and units without a fixed size.
    case none
  }

  /// The canonical name: "g", "cup", "clove"; empty for whole things.
  package let name: String
  /// The dimension that the unit measures.
  package let dimension: Dimension
  /// The size of the unit, in the base of its dimension.
  package let size: Rational
  /// The system that the unit belongs to.
  package let system: System

  /// Whole things, without a unit.
  package static let things = KitchenUnit(
    name: "", dimension: .count, size: .one, system: .none)

  init(name: String, dimension: Dimension, size: Rational, system: System) {
    self.name = name
    self.dimension = dimension
    self.size = size
    self.system = system
  }

  /// Finds the unit that people mean by a text, in English or German; an unknown one is a dimension of its
  /// own.
  package init(_ written: String?) {
    guard let written, !written.isEmpty else {
      self = .things
      return
    }
    let folded = written.foldedName
    self =
      KitchenUnit.known(written)
      ?? KitchenUnit(name: folded, dimension: .own(folded), size: .one, system: .none)
  }

  /// The known unit that a text names, if any: `tbsp`, `Tbsp.`, `EL`, `cups`, `Prise(n)`, `imperial_gallon`.
  package static func known(_ written: some StringProtocol) -> KitchenUnit? {
    let name = String(written.last == "." ? written.dropLast() : written[...])
    return exactNames[name] ?? names[name.withoutPluralBrackets.foldedName]
  }

  /// Converts an amount of this unit to another; `nil` when the dimensions differ, or the result does not fit
  /// in 64 bits.
  package func convert(_ amount: Rational, to other: KitchenUnit) -> Rational? {
    guard dimension == other.dimension else { return nil }
    return size.divided(by: other.size).flatMap { $0.multiplied(by: amount) }
  }
}

extension String {
  /// The name in the form used for comparison: lower case, no outer spaces, every inner run of spaces one
  /// space.
  package var foldedName: String {
    lowercased().replacing("_", with: " ").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// `Prise` for `Prise(n)` and `Prise/n`, with which some pages cover singular and plural.
  fileprivate var withoutPluralBrackets: String {
    if let slash = lastIndex(of: "/"), slash != startIndex,
      ["n", "en", "e", "s", "es"].contains(self[slash...].dropFirst())
    {
      return String(self[..<slash])
    }
    guard last == ")", let bracket = lastIndex(of: "("), bracket != startIndex,
      self[index(before: bracket)].isLetter,
      self[bracket...].dropFirst().dropLast().allSatisfy(\.isLetter)
    else { return self }
    return String(self[..<bracket])
  }
}
