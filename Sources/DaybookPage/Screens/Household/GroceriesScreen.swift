import Avro
import Calendar
import Daybook
import HTTPTypes
import Wire

/// A week's grocery list by the sections of a shop, and why each line is on it (MC-7, MC-8).
struct GroceriesScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let visit = home.visit
    let week = home.day("week")
    let answer = try await home.ask(
      "groceries", week.map { [("week_start", $0.description)] } ?? [])
    let list = answer["list"]
    let items = answer["items"]?.elements ?? []
    let monday = list?["week_start"]?.day ?? Self.monday(week ?? visit.today)
    let plan = try await home.ask("plan", [("week_start", monday.description)])
    let meals = Dictionary(
      (plan["meals"]?.elements ?? []).map { ($0["id"]?.text ?? "", $0["name"]?.text ?? "") }
    ) { first, _ in first }
    let asked = visit.request.query["why"] ?? ""
    let why = asked.isEmpty ? nil : try await Reasons(of: asked, home)
    let done = items.count { $0["is_checked"]?.boolean == true }
    func link(_ week: Day) -> String { home.link("groceries", [("week", week.description)]) }
    return Content(
      "groceries", home.say("room.groceries"),
      [
        "week_said": home.shown(monday...monday.advanced(by: 6)),
        "week_start": monday.description,
        "week_before": link(monday.advanced(by: -7)), "week_after": link(monday.advanced(by: 7)),
        "current_link": week == nil ? Nothing() : home.link("groceries") as Any,
        "plan_link": home.link("plan", [("week", monday.description)]),
        "list": list.map { $0["id"]?.shown ?? Nothing() } ?? Nothing(),
        "stale": list?["is_stale"]?.boolean == true,
        "generated": list?["generated_at"]?.instant.map {
          home.say("groceries.generated", ["moment": visit.shown($0)])
        } ?? Nothing() as Any,
        "any": !items.isEmpty, "none_listed": list != nil && list != .null && items.isEmpty,
        "progress": home.say(
          "groceries.progress", ["done": String(done), "count": String(items.count)]),
        "basket_count": String(done), "item_count": String(max(1, items.count)),
        "aisles": GroceryCategory.allCases.compactMap { aisle -> Fields? in
          let own = items.filter { $0["aisle"]?.text == aisle.rawValue }
          guard !own.isEmpty else { return nil }
          return [
            "key": aisle.rawValue, "name": home.say("aisle.\(aisle.rawValue)"),
            "hint": aisle == .verifyPantry,
            "lines": own.map { line(of: $0, meals, why, home) },
          ]
        },
        "new_categories": PantryScreen.categories(choosing: "other", home),
      ], Timeline(about: list?["id"]?.text, canPutBack: true))
  }

  private static func monday(_ day: Day) -> Day { day.advanced(by: -day.weekday) }

  private func line(
    of item: JSON, _ meals: [String: String], _ why: Reasons?, _ home: HouseholdVisit
  ) -> Fields {
    let id = item["id"]?.text ?? ""
    let aisle = item["aisle"]?.text ?? ""
    let needing = (item["sources"]?.elements ?? []).compactMap { source -> String? in
      guard let name = meals[source["meal_id"]?.text ?? ""] else { return nil }
      return [name, source["date"]?.day.map(home.language.weekday)].compactMap(\.self)
        .joined(separator: ", ")
    }
    let isAsked = why?.item == id
    return [
      "id": id, "name": item["name"]?.text ?? "",
      "amount": home.amounts(item) ?? Nothing() as Any,
      "note": item["note"]?.shown ?? Nothing(), "note_text": item["note"]?.text ?? "",
      "is_checked": item["is_checked"]?.boolean == true,
      "needing": needing.isEmpty
        ? item["is_manual"]?.boolean == true ? home.say("groceries.by_hand") : Nothing() as Any
        : needing.joined(separator: "; "),
      "why_link": home.visit.request.with("why", isAsked ? nil : id).target
        + (isAsked ? "" : "#why"),
      "asked": isAsked, "why": isAsked ? why?.fields ?? Nothing() as Any : Nothing() as Any,
      "quantity": HouseholdVisit.written(item["quantity"]), "unit": item["unit"]?.text ?? "",
      "stay": home.say("groceries.stay", ["aisle": home.say("aisle.\(aisle)")]),
      "targets": PantryScreen.categories(choosing: nil, home).filter {
        $0["key"] as? String != aisle
      },
    ]
  }
}

/// Why a line is on a grocery list: its meals, and the entries that made it so.
struct Reasons {
  /// The key of the line.
  let item: String
  private let answer: JSON
  private let home: HouseholdVisit

  /// Asks; `nil` for a line that was on no list at the moment of the address.
  ///
  /// - Throws: ``PageRefusal``.
  init?(of item: String, _ home: HouseholdVisit) async throws {
    do {
      answer = try await home.ask("grocery_item", [("item", item)])
    } catch let refusal as PageRefusal where refusal.status == .notFound {
      return nil
    }
    self.item = item
    self.home = home
  }

  var fields: Fields {
    let sources = answer["sources"]?.elements ?? []
    return [
      "by_hand": sources.isEmpty,
      "sources": sources.map { source -> Fields in
        let recipe = source["recipe_id"]?.text ?? ""
        let servings = HouseholdVisit.written(source["servings"])
        let type = source["meal_type"]?.text.map { PlannedMeal.said($0, home) }
        return [
          "amount": home.amount(source) ?? home.say("amount.some"),
          "recipe": source["name"]?.text ?? "",
          "link": recipe.isEmpty
            ? Nothing() as Any
            : home.link(
              "recipes/\(recipe)", servings.isEmpty ? [] : [("servings", servings)]),
          "when": [source["date"]?.day.map(home.language.shortDay), type].compactMap(\.self)
            .joined(separator: ", "),
          "servings": home.number(source["servings"]).map {
            home.say("meal.for", ["count": $0])
          } ?? Nothing() as Any,
        ]
      },
      "entries": (answer["entries"]?.elements ?? []).map(evidence),
    ]
  }

  /// An entry as a sentence, with the address of what it changed as of its moment.
  private func evidence(_ entry: JSON) -> Fields {
    let event = entry["event"]?.text ?? ""
    let at = entry["at"]?.text ?? ""
    let subject = entry["id"]?.text ?? ""
    let key = "reason.\(event)"
    let source = (answer["sources"]?.elements ?? []).first { $0["meal_id"]?.text == subject }
    let link =
      if event.hasPrefix("Recipe") {
        home.link("recipes/\(subject)", asOf: at)
      } else if event.hasPrefix("Meal"), let date = source?["date"]?.text {
        home.link("plan", [("week", date)], asOf: at)
      } else {
        home.link(
          "groceries", [("week", answer["list"]?["week_start"]?.text ?? "")], asOf: at)
      }
    return [
      "said": home.say(
        home.language.words.has(key) ? key : "reason.other",
        ["who": entry["actor_name"]?.text ?? "", "what": entry["name"]?.text ?? ""]),
      "link": link, "at_said": entry["at"]?.instant.map { home.visit.shown($0) } ?? "",
    ]
  }
}
