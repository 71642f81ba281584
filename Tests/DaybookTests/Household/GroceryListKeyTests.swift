import Avro
import Daybook
import Testing

/// Lists that clients name, order and delete.
@Suite(.tags(.unit)) struct GroceryListKeyTests {
  private let home = Home.household
  private let list = BookState().lists.nextNumber

  private func later(_ minutes: Int64) -> Instant {
    Scenario.noon.advanced(byMilliseconds: minutes * 60_000)
  }

  /// Ada and Bob, a dish of eggs on Wednesday, and its list.
  private func made() throws -> Scenario {
    let omelette = RecipeContent(title: "Omelette", ingredients: [Ingredient(parsing: "2 eggs")])
    return try Home.with(2).and(CreateRecipe(in: home, omelette)).and(meal(1, on: "2026-03-04"))
      .and(GenerateGroceryList(of: home))
  }

  private func meal(_ number: UInt64, on text: String) -> PlanMeal {
    PlanMeal(
      in: home, key: Key(high: 9, low: number), MealContent(recipe: .first, date: day(text)))
  }

  /// The lines of the household's current list.
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

  @Test func `a list with a client's key is found by it, and belongs to its week (MC-7)`() throws {
    let (first, second) = (Key(high: 13, low: 1), Key(high: 13, low: 2))
    let begin = BeginGroceryList(of: home, from: day("2026-03-02"), key: first)
    let begun = try made().and(begin, at: later(1))
    #expect(begun.state.lists.number(of: first) == GroceryList.ID(2))
    #expect(try begun.when(begin, by: 2) == [])
    #expect(lines(begun) == [])
    // A plan can fill the new list, too, and the one before keeps its lines.
    let planned = try begun.and(GenerateGroceryList(of: home), at: later(2))
    #expect(lines(planned) == ["eggs"])
    #expect(planned.state.lists.elements.map(\.planned.count) == [1, 1])
    let other = BeginGroceryList(of: home, from: day("2026-03-09"), key: first)
    #expect(throws: Rejection.keyTaken(first)) { try planned.when(other) }
    #expect(throws: Rejection.householdNotFound) {
      try planned.when(BeginGroceryList(of: home, key: second), by: 3)
    }
    let tea = AddGroceryItem(in: home, list: list, GroceryItemContent(name: "tea"))
    #expect(try planned.and(tea).state.lists[list]?.written.map(\.content.name) == ["tea"])
  }

  @Test(arguments: [
    ("2026-02-27", "2026-03-02"), ("2026-03-01", "2026-03-02"), ("2026-03-02", "2026-03-02"),
    ("2026-03-05", "2026-03-02"), ("2026-03-06", "2026-03-09"), ("2026-03-08", "2026-03-09"),
  ])
  func `an app's week starts on its day, and counts as the week of most of its days (MC-7)`(
    first: String, monday: String
  ) throws {
    let key = Key(high: 13, low: 1)
    let begin = BeginGroceryList(of: home, from: day(first), key: key)
    let scenario = try Home.with(2).and(begin)
    let begun = try #require(scenario.state.lists[list])
    #expect(begun.weekStart == day(monday))
    #expect(begun.firstDay == (first == monday ? nil : day(first)))
    #expect(scenario.rows("grocery_lists").first?["week_start"]?.text == first)
    #expect(try scenario.when(begin).isEmpty)
    let other = BeginGroceryList(of: home, from: day(first).advanced(by: 1), key: key)
    #expect(throws: Rejection.keyTaken(key)) { try scenario.when(other) }
    let week = scenario.state.groceryList(of: home, week: day(monday), for: First.account)
    #expect(week?.list.key == key)
  }

  @Test func `a household uses the list that it chose, until another is made (MC-7)`() throws {
    let (second, third) = (Key(high: 13, low: 2), Key(high: 13, low: 3))
    let scenario = try made().and(BeginGroceryList(of: home, key: second), at: later(1))
      .and(BeginGroceryList(of: home, key: third), at: later(2))
    let numbers = try (1...3).map { try #require(GroceryList.ID($0)) }
    let current = { (scenario: Scenario) in
      scenario.state.groceryList(of: home, for: First.account)?.number
    }
    #expect(current(scenario) == numbers[2])
    let aside = try scenario.and(ChooseGroceryList(numbers[2], isCurrent: false), by: 2)
    #expect(current(aside) == numbers[1])
    let week = try #require(scenario.state.lists[numbers[2]]).weekStart
    let found = [scenario, aside].map {
      $0.state.groceryList(of: home, week: week, for: First.account)?.number
    }
    #expect(found == [numbers[2], numbers[1]], "the week's list is the one that is not set aside")
    #expect(try aside.when(ChooseGroceryList(numbers[2], isCurrent: false)).isEmpty)
    // Lists made after the chosen one are set aside with it.
    let first = try scenario.and(ChooseGroceryList(numbers[0]))
    #expect(current(first) == numbers[0])
    #expect(first.state.lists.elements.map(\.isSetAside) == [false, true, true])
    // In this order they are recognised as one command.
    let events: [Event] = numbers[1...].map { number in
      .groceryListSetAside(
        make {
          $0.list = number
          $0.isSetAside = true
        })
    }
    #expect(try scenario.when(ChooseGroceryList(numbers[0])) == events)
    #expect(try first.when(ChooseGroceryList(numbers[0])).isEmpty)
    let last = try first.and(ChooseGroceryList(numbers[2]))
    #expect(current(last) == numbers[2])
    #expect(last.state.lists.elements.map(\.isSetAside) == [false, true, false])
    // The book generates a list on request; a member's line goes to the chosen list.
    let tea = AddGroceryItem(in: home, GroceryItemContent(name: "tea"))
    #expect(try first.and(tea).state.lists[numbers[0]]?.written.count == 1)
    let none = try first.and(ChooseGroceryList(numbers[0], isCurrent: false))
    #expect(current(none) == nil)
    // A line written then is not lost: this week's list becomes current again.
    let written = try none.and(tea)
    let taken = try #require(current(written))
    #expect(written.state.lists[taken]?.written.count == 1)
    #expect(
      try none.when(tea).first.map { if case .groceryItemAdded = $0 { true } else { false } }
        == true)
    let again = try none.and(GenerateGroceryList(of: home), at: later(3))
    let generated = try #require(current(again))
    #expect(again.state.lists[generated]?.isSetAside == false)
    #expect(throws: Rejection.groceryListNotFound) {
      try scenario.when(ChooseGroceryList(numbers[0]), by: 3)
    }
  }

  @Test func `a deleted list loses its lines, and is restored with them (MC-7)`()
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

  @Test func `lines keep the clients' order within their category (MC-8)`() throws {
    let all = try Home.with(2).and(add("c", 1, order: 3), by: 2).and(add("last", 2, order: nil))
      .and(add("a", 3, order: -1)).and(add("b", 4, order: 2)).and(add("also last", 5, order: nil))
    #expect(lines(all) == ["a", "b", "c", "last", "also last"])
    let orders = all.rows("grocery_items").compactMap { $0["sort_order"]?.integer }
    #expect(orders == [3, 3, -1, 2, 4])
    let b = try item("b", in: all)
    let moved = try all.and(UpdateGroceryItem(b) { $0.order = nil })
    #expect(lines(moved) == ["a", "c", "last", "b", "also last"])
    // A line's place is found without going through the list.
    #expect(UpdateGroceryItem(b).row(of: b, in: moved.state)["sort_order"] == 3)
  }

  @Test func `a planned line keeps its order from a client (MC-7)`() throws {
    let made = try made()
    let put = UpdateGroceryItem(try item("eggs", in: made)) { $0.order = 7 }
    let again = try made.and(put).and(meal(2, on: "2026-03-05")).and(GenerateGroceryList(of: home))
    #expect(again.state.lists[list]?.items.map(\.content.order) == [7])
  }
}
