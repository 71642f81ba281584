import Daybook
import Testing

@Suite(.tags(.unit)) struct AisleTests {
  @Test(
    arguments: [
      ("onions", .produce), ("Red Onions", .produce), ("brown onion", .produce),
      ("Zwiebeln", .produce),
      ("rote Zwiebeln", .produce), ("Kirschtomaten", .produce), ("berries", nil),
      ("blackberries", .produce), ("tomatoes", .produce), ("tomato paste", .pantry),
      ("milk", .dairy), ("coconut milk", .pantry), ("Kokosmilch", .pantry), ("Vollmilch", .dairy),
      ("butter", .dairy), ("peanut butter", .pantry), ("Eier", .dairy), ("eggs", .dairy),
      ("Vollkornmehl", .pantry), ("plain flour", .pantry), ("Rinderhackfleisch", .meat),
      ("chicken breasts", .meat), ("frozen spinach", .frozen), ("TK Spinat", .frozen),
      ("dried apricots", .pantry), ("olive oil", .pantry), ("paper towels", nil), ("", nil),
      ("Batterien", nil), ("Reis", .pantry), ("Eis", .frozen), ("Preiselbeeren", .produce),
      ("corn on the cob", .produce),
      (String(repeating: "very ", count: 100) + "red onions", .produce),
      (String(repeating: "x", count: 1000) + "mehl", .pantry),
    ] as [(String, GroceryCategory?)])
  func `a food's aisle is that of its longest known ending`(
    food: String, category: GroceryCategory?
  ) {
    #expect(AisleTable.category(of: food) == category)
  }
}
