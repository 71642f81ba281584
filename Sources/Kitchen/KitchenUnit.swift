/// What amounts may be added to one another.
///
/// No list adds a volume to a mass: that takes a density, which is never exact. Who asks for it gets it said, by
/// ``DensityTable``.
package enum Dimension: Hashable, Comparable, Sendable {
  /// Whole things; counted in ones.
  case count
  /// Counted in grams.
  case mass
  /// Counted in millilitres.
  case volume
  /// Of a unit that has no fixed size, or is not known: "clove", "Prise", "box". It adds only with itself.
  case own(String)
}

/// A unit as recipes use it: what it measures, and how much exactly.
///
/// Factors are the legal ones: an inch is 2.54 cm and a gallon 231 cubic inches, a pound 453.59237 g, an imperial
/// gallon 4.54609 l. A unit without "imperial" before its name is the one of the United States. The spoons of
/// metric kitchens hold 15 ml and 5 ml: EL and TL.
package struct KitchenUnit: Hashable, Sendable {
  /// Where a unit is at home; what is written in units of one place is shown in them.
  package enum System: Hashable, Sendable {
    /// Grams and litres.
    case metric
    /// The spoons of metric kitchens.
    case spoons
    /// Ounces, cups and spoons of the United States.
    case unitedStates
    /// Fluid ounces and pints of Britain.
    case imperial
    /// Things, and units of no fixed size.
    case none
  }

  /// Its one name here: "g", "cup", "clove"; empty for whole things.
  package let name: String
  /// What it measures.
  package let dimension: Dimension
  /// How much one of it is, in what its dimension is counted in.
  package let size: Rational
  /// Where it is at home.
  package let system: System

  /// Whole things: no unit.
  package static let things = KitchenUnit(
    name: "", dimension: .count, size: .one, system: .none)

  init(name: String, dimension: Dimension, size: Rational, system: System) {
    self.name = name
    self.dimension = dimension
    self.size = size
    self.system = system
  }

  /// The unit that people mean by this, in English or German; one that is not known is a dimension of its own.
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

  /// The unit that is written so, if it is a known one: `tbsp`, `Tbsp.`, `EL`, `cups`, `Prise(n)`, `imperial_gallon`.
  package static func known(_ written: some StringProtocol) -> KitchenUnit? {
    let name = String(written.last == "." ? written.dropLast() : written[...])
    return exactNames[name] ?? names[name.withoutPluralBrackets.foldedName]
  }

  /// An amount of this unit in another; `nil` when they measure different things, or the result leaves 64 bits.
  package func convert(_ amount: Rational, to other: KitchenUnit) -> Rational? {
    guard dimension == other.dimension else { return nil }
    return size.divided(by: other.size).flatMap { $0.multiplied(by: amount) }
  }
}

extension String {
  /// A name as names are compared: in lower case, without outer spaces, every inner run of spaces one space.
  package var foldedName: String {
    lowercased().replacing("_", with: " ").split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// `Prise` for `Prise(n)` and `Prise/n`, as some pages write either number.
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
