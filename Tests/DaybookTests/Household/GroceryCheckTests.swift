import Avro
import Daybook
import Testing

/// What a new plan does to lines that members bought or took off the list.
@Suite(.tags(.unit)) struct GroceryCheckTests: GroceryStage {
  @Test func `a check stays until more is needed (MC-7, MC-8)`() throws {
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

  @Test func `a removed line stays off the list until more is needed`() throws {
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

  /// The meals' needs of flour, each by its own recipe, before and after a member bought it or removed it. Then its
  /// line, and whether it must be bought again.
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
  func `more of a food is needed again, even without an amount (MC-7)`(
    row: Int, isChecked: Bool
  ) throws {
    let (before, after, line, isAgain) = Self.needs[row]
    // Each new list has one more onion, so that the plan changes whatever happens to the flour.
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
    // The new meals use other recipes on another day: only their number matters.
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
    // Generating the list again changes nothing.
    #expect(try scenario.when(GenerateGroceryList(of: home)) == [])
    let again = try item("flour", in: scenario)
    guard isAgain else { return }
    let bought = try scenario.and(CheckGroceryItem(again))
    #expect(try lines(made(bought.meal(1, on: "2026-03-07"))) == ["x \(line)", "2 onion"])
  }

  @Test
  func `more servings of an unmeasured food need no more, and a member's amount stays (MC-7)`()
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
    // When a recipe starts to need some, each of its meals does.
    let eggs = try made(salted.dish(["2 eggs"]).meal(2, on: "2026-03-05"))
    let bought = try eggs.and(CheckGroceryItem(salt))
    let seasoned = UpdateRecipe(.number(2)) {
      $0.ingredients = ["2 eggs", "salt"].map { Ingredient(parsing: $0) }
    }
    #expect(try lines(made(bought.and(seasoned))) == ["2 eggs", "salt"])
  }

  @Test func `a line of unknown food is counted when it occurs more than once (MC-7)`() throws {
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
}
