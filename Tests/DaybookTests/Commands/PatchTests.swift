import Avro
import Daybook
import Testing

/// A patch sets what its closure sets, and nothing else.
@Suite struct PatchTests {
  private let flour = StapleContent(
    name: "Flour", amount: Rational(500), unit: "g", category: .pantry)

  @Test func `what is not set stays, and nothing is a value`() {
    let patch = Patch<StapleContent> { $0.amount = nil }
    #expect(patch.has("quantity") && !patch.has("unit") && !patch.has("name"))
    #expect(
      patch.applied(to: flour) == StapleContent(name: "Flour", unit: "g", category: .pantry))
    #expect(Patch<StapleContent>().applied(to: flour) == flour)
    #expect(Patch<StapleContent>().isEmpty)
  }

  @Test(arguments: ["", "a", "b", "Flour", "c"])
  func `whatever a column is set to, it is seen`(_ name: String) {
    // "a" and "b" are what the two contents hold in which a patch looks for its changes.
    let patch = Patch<StapleContent> { $0.name = name }
    #expect(patch.has("name") && !patch.has("unit"))
    #expect(patch.applied(to: flour).name == name)
  }

  @Test(arguments: GroceryCategory.allCases)
  func `every case of an enumeration is seen`(_ category: GroceryCategory) {
    let patch = Patch<StapleContent> { $0.category = category }
    #expect(patch.has("category"))
    #expect(patch.applied(to: flour).category == category)
  }

  @Test func `what is set later counts, and columns of several values are told apart`() {
    var patch = Patch<HabitContent> { $0.schedule = .daily }
    patch.set(\.schedule, .quota(times: 3, days: 7))
    patch.set(\.target.bound, .atMost)
    var expected = HabitContent.defaults
    expected.schedule = .quota(times: 3, days: 7)
    expected.target.bound = .atMost
    #expect(patch.applied(to: .defaults) == expected)
    #expect(patch.has("target_bound") && !patch.has("target_per_day"))
  }

  @Test func `a closure that sets something else each time is a mistake of the program's`() async {
    await #expect(processExitsWith: .failure) {
      var count = 0
      _ = Patch<StapleContent> { content in
        count += 1
        content.name = "\(count)"
      }
    }
  }
}
