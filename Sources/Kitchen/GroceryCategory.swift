public import Avro

/// Where in a shop something is found; a list shows them in this order (MC-7).
public enum GroceryCategory: String, CaseIterable, Hashable, Sendable {
  /// It should be at home: look first.
  case verifyPantry = "verify_pantry"
  /// Fruit and vegetables.
  case produce
  /// Milk, cheese, eggs.
  case dairy
  /// Meat and fish.
  case meat
  /// What keeps: flour, tins, spices.
  case pantry
  /// What is sold frozen.
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
  /// A newer program's category is shown among the rest.
  public static var defaultSymbol: GroceryCategory? { .other }
}

extension GroceryCategory {
  /// The categories, as the end of a sentence.
  package static let words = "one of \(allCases.map(\.rawValue).joined(separator: ", "))"
}
