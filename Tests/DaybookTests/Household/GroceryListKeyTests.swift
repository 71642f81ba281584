import Avro
import Daybook
import Testing

/// Lists that clients name, order and throw away.
@Suite(.tags(.unit)) struct GroceryListKeyTests {
  private let home = Home.household
  private let list = BookState().lists.nextNumber

  private func later(_ minutes: Int64) -> Instant {
    Scenario.noon.advanced(byMilliseconds: minutes * 60_000)
  }

  /// Ada and Bob, a dish of eggs on the Wednesday, and the list of it.
  private func made() throws -> Scenario {
    let omelette = RecipeContent(title: "Omelette", ingredients: [Ingredient(parsing: "2 eggs")])
    return try Home.with(2).and(CreateRecipe(in: home, omelette)).and(meal(1, on: "2026-03-04"))
      .and(GenerateGroceryList(of: home))
  }

  private func meal(_ number: UInt64, on text: String) -> PlanMeal {
    PlanMeal(
      in: home, key: Key(high: 9, low: number), MealContent(recipe: .first, date: day(text)))
  }

  /// The lines of the list that the household shops by.
  private func lines(_ scenario: Scenario) -> [String] {
    scenario.state.groceryList(of: home, for: First.account)?.list.ordered.map(\.item.content.name)
      ?? []
  }

  private func item(_ name: String, in scenario: Scenario) throws -> GroceryItemID {
    let items = scenario.state.lists[list]?.items ?? []
    return GroceryItemID(list, try #require(items.first { $0.content.name == name }).key)
  }

  private func add(_ name: String, _ number: UInt64, order: Int64?) -> AddGroceryItem {
    AddGroceryItem(
      in: home, key: Key(high: 12, low: number), GroceryItemContent(name: name, order: order))
  }

  @Test func `a list of a client's own key is found by it, and is its week's (MC-7)`() throws {
    let (first, second) = (Key(high: 13, low: 1), Key(high: 13, low: 2))
    let begin = BeginGroceryList(of: home, week: day("2026-03-04"), key: first)
    let begun = try made().and(begin, at: later(1))
    #expect(begun.state.lists.number(of: first) == GroceryList.ID(2))
    #expect(try begun.when(begin, by: 2) == [])
    #expect(lines(begun) == [])
    // It is planned for, too, and the one before keeps its lines.
    let planned = try begun.and(GenerateGroceryList(of: home), at: later(2))
    #expect(lines(planned) == ["eggs"])
    #expect(planned.state.lists.elements.map(\.planned.count) == [1, 1])
    let other = BeginGroceryList(of: home, week: day("2026-03-09"), key: first)
    #expect(throws: Rejection.keyTaken(first)) { try planned.when(other) }
    #expect(throws: Rejection.householdNotFound) {
      try planned.when(BeginGroceryList(of: home, key: second), by: 3)
    }
    let tea = AddGroceryItem(in: home, list: list, GroceryItemContent(name: "tea"))
    #expect(try planned.and(tea).state.lists[list]?.written.map(\.content.name) == ["tea"])
  }

  @Test func `a list that is thrown away goes with its lines, and comes back with them (MC-7)`()
    throws
  {
    let made = try made()
    let eggs = try item("eggs", in: made)
    let gone = try made.and(DeleteGroceryList(list))
    #expect(gone.rows("grocery_lists").isEmpty && gone.rows("grocery_items").isEmpty)
    #expect(gone.state.groceryItem(eggs) == nil)
    #expect(throws: Rejection.groceryListNotFound) { try gone.when(DeleteGroceryList(list)) }
    #expect(throws: Rejection.groceryListNotFound) {
      try made.when(DeleteGroceryList(list), by: 3)
    }
    #expect(throws: Rejection.groceryItemNotFound) { try gone.when(CheckGroceryItem(eggs)) }
    // The next list of the week is another one.
    let next = try gone.and(GenerateGroceryList(of: home), at: later(1))
    #expect(lines(next) == ["eggs"] && next.state.lists.elements.count == 2)
    let restored: Event = .groceryListRestored(make { $0.list = list })
    let back = next.and(restored, at: later(2))
    #expect(back.rows("grocery_lists").count == 2 && back.state.groceryItem(eggs) != nil)
    #expect(gone.and(restored).rows("grocery_items") == made.rows("grocery_items"))
  }

  @Test func `lines stand as clients said, in their category (MC-8)`() throws {
    let all = try Home.with(2).and(add("c", 1, order: 3), by: 2).and(add("last", 2, order: nil))
      .and(add("a", 3, order: -1)).and(add("b", 4, order: 2)).and(add("also last", 5, order: nil))
    #expect(lines(all) == ["a", "b", "c", "last", "also last"])
    let orders = all.rows("grocery_items").compactMap { $0["sort_order"]?.integer }
    #expect(orders == [3, 3, -1, 2, 4])
    let b = try item("b", in: all)
    let moved = try all.and(UpdateGroceryItem(b) { $0.order = nil })
    #expect(lines(moved) == ["a", "c", "last", "b", "also last"])
    // Where one line stands is found without going through the list.
    #expect(UpdateGroceryItem(b).row(of: b, in: moved.state)["sort_order"] == 3)
  }

  @Test func `a planned line keeps where a client put it (MC-7)`() throws {
    let made = try made()
    let put = UpdateGroceryItem(try item("eggs", in: made)) { $0.order = 7 }
    let again = try made.and(put).and(meal(2, on: "2026-03-05")).and(GenerateGroceryList(of: home))
    #expect(again.state.lists[list]?.items.map(\.content.order) == [7])
  }
}
