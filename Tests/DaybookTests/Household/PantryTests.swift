import Daybook
import Testing

@Suite(.tags(.unit)) struct PantryTests {
  private let home = Home.household

  @Test func `a pantry staple is added, changed and removed (MC-9)`() throws {
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
    // An empty unit differs from none, and measures alike.
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

  @Test func `adding more of a staple increases its amount (MC-9)`() throws {
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
    // With a different key it is another staple.
    let own = AddPantryStaple(
      in: home, key: Key(high: 11, low: 9), PantryStapleContent(name: "Flour", amount: .one))
    #expect(try kept(scenario.and(own)).count == 2)
  }
}
