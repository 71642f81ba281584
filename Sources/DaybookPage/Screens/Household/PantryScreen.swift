import Avro
import Daybook

/// What is kept at home, by name (MC-9).
struct PantryScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let staples = try await home.ask("pantry").elements ?? []
    return Content(
      "pantry", home.say("room.pantry"),
      [
        "staples": staples.map { staple -> Fields in
          let category = staple["category"]?.text ?? ""
          return [
            "id": staple["id"]?.text ?? "", "name": staple["name"]?.text ?? "",
            "amount": home.amount(staple) ?? Nothing() as Any,
            "aisle": home.say("aisle.\(category)"), "category": category,
            "quantity": HouseholdVisit.written(staple["quantity"]),
            "unit": staple["unit"]?.text ?? "",
            "categories": Self.categories(choosing: category, home),
            "put_back_link": PutBack.offered(to: staple["id"], home.visit),
          ]
        },
        "any": !staples.isEmpty, "new_categories": Self.categories(choosing: "pantry", home),
      ])
  }

  /// The sections of a shop, in the order of a list.
  static func categories(choosing category: String?, _ home: HouseholdVisit) -> [Fields] {
    choices(
      GroceryCategory.allCases.map(\.rawValue), named: { home.say("aisle.\($0)") },
      choosing: category)
  }
}
