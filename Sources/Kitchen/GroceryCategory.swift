public import Avro

/// A section of a shop; a list is ordered by these (MC-7).
public enum GroceryCategory: String, CaseIterable, Hashable, Sendable {
  /// The food should be at home; look before buying.
  case verifyPantry = "verify_pantry"
  /// Fruit and vegetables.
  case produce
  /// Milk, cheese, eggs.
  case dairy
  /// Meat and fish.
  case meat
  /// Food that keeps: flour, tins, spices.
  case pantry
  /// Frozen food.
  case frozen
  /// Anything else.
  case other
}

extension GroceryCategory: Comparable {
  /// By their order in a list.
  public static func < (left: GroceryCategory, right: GroceryCategory) -> Bool {
    left.symbolNumber < right.symbolNumber
  }
}

extension GroceryCategory: AvroEnumeration {
  public static var enumerationName: String { "GroceryCategory" }
  /// A category written by a newer program reads as `other`.
  public static var defaultSymbol: GroceryCategory? { .other }
}

extension GroceryCategory {
  /// The categories, worded as the end of a sentence.
  package static let words = "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
}
