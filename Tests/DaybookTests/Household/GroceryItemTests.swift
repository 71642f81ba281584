import Daybook
import Testing

/// Lines that members write and change.
@Suite(.tags(.unit)) struct GroceryItemTests: GroceryStage {
  @Test func `members' own lines stay, and never merge with planned ones (G14, MC-7, MC-8)`() throws
  {
    let scenario = try made(planned("2 eggs"))
    let eggs = GroceryItemContent(name: "eggs", amount: Rational(2))
    let checked = try scenario.and(CheckGroceryItem(item("eggs", in: scenario)))
    let own = try checked.and(AddGroceryItem(in: home, key: Key(high: 12, low: 1), eggs), by: 2)
    #expect(lines(own) == ["x 2 eggs", "2 eggs"])
    let third = try own.and(AddGroceryItem(in: home, key: Key(high: 12, low: 2), eggs))
    let all = try third.and(CheckGroceryItem(GroceryItemID(list, Key(high: 12, low: 1))))
    #expect(lines(all) == ["x 2 eggs", "x 2 eggs", "2 eggs"])
    #expect(lines(try made(all.and(RemoveMeal(.number(1))))) == ["x 2 eggs", "2 eggs"])
    #expect(try own.when(AddGroceryItem(in: home, key: Key(high: 12, low: 1), eggs)) == [])
  }

  @Test func `a member's first line starts a list (MC-8)`() throws {
    let scenario = try Home.with(2).and(
      AddGroceryItem(in: home, GroceryItemContent(name: " Tea ", category: .pantry)), by: 2)
    #expect(lines(scenario) == ["Tea"])
    #expect(scenario.state.lists[list]?.weekStart == Self.monday)
    #expect(scenario.state.lists[list].map { scenario.state.isStale($0) } == false)
    // The current list is the one made last, and new lines go there.
    let later = try scenario.and(GenerateGroceryList(of: home, week: day("2026-03-16")))
      .and(AddGroceryItem(in: home, key: Key(high: 12, low: 1), GroceryItemContent(name: "Jam")))
    #expect(lines(later) == ["Jam"])
    #expect(
      later.state.groceryList(of: home, week: Self.monday, for: First.account)?.number == list)
    #expect(later.state.groceryList(of: home, for: Bees.person(3)) == nil)
  }

  @Test func `a member's change of a line survives a new plan (G10, MC-8)`() throws {
    let scenario = try made(
      planned("1 tsp salt", "200 g flour").and(
        AddPantryStaple(in: home, PantryStapleContent(name: "salt"))))
    let salt = try item("salt", in: scenario)
    #expect(scenario.state.lists[list]?.item(salt.key)?.content.category == .verifyPantry)
    let buy = UpdateGroceryItem(salt) { $0.category = .pantry }
    let flour = UpdateGroceryItem(try item("flour", in: scenario)) { content in
      content.name = "rye flour"
      (content.amount, content.unit) = (.one, "kg")
      content.note = "the dark one"
    }
    let changed = try scenario.and(buy).and(flour, by: 2)
    let again = try made(changed.dish(["3 leeks"]).meal(2, on: "2026-03-05"))
    #expect(again.state.lists[list]?.item(salt.key)?.content.category == .pantry)
    #expect(lines(again) == ["1 tsp salt", "1 kg rye flour", "3 leeks"])
    let more = try made(again.meal(1, on: "2026-03-05"))
    #expect(lines(more) == ["2 tsp salt", "400 g rye flour", "3 leeks"])
    #expect(try item("rye flour", in: more) == flour.item)
    let note = more.state.lists[list]?.item(flour.item.key)?.content.note
    #expect(note == "the dark one")
  }

  @Test func `a line keeps the time of its first appearance (MC-8)`() throws {
    let later = Scenario.noon.advanced(byMilliseconds: 60_000)
    let scenario = try made(made(planned("2 eggs")).meal(1, on: "2026-03-05"), at: later)
    let eggs = scenario.state.lists[list]?.items.first
    #expect(eggs?.created == Scenario.noon && eggs?.updated == later)
  }

  @Test func `a member's key is never used for a planned line, nor twice (MC-8)`() throws {
    let key = try item("eggs", in: made(planned("2 eggs"))).key
    let own = AddGroceryItem(in: home, key: key, GroceryItemContent(name: "tea"))
    let scenario = try made(planned("2 eggs").and(own))
    #expect(lines(scenario) == ["2 eggs", "tea"])
    #expect(Set(scenario.state.lists[list]?.items.map(\.key) ?? []).count == 2)
    let removed = try scenario.and(RemoveGroceryItem(GroceryItemID(list, key)))
    #expect(throws: Rejection.keyTaken(key)) { try removed.when(own) }
  }

  @Test func `a line's key belongs to one household (MC-11)`() throws {
    let key = Key(high: 12, low: 1)
    let other = try #require(Household.ID(2))
    let scenario = try Home.with(2).and(
      CreateHousehold(key: Key(high: 5, low: 2), name: "Other"), by: 3
    )
    .and(AddGroceryItem(in: Home.household, key: key, GroceryItemContent(name: "Milk")))
    #expect(throws: Rejection.keyTaken(key)) {
      try scenario.when(
        AddGroceryItem(in: other, key: key, GroceryItemContent(name: "Beer")), by: 3)
    }
    let again = AddGroceryItem(in: Home.household, key: key, GroceryItemContent(name: "Milk"))
    #expect(try scenario.when(again, by: 2) == [])
    let fresh = AddGroceryItem(
      in: other, key: Key(high: 12, low: 2), GroceryItemContent(name: "Beer"))
    #expect(try scenario.when(fresh, by: 3).count == 2)
  }

  @Test func `a line needs a name, and no negative amount (MC-8)`() throws {
    let scenario = try made(planned("2 eggs"))
    let rows: [(GroceryItemContent, String)] = [
      (GroceryItemContent(name: " "), "empty_name"),
      (GroceryItemContent(name: "a\u{7}"), "invalid_name"),
      (GroceryItemContent(name: "a", amount: Rational(-1)), "invalid_quantity"),
    ]
    for (content, code) in rows {
      let rejection = #expect(throws: Rejection.self) {
        try scenario.when(AddGroceryItem(in: home, content))
      }
      #expect(rejection?.code == code)
    }
    var clear = UpdateGroceryItem(try item("eggs", in: scenario)) { $0.amount = nil }
    #expect(lines(try scenario.and(clear)) == ["eggs"])
    let flour = try made(planned("200 g flour"))
    clear.item = try item("flour", in: flour)
    #expect(lines(try flour.and(clear)) == ["flour"])
    #expect(try flour.when(UpdateGroceryItem(clear.item)) == [])
  }
}
