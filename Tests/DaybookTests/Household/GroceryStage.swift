import Daybook
import Testing

/// The start of the grocery tests: a household, a recipe that is cooked once, and the list of its week.
protocol GroceryStage {}

extension GroceryStage {
  var home: Household.ID { Home.household }
  var list: GroceryList.ID { BookState().lists.nextNumber }
  static var monday: Day { day("2026-03-02") }

  /// Ada and Bob, and a dish that is cooked on Wednesday.
  func planned(_ lines: String...) throws -> Scenario {
    try Home.with(2).dish(lines).meal(1, on: "2026-03-04")
  }

  func made(_ scenario: Scenario, at: Instant = Scenario.noon) throws -> Scenario {
    try scenario.and(GenerateGroceryList(of: home), at: at)
  }

  /// The lines as text; those in the basket are marked.
  func lines(_ scenario: Scenario) -> [String] {
    (scenario.state.groceryList(of: home, for: First.account)?.list.ordered ?? []).map { _, item in
      (item.isChecked ? "x " : "") + item.content.called.replacing("× ", with: "")
    }
  }

  func item(_ name: String, in scenario: Scenario) throws -> GroceryItemID {
    let items = scenario.state.lists[list]?.items ?? []
    return GroceryItemID(list, try #require(items.first { $0.content.name == name }).key)
  }
}

extension Scenario {
  /// A recipe with these lines for one.
  func dish(_ lines: [String]) throws -> Scenario {
    let number = UInt64(state.recipes.elements.count + 1)
    return try and(
      CreateRecipe(
        in: Home.household, key: Key(high: 8, low: number),
        RecipeContent(
          title: "Dish \(number)", baseServings: .one,
          ingredients: lines.map { Ingredient(parsing: $0) })))
  }
}
