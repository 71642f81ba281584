import Kitchen
import Calendar

/// The aisles in which a household finds the lines of its lists: chosen by its members, or else from a table of foods.
///
/// Nothing of it is recorded: it is derived from the lists of the household.
package struct Aisles: Sendable {
  /// The category that members chose last, by name.
  private var learned: [String: GroceryCategory] = [:]

  init(of lists: some Sequence<GroceryList>) {
    var choices: [String: (category: GroceryCategory, at: Instant)] = [:]
    for item in lists.lazy.flatMap(\.items) {
      guard let category = item.chosenCategory else { continue }
      for name in Set([item.content.name, item.planned?.name ?? ""].map(\.foldedName))
      where !name.isEmpty && choices[name].map({ $0.at <= item.updated }) ?? true {
        choices[name] = (category, item.updated)
      }
    }
    learned = choices.mapValues(\.category)
  }

  /// The aisle of a line. A food that should be at home is looked for there.
  package func aisle(of item: GroceryItem) -> GroceryCategory {
    let said = item.content.category
    if let chosen = item.chosenCategory { return chosen }
    if said == .verifyPantry { return said }
    if let learned = learned[item.content.name.foldedName] { return learned }
    return said == .other ? AisleTable.category(of: item.content.name) ?? .other : said
  }
}

extension GroceryItem {
  /// The category that a member chose, if one did.
  fileprivate var chosenCategory: GroceryCategory? {
    let category = content.category
    guard category != .verifyPantry else { return nil }
    return category == planned?.category ?? .other ? nil : category
  }
}

extension BookState {
  /// The aisles of a household's lists.
  package func aisles(of household: Household.ID) -> Aisles {
    Aisles(of: householdEntities(.list, in: lists, of: household).map(\.thing))
  }
}
