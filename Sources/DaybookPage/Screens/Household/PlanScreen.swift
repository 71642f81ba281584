import Avro
import Calendar
import Wire

/// A week of meals, Monday first (MC-6).
struct PlanScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let visit = home.visit
    let asked = home.day("week") ?? home.day("day") ?? visit.today
    let week = try await home.ask("plan", [("week_start", asked.description)])
    guard let monday = week["week_start"]?.day else { throw PageRefusal.unavailable }
    let sunday = monday.advanced(by: 6)
    let meals = week["meals"]?.elements ?? []
    let recipes = visit.isPast ? [] : try await home.ask("recipes").elements ?? []
    let isThisWeek = (monday...sunday).contains(visit.today)
    let chosen = home.day("day") ?? (isThisWeek ? visit.today : monday)
    let days = (0..<7).map { monday.advanced(by: $0) }
    func link(_ week: Day) -> String { home.link("plan", [("week", week.description)]) }
    return Content(
      "plan", home.say("room.plan"),
      [
        "week_said": home.shown(monday...sunday), "week_start": monday.description,
        "week_before": link(monday.advanced(by: -7)), "week_after": link(monday.advanced(by: 7)),
        "this_week": isThisWeek ? Nothing() : home.link("plan") as Any,
        "days": days.map { day -> Fields in
          let own = meals.filter { $0["date"]?.day == day }
          return [
            "id": day.description, "name": visit.language.weekday(day),
            "date_said": visit.language.date(day), "today": day == visit.today,
            "meals": own.map { PlannedMeal($0, home).fields }, "any": !own.isEmpty,
            "add_link": home.link("plan", [("week", monday.description), ("day", day.description)])
              + "#add",
          ]
        },
        "any_meals": !meals.isEmpty,
        "day_choices": days.map {
          ["key": $0.description, "name": home.language.shortDay($0), "chosen": $0 == chosen]
            as Fields
        },
        "recipe_choices": recipes.map { recipe -> Fields in
          let key = recipe["id"]?.text ?? ""
          return [
            "key": key, "name": recipe["title"]?.text ?? "",
            "chosen": key == visit.request.query["recipe"],
          ]
        },
        "any_recipes": !recipes.isEmpty, "recipes_link": home.link("recipes"),
        "types": PlannedMeal.types(choosing: "dinner", home),
        "list_back": home.path("groceries", [("week", monday.description)]),
        "list_link": home.link("groceries", [("week", monday.description)]),
      ])
  }
}

/// A planned meal.
struct PlannedMeal {
  private static let types = ["breakfast", "lunch", "snack", "dinner"]
  private let row: JSON
  private let home: HouseholdVisit

  init(_ row: JSON, _ home: HouseholdVisit) {
    self.row = row
    self.home = home
  }

  /// The meals of a day, to choose from. A name that is none of the usual ones stays a choice.
  static func types(choosing type: String?, _ home: HouseholdVisit) -> [Fields] {
    let own = type.map { types.contains($0) || $0.isEmpty ? [] : [$0] } ?? []
    return choices(types + own, named: { said($0, home) }, choosing: type)
  }

  /// A meal's name: a word of the language for a usual one, else as it was written.
  static func said(_ type: String, _ home: HouseholdVisit) -> String {
    types.contains(type.lowercased()) ? home.say("meal.\(type.lowercased())") : type
  }

  /// The days of the meal's week, to which it can be moved.
  private func days(_ day: Day) -> [Fields] {
    choices(
      (0..<7).map { day.advanced(by: $0 - day.weekday).description },
      named: { Day($0).map(home.language.shortDay) ?? $0 }, choosing: day.description)
  }

  var fields: Fields {
    let recipe = row["recipe_id"]?.text
    let servings = home.number(row["servings"])
    let link = recipe.map { key in
      home.link(
        "recipes/\(key)",
        row["servings"].flatMap { $0 == .null ? nil : [("servings", HouseholdVisit.written($0))] }
          ?? [])
    }
    return [
      "id": row["id"]?.text ?? "", "name": row["name"]?.text ?? "",
      "link": link ?? Nothing() as Any,
      "type": row["meal_type"]?.text.map { Self.said($0, home) } ?? Nothing() as Any,
      "servings_said": servings.map { home.say("meal.for", ["count": $0]) } ?? Nothing() as Any,
      "servings": HouseholdVisit.written(row["servings"]), "date": row["date"]?.text ?? "",
      "meal_type": row["meal_type"]?.text ?? "",
      "own_days": row["date"]?.day.map(days) ?? [],
      "own_types": Self.types(choosing: row["meal_type"]?.text, home),
      "put_back_link": PutBack.offered(to: row["id"], home.visit),
    ]
  }
}
