import Avro
import Daybook
import Testing

/// A patch sets what its closure sets, and nothing else.
@Suite(.tags(.unit)) struct PatchTests {
  private let flour = PantryStapleContent(
    name: "Flour", amount: Rational(500), unit: "g", category: .pantry)

  @Test func `unset fields stay, and nil is a value`() {
    let patch = Patch<PantryStapleContent> { $0.amount = nil }
    #expect(patch.has("quantity") && !patch.has("unit") && !patch.has("name"))
    #expect(
      patch.applied(to: flour) == PantryStapleContent(name: "Flour", unit: "g", category: .pantry))
    #expect(Patch<PantryStapleContent>().applied(to: flour) == flour)
    #expect(Patch<PantryStapleContent>().isEmpty)
  }

  @Test(arguments: ["", "a", "b", "Flour", "c"])
  func `every value set in a column is noticed`(_ name: String) {
    // The letters "a" and "b" are in the two contents with which a patch detects changes.
    let patch = Patch<PantryStapleContent> { $0.name = name }
    #expect(patch.has("name") && !patch.has("unit"))
    #expect(patch.applied(to: flour).name == name)
  }

  @Test(arguments: GroceryCategory.allCases)
  func `every case of an enumeration is noticed`(_ category: GroceryCategory) {
    let patch = Patch<PantryStapleContent> { $0.category = category }
    #expect(patch.has("category"))
    #expect(patch.applied(to: flour).category == category)
  }

  @Test func `the last value set wins, and parts of a column are separate`() {
    var patch = Patch<HabitContent> { $0.schedule = .daily }
    patch.set(\.schedule, .quota(times: 3, days: 7))
    patch.set(\.target.bound, .atMost)
    var expected = HabitContent.defaults
    expected.schedule = .quota(times: 3, days: 7)
    expected.target.bound = .atMost
    #expect(patch.applied(to: .defaults) == expected)
    #expect(patch.has("target_bound") && !patch.has("target_per_day"))
  }

  @Test func `a patch whose closure varies is a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      var count = 0
      _ = Patch<PantryStapleContent> { content in
        count += 1
        content.name = "\(count)"
      }
    }
  }
}
