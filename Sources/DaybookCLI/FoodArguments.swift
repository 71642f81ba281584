public import ArgumentParser
public import Daybook

/// Something that is denoted by its name, but has no table of its own.
struct Named: Entity {
  static var entityName: StaticString { "named" }
  let key: Key
  let displayName: String
  var ownedBy: Account.ID? { nil }
  var isDeleted: Bool { false }
}

/// A quantity followed by a food: "2 l milk".
struct FoodAmount {
  let amount: Rational?
  /// The upper end of a range, or the only amount.
  let upper: Rational?
  let unit: String?
  let name: String
  let note: String?

  init(_ text: String) {
    let line = Ingredient(parsing: text)
    if let food = line.food {
      (amount, unit, name, note) = (line.amount, line.unit, food, line.note)
      upper = line.upperAmount ?? line.amount
    } else {
      (amount, upper, unit, name, note) = (nil, nil, nil, text, nil)
    }
  }
}

extension GroceryCategory: ExpressibleByArgument {}

extension GroceryCategory {
  /// The heading in a list.
  var heading: String {
    switch self {
    case .verifyPantry: "look at home first"
    default: rawValue
    }
  }
}

/// Parses a quantity: "250 g", "2", "1 1/2 cups".
enum QuantityArgument {
  static func quantity(_ text: String?, _ option: String) throws -> Quantity? {
    guard let text else { return nil }
    guard let quantity = Quantity(text) else {
      throw ValidationError("\(option): \"\(text)\" is not a quantity such as 2, 1/2 or \"250 g\"")
    }
    return quantity
  }
}
