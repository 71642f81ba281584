import Avro
import Daybook
import Testing

@Suite(.tags(.unit)) struct GroceryListTests {
  private let home = Home.household
  private let list = BookState().lists.nextNumber
  private static let monday = day("2026-03-02")

  /// Ada and Bob, and a dish that is cooked on the Wednesday.
  private func planned(_ lines: String...) throws -> Scenario {
    try Home.with(2).dish(lines).meal(1, on: "2026-03-04")
  }

  private func made(_ scenario: Scenario, at: Instant = Scenario.noon) throws -> Scenario {
    try scenario.and(GenerateGroceryList(of: home), at: at)
  }

  /// The lines as a person reads them; what is in the basket is marked.
  private func lines(_ scenario: Scenario) -> [String] {
    (scenario.state.groceryList(of: home, for: First.account)?.list.ordered ?? []).map { _, item in
      (item.isChecked ? "x " : "") + item.content.called.replacing("× ", with: "")
    }
  }

  private func item(_ name: String, in scenario: Scenario) throws -> GroceryItemID {
    let items = scenario.state.lists[list]?.items ?? []
    return GroceryItemID(list, try #require(items.first { $0.content.name == name }).key)
  }

  // MARK: Making

  @Test func `a list of the week is made of its meals, once (MC-7)`() throws {
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

  @Test func `a list that is asked for again is the one to shop by (MC-7)`() throws {
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

  @Test func `what is recorded says every line, and where it comes from (MC-7)`() throws {
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
    // The names follow from household, week and line: who makes the list has no say in them.
    let other = try scenario.when(GenerateGroceryList(of: home), by: 2)
    guard case .groceryListGenerated(let same)? = other.last else { return }
    #expect(same == generated)
  }

  @Test func `a list is stale when meals, recipes or pantry changed since (MC-7)`() throws {
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

  @Test func `a meal that is removed takes its share with it, exactly (MC-6, MC-7)`() throws {
    let before = try made(planned("1/3 cup milk", "1 onion"))
    let more = try made(before.dish(["1/7 cup milk"]).meal(2, on: "2026-03-05"))
    #expect(try more.state.lists[list]?.item(item("milk", in: more).key)?.sources.count == 2)
    let less = try made(more.and(RemoveMeal(.number(2))))
    #expect(lines(less) == lines(before))
    #expect(
      less.state.lists[list]?.items.map(\.content) == before.state.lists[list]?.items.map(\.content)
    )
  }

  // MARK: What members do

  @Test func `a check stays until more is to be bought (MC-7, MC-8)`() throws {
    let scenario = try made(planned("2 eggs", "1 onion"))
    let checked = try scenario.and(CheckGroceryItem(item("eggs", in: scenario)), by: 2)
    #expect(lines(checked) == ["x 2 eggs", "1 onion"])
    #expect(try checked.when(CheckGroceryItem(item("eggs", in: scenario))) == [])
    #expect(
      lines(try made(checked.dish(["3 leeks"]).meal(2, on: "2026-03-05"))) == [
        "x 2 eggs", "3 leeks", "1 onion",
      ])
    let more = try made(checked.meal(1, on: "2026-03-05"))
    #expect(lines(more) == ["4 eggs", "2 onion"])
    let again = try more.and(CheckGroceryItem(item("eggs", in: more)))
    #expect(lines(try made(again.and(RemoveMeal(.number(2))))) == ["x 2 eggs", "1 onion"])
    let open = try again.and(UncheckGroceryItem(item("eggs", in: again)))
    #expect(lines(open) == ["4 eggs", "2 onion"])
  }

  @Test func `what is taken off the list stays off it until more is to be bought`() throws {
    let scenario = try made(planned("2 eggs", "1 onion"))
    let off = try scenario.and(RemoveGroceryItem(item("eggs", in: scenario)))
    #expect(lines(off) == ["1 onion"])
    #expect(throws: Rejection.groceryItemNotFound) {
      try off.when(CheckGroceryItem(item("eggs", in: scenario)))
    }
    #expect(
      lines(try made(off.dish(["3 leeks"]).meal(2, on: "2026-03-05"))) == ["3 leeks", "1 onion"])
    #expect(lines(try made(off.meal(1, on: "2026-03-05"))) == ["4 eggs", "2 onion"])
  }

  /// What meals take of flour, each by a recipe of its own, before and after a member bought it or took it off the
  /// list. Then its line, and whether it is to be bought again.
  private static let needs: [(before: [String], after: [String], line: String, isAgain: Bool)] = [
    (["200 g flour"], ["200 g flour", "flour"], "200 g and some flour", true),
    (["200 g flour", "flour"], ["200 g flour", "flour", "flour"], "200 g and some flour", true),
    (["flour"], ["flour", "flour"], "flour", true),
    (["flour"], ["200 g flour"], "200 g flour", true),
    (["flour", "flour"], ["200 g flour", "flour"], "200 g and some flour", true),
    (["200 g flour"], ["flour"], "flour", true),
    (["200 g flour", "flour"], ["100 g flour", "flour", "flour"], "100 g and some flour", true),
    (["200 g flour", "flour"], ["300 g flour", "flour"], "300 g and some flour", true),
    (["flour"], ["flour"], "flour", false),
    (["200 g flour", "flour"], ["200 g flour", "flour"], "200 g and some flour", false),
    (["200 g flour", "flour"], ["200 g flour"], "200 g flour", false),
    (["200 g flour", "flour"], ["flour"], "flour", false),
    (["flour", "flour"], ["flour"], "flour", false),
  ]

  @Test(arguments: needs.indices, [true, false])
  func `some more, though nobody says how much, is needed again (MC-7)`(
    row: Int, isChecked: Bool
  ) throws {
    let (before, after, line, isAgain) = Self.needs[row]
    // Each new list has one more onion, so that the plan changes whatever becomes of the flour.
    var scenario = try Home.with(2).dish(["1 onion"])
    for text in before { scenario = try scenario.dish([text]) }
    for number in before.indices { scenario = try scenario.meal(number + 2, on: "2026-03-04") }
    scenario = try made(scenario)
    let flour = try item("flour", in: scenario)
    if isChecked {
      scenario = try scenario.and(CheckGroceryItem(flour))
    } else {
      scenario = try scenario.and(RemoveGroceryItem(flour))
    }
    // The new meals are of other recipes, on another day: their number counts, and not which they are.
    for number in before.indices {
      scenario = try scenario.and(RemoveMeal(.number(number + 1)))
    }
    for text in after {
      scenario = try scenario.dish([text])
        .meal(scenario.state.recipes.elements.count + 1, on: "2026-03-06")
    }
    scenario = try made(scenario.meal(1, on: "2026-03-05"))
    let kept = isChecked ? ["x \(line)"] : []
    #expect(lines(scenario) == (isAgain ? [line] : kept) + ["1 onion"])
    // Making the list again changes nothing.
    #expect(try scenario.when(GenerateGroceryList(of: home)) == [])
    let again = try item("flour", in: scenario)
    guard isAgain else { return }
    let bought = try scenario.and(CheckGroceryItem(again))
    #expect(try lines(made(bought.meal(1, on: "2026-03-07"))) == ["x \(line)", "2 onion"])
  }

  @Test func `some for more people is the same some, and a member's amount of it stays (MC-7)`()
    throws
  {
    let salted = try made(planned("salt"))
    let salt = try item("salt", in: salted)
    let checked = try salted.and(CheckGroceryItem(salt))
    let people = UpdateMeal(.number(1)) { $0.servings = Rational(3) }
    #expect(try lines(made(checked.and(people))) == ["x salt"])
    let box = UpdateGroceryItem(salt) { ($0.amount, $0.unit) = (.one, "kg") }
    let edited = try checked.and(box)
    #expect(lines(edited) == ["x 1 kg salt"])
    #expect(try lines(made(edited.meal(1, on: "2026-03-05"))) == ["1 kg salt"])
    // When a recipe takes some from now on, each of its meals does.
    let eggs = try made(salted.dish(["2 eggs"]).meal(2, on: "2026-03-05"))
    let bought = try eggs.and(CheckGroceryItem(salt))
    let seasoned = UpdateRecipe(.number(2)) {
      $0.ingredients = ["2 eggs", "salt"].map { Ingredient(parsing: $0) }
    }
    #expect(try lines(made(bought.and(seasoned))) == ["2 eggs", "salt"])
  }

  @Test func `what members wrote stays, and is never mixed with the rest (G14, MC-7, MC-8)`() throws
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

  @Test func `a list is begun by the first thing that a member writes (MC-8)`() throws {
    let scenario = try Home.with(2).and(
      AddGroceryItem(in: home, GroceryItemContent(name: " Tea ", category: .pantry)), by: 2)
    #expect(lines(scenario) == ["Tea"])
    #expect(scenario.state.lists[list]?.weekStart == Self.monday)
    #expect(scenario.state.lists[list].map { scenario.state.isStale($0) } == false)
    // The list that is shopped by is the one made last; what is written goes there.
    let later = try scenario.and(GenerateGroceryList(of: home, week: day("2026-03-16")))
      .and(AddGroceryItem(in: home, key: Key(high: 12, low: 1), GroceryItemContent(name: "Jam")))
    #expect(lines(later) == ["Jam"])
    #expect(
      later.state.groceryList(of: home, week: Self.monday, for: First.account)?.number == list)
    #expect(later.state.groceryList(of: home, for: Bees.person(3)) == nil)
  }

  @Test func `what a member changed of a line outlasts the plan (G10, MC-8)`() throws {
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

  @Test func `a line of unknown food is counted when it is taken more than once (MC-7)`() throws {
    let scenario = try made(planned("500 g"))
    #expect(lines(scenario) == ["500 g"])
    let checked = try scenario.and(CheckGroceryItem(try item("500 g", in: scenario)))
    #expect(try lines(made(checked.meal(1, on: "2026-03-05"))) == ["2 500 g"])
  }

  @Test func `a check of a line of unknown food stays until more of it is needed (MC-8)`() throws {
    let less = UpdateMeal(.number(1)) { $0.servings = Rational(1, over: 2) }
    let half = try made(planned("500 g").and(less))
    #expect(lines(half) == ["½ 500 g"])
    let checked = try half.and(CheckGroceryItem(try item("500 g", in: half)))
    let once = UpdateMeal(.number(1)) { $0.servings = .one }
    #expect(try lines(made(checked.and(once))) == ["500 g"])
    let whole = try made(half.and(once))
    let bought = try whole.and(CheckGroceryItem(try item("500 g", in: whole)))
    #expect(try lines(made(bought.and(less))) == ["x ½ 500 g"])
  }

  @Test func `a food in several measures is one line, checked as one (MC-7, MC-8)`() throws {
    let scenario = try made(planned("2 g salt", "Salt", "200 g flour", "1 cup flour"))
    #expect(lines(scenario) == ["200 g and 1 cup flour", "2 g and some Salt"])
    let others = scenario.rows("grocery_items").map { $0["others"] }
    #expect(
      others == [
        [["quantity": 1, "unit": "cup"]], [["quantity": .null, "unit": .null]],
      ])
    let checked = try scenario.and(CheckGroceryItem(item("flour", in: scenario)))
    let same = try made(checked.dish(["1 leek"]).meal(2, on: "2026-03-05"))
    #expect(lines(same) == ["x 200 g and 1 cup flour", "1 leek", "2 g and some Salt"])
    let more = try made(checked.dish(["1 cup flour"]).meal(2, on: "2026-03-05"))
    #expect(lines(more) == ["200 g and 2 cup flour", "2 g and some Salt"])
    let third = try made(checked.dish(["flour"]).meal(2, on: "2026-03-05"))
    #expect(lines(third) == ["200 g, 1 cup and some flour", "2 g and some Salt"])
    let edit = UpdateGroceryItem(try item("flour", in: scenario)) { content in
      (content.amount, content.unit) = (.one, "kg")
    }
    #expect(lines(try scenario.and(edit)) == ["1 kg flour", "2 g and some Salt"])
    let edited = try scenario.and(edit).dish(["1 leek"]).meal(2, on: "2026-03-05")
    #expect(try lines(made(edited)).contains("1 kg flour"))
  }

  @Test func `a line was created when it first came onto the list (MC-8)`() throws {
    let later = Scenario.noon.advanced(byMilliseconds: 60_000)
    let scenario = try made(made(planned("2 eggs")).meal(1, on: "2026-03-05"), at: later)
    let eggs = scenario.state.lists[list]?.items.first
    #expect(eggs?.created == Scenario.noon && eggs?.updated == later)
  }

  @Test func `a key that a member gave is never a planned line's, nor given again (MC-8)`() throws {
    let key = try item("eggs", in: made(planned("2 eggs"))).key
    let own = AddGroceryItem(in: home, key: key, GroceryItemContent(name: "tea"))
    let scenario = try made(planned("2 eggs").and(own))
    #expect(lines(scenario) == ["2 eggs", "tea"])
    #expect(Set(scenario.state.lists[list]?.items.map(\.key) ?? []).count == 2)
    let removed = try scenario.and(RemoveGroceryItem(GroceryItemID(list, key)))
    #expect(throws: Rejection.keyTaken(key)) { try removed.when(own) }
  }

  @Test func `a line says what, and how much of it is above nothing (MC-8)`() throws {
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

  // MARK: The pantry

  @Test func `the pantry is kept, changed and used up (MC-9)`() throws {
    let flour = PantryStapleContent(name: " Flour ", amount: Rational(250), unit: " g ")
    let scenario = try Home.with(2).and(
      AddPantryStaple(in: home, key: Key(high: 11, low: 1), flour))
    let pantryStaple = BookState().pantryStaples.nextNumber
    let kept = PantryStapleContent(name: "Flour", amount: Rational(250), unit: "g")
    #expect(scenario.state.pantryStaples[pantryStaple]?.content == kept)
    #expect(
      try scenario.when(AddPantryStaple(in: home, key: Key(high: 11, low: 1), kept), by: 2) == [])
    #expect(try scenario.when(UpdatePantryStaple(pantryStaple)) == [])
    let change = UpdatePantryStaple(pantryStaple) { ($0.amount, $0.category) = (nil, .other) }
    let changed = try scenario.and(change, by: 2)
    #expect(
      changed.state.pantryStaples[pantryStaple]?.content
        == PantryStapleContent(name: "Flour", category: .other))
    // An empty unit is told from none, and measures as none does.
    let things = try scenario.and(UpdatePantryStaple(pantryStaple) { $0.unit = " " })
    #expect(things.state.pantryStaples[pantryStaple]?.content.unit == "")
    #expect(
      things.state.pantryStaples[pantryStaple]?.content.quantity == Quantity(Rational(250)))
    let gone = try changed.and(RemovePantryStaple(pantryStaple))
    #expect(gone.state.pantryStaples(of: home, for: First.account).isEmpty)
    #expect(throws: Rejection.pantryStapleNotFound) {
      try gone.when(RemovePantryStaple(pantryStaple))
    }
    #expect(throws: Rejection.pantryStapleNotFound) {
      try scenario.when(RemovePantryStaple(pantryStaple), by: 3)
    }
  }

  @Test func `more of what is kept adds up with it (MC-9)`() throws {
    let add = { (amount: Rational?, unit: String?, name: String) in
      AddPantryStaple(in: home, PantryStapleContent(name: name, amount: amount, unit: unit))
    }
    var first = add(Rational(600), "g", "Flour")
    first.key = Key(high: 11, low: 1)
    let scenario = try Home.with(2).and(first)
      .and(add(Rational(1, over: 2), "kg", "flour "), by: 2)
    let kept = { (scenario: Scenario) in
      scenario.state.pantryStaples(of: home, for: First.account).map {
        [$0.pantryStaple.content.quantity?.shown, $0.pantryStaple.content.name]
          .compactMap(\.self).joined(separator: " ")
      }
    }
    #expect(kept(scenario) == ["1.1 kg Flour"])
    #expect(try scenario.answer(add(.one, "g", "flour")) == BookState().pantryStaples.nextNumber)
    #expect(try kept(scenario.and(add(.one, "cup", "Flour"))).count == 2)
    let salted = try scenario.and(add(nil, nil, "Salt"))
    #expect(try salted.when(add(nil, nil, "salt")) == [])
    // Under a key of its own it is something else.
    let own = AddPantryStaple(
      in: home, key: Key(high: 11, low: 9), PantryStapleContent(name: "Flour", amount: .one))
    #expect(try kept(scenario.and(own)).count == 2)
  }

  @Test func `what the pantry holds is not on the list (MC-7, MC-9)`() throws {
    let scenario = try planned("200 g flour", "1 l milk").and(
      AddPantryStaple(in: home, PantryStapleContent(name: "Flour", amount: .one, unit: "kg"))
    ).and(
      AddPantryStaple(
        in: home, key: Key(high: 11, low: 2),
        PantryStapleContent(name: "Milk", amount: Rational(250), unit: "ml")))
    #expect(lines(try made(scenario)) == ["0.75 l milk"])
  }
}

extension Scenario {
  /// A recipe of these lines for one.
  fileprivate func dish(_ lines: [String]) throws -> Scenario {
    let number = UInt64(state.recipes.elements.count + 1)
    return try and(
      CreateRecipe(
        in: Home.household, key: Key(high: 8, low: number),
        RecipeContent(
          title: "Dish \(number)", baseServings: .one,
          ingredients: lines.map { Ingredient(parsing: $0) })))
  }

  /// A recipe is planned on a day.
  fileprivate func meal(_ recipe: Int, on date: String, servings: Int64? = nil) throws -> Scenario {
    let number = UInt64(state.meals.elements.count + 1)
    return try and(
      PlanMeal(
        in: Home.household, key: Key(high: 9, low: number),
        MealContent(
          recipe: .number(recipe), date: day(date), servings: servings.map { Rational($0) })))
  }

  @Test func `the key of a line is of one household alone, as every key (MC-11)`() throws {
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
}
