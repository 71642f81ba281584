import Avro
import Daybook
import Testing

/// Lists that are generated from a week's meals.
@Suite(.tags(.unit)) struct GroceryListTests: GroceryStage {
  @Test func `a week's list is generated from its meals, once (MC-7)`() throws {
    let scenario = try planned("2 eggs", "200 ml milk").meal(1, on: "2026-03-08", servings: 2)
      .meal(1, on: "2026-03-09")
    let first = try made(scenario)
    #expect(lines(first) == ["6 eggs", "600 ml milk"])
    #expect(first.state.lists[list]?.weekStart == Self.monday)
    let again = GenerateGroceryList(of: home, week: day("2026-03-08"))
    #expect(try first.when(again, by: 2) == [])
    #expect(try first.answer(again, by: 2) == list)
    let next = try first.and(GenerateGroceryList(of: home, week: day("2026-03-09")))
    #expect(next.state.lists.elements.map(\.weekStart) == [Self.monday, day("2026-03-09")])
    #expect(lines(next) == ["2 eggs", "200 ml milk"])
  }

  @Test func `generating a list again makes it the current one (MC-7)`() throws {
    let later = { (minutes: Int64) in Scenario.noon.advanced(byMilliseconds: minutes * 60_000) }
    let first = try made(planned("2 eggs"))
    let week = { (date: String) in GenerateGroceryList(of: home, week: day(date)) }
    let next = try first.and(week("2026-03-09"), at: later(1))
    #expect(current(next) == [day("2026-03-09")])
    let back = try next.and(week("2026-03-02"), at: later(2))
    #expect(current(back) == [Self.monday])
    #expect(try back.when(week("2026-03-02"), at: later(3)) == [])
  }

  private func current(_ scenario: Scenario) -> [Day] {
    scenario.rows("grocery_lists").filter { $0["is_current"] == .bool(true) }
      .compactMap { $0["week_start"]?.text.flatMap { Day($0) } }
  }

  @Test func `a generated list records every line with its sources (MC-7)`() throws {
    let scenario = try planned("2 eggs")
    let events = try scenario.when(GenerateGroceryList(of: home))
    guard case .groceryListCreated(let created)? = events.first,
      case .groceryListGenerated(let generated)? = events.last, events.count == 2
    else {
      Issue.record("\(events)")
      return
    }
    #expect(created.weekStart == Self.monday)
    #expect(generated.list == list)
    #expect(
      generated.items.map(\.content) == [GroceryItemContent(name: "eggs", amount: Rational(2))])
    let source: GrocerySource = make {
      $0.meal = .number(1)
      $0.recipe = .number(1)
      $0.date = day("2026-03-04")
      $0.servings = .one
      $0.amount = Rational(2)
    }
    #expect(generated.items.map(\.sources) == [[source]])
    // The keys follow from household, week and line, and not from the account that generates the list.
    let other = try scenario.when(GenerateGroceryList(of: home), by: 2)
    guard case .groceryListGenerated(let same)? = other.last else { return }
    #expect(same == generated)
  }

  @Test func `a list is stale once its meals, recipes or pantry changed (MC-7)`() throws {
    let scenario = try made(planned("2 eggs"))
    let isStale = { (scenario: Scenario) throws in
      try scenario.state.isStale(#require(scenario.state.lists[list]))
    }
    #expect(try !isStale(scenario))
    #expect(try !isStale(scenario.meal(1, on: "2026-03-09")))
    #expect(try isStale(scenario.meal(1, on: "2026-03-03")))
    #expect(try isStale(scenario.and(RemoveMeal(.number(1)))))
    #expect(try isStale(scenario.and(AddPantryStaple(in: home, PantryStapleContent(name: "Salt")))))
    var cook = UpdateRecipe(.number(1)) { $0.tags = ["quick"] }
    #expect(try !isStale(scenario.and(cook)))
    cook.patch.set(\.ingredients, [Ingredient(parsing: "3 eggs")])
    #expect(try isStale(scenario.and(cook)))
    #expect(try !isStale(made(scenario.and(cook))))
  }

  @Test func `removing a meal removes exactly its share (MC-6, MC-7)`() throws {
    let before = try made(planned("1/3 cup milk", "1 onion"))
    let more = try made(before.dish(["1/7 cup milk"]).meal(2, on: "2026-03-05"))
    #expect(try more.state.lists[list]?.item(item("milk", in: more).key)?.sources.count == 2)
    let less = try made(more.and(RemoveMeal(.number(2))))
    #expect(lines(less) == lines(before))
    #expect(
      less.state.lists[list]?.items.map(\.content) == before.state.lists[list]?.items.map(\.content)
    )
  }

  @Test func `a list omits what the pantry holds (MC-7, MC-9)`() throws {
    let scenario = try planned("200 g flour", "1 l milk").and(
      AddPantryStaple(in: home, PantryStapleContent(name: "Flour", amount: .one, unit: "kg"))
    ).and(
      AddPantryStaple(
        in: home, key: Key(high: 11, low: 2),
        PantryStapleContent(name: "Milk", amount: Rational(250), unit: "ml")))
    #expect(lines(try made(scenario)) == ["0.75 l milk"])
  }
}
