public import ArgumentParser
public import Daybook

/// Which household, when the one who asks is in several.
struct HomeOptions: ParsableArguments {
  @Option(help: "The household: a prefix of its name, or its key (default: your only one).")
  var household: String?

  /// The household that is named, or the account's only one.
  func find(in state: State, for account: Account.ID) throws -> Household.ID {
    let own = state.households(of: account)
    if let household {
      return try Choice(noun: "household", whenEmpty: HouseholdRejection.noHousehold.description)
        .find(household, in: state.households, among: own.compactMap { state.households[$0] })
    }
    guard let first = own.first else { throw HouseholdRejection.noHousehold }
    guard own.count == 1 else {
      let names = own.compactMap { state.households[$0]?.label }.joined(separator: ", ")
      throw Failure("household_ambiguous", "Say which household with --household: \(names).")
    }
    return first
  }
}

/// Something of a household that a person names by its words.
struct Named: Entity {
  static var entityName: StaticString { "named" }
  let key: Key
  let calledName: String
  var ownedBy: Account.ID? { nil }
  var isDeleted: Bool { false }
}

/// A quantity as a person writes it before what it measures: "2 l milk".
struct WrittenFood {
  let amount: Rational?
  let unit: String?
  let name: String
  let note: String?

  init(_ text: String) {
    let line = Ingredient(parsing: text)
    if let food = line.food {
      (amount, unit, name, note) = (line.amount, line.unit, food, line.note)
    } else {
      (amount, unit, name, note) = (nil, nil, text, nil)
    }
  }
}

extension GroceryCategory: ExpressibleByArgument {}

extension GroceryCategory {
  /// What a list puts above it.
  var heading: String {
    switch self {
    case .verifyPantry: "look at home first"
    default: rawValue
    }
  }
}

/// A number as a person writes it.
enum RationalArgument {
  static func number(_ text: String?, _ option: String) throws -> Rational? {
    guard let text else { return nil }
    guard let number = Rational(text) else {
      throw ValidationError(
        "\(option): \"\(text)\" is not a number such as 2, 1/2, \"1 1/2\" or 0.5")
    }
    return number
  }
}
