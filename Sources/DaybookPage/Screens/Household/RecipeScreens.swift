import Avro
import Daybook
import DaybookStore
import HTTPTypes
import Values
import Wire

/// The household's recipes, all or those in which some words are found (MC-4).
struct RecipesScreen: HouseholdRoom {
  func content(_ home: HouseholdVisit) async throws -> Content {
    let search = home.visit.request.query["search"] ?? ""
    let recipes =
      try await home.ask("recipes", search.isEmpty ? [] : [("search", search)]).elements ?? []
    // The key is in the form, so that it leads to the new recipe.
    let key = Key().description
    return Content(
      "recipes", home.say("room.recipes"),
      [
        "recipes": recipes.map { recipe -> Fields in
          [
            "name": recipe["title"]?.text ?? "",
            "link": home.link("recipes/\(recipe["id"]?.text ?? "")"),
            "about": RecipeScreen.about(recipe, home),
            "tags": (recipe["tags"]?.elements ?? []).compactMap(\.text),
          ]
        },
        "any": !recipes.isEmpty, "search": search, "searched": !search.isEmpty,
        "all_link": home.link("recipes"),
        "form": RecipeScreen.form(nil, home), "new_key": key,
        "form_back": home.path("recipes/\(key)"),
      ])
  }
}

/// A recipe for any number of servings (MC-5), to read or to cook by.
struct RecipeScreen: HouseholdRoom {
  let recipe: String

  func content(_ home: HouseholdVisit) async throws -> Content {
    guard Values.Key(recipe) != nil else { throw PageRefusal.notFound }
    let query = home.visit.request.query
    let written = try await home.ask("recipe", [("recipe", recipe)])
    var (row, isScaled, refused) = (written, false, Nothing() as Any)
    let asked = (query["servings"] ?? "").replacing(",", with: ".").trimmed
    if !asked.isEmpty {
      do {
        row = try await home.ask("recipe", [("recipe", recipe), ("servings", asked)])
        isScaled = row["base_servings"] != written["base_servings"]
      } catch let refusal as PageRefusal where refusal.status.code < 500 {
        refused = refusal.said(in: home.language.words)
      }
    }
    let servings = row["base_servings"].flatMap { Rational(json: $0) }
    let kept = isScaled ? [("servings", HouseholdVisit.written(row["base_servings"]))] : []
    func step(_ change: Int64) -> Any {
      guard let other = (servings ?? .one).adding(Rational(change)), other.isPositive else {
        return Nothing()
      }
      return home.link("recipes/\(recipe)", [("servings", other.description)])
    }
    var fields: Fields = [
      "id": recipe, "name": written["title"]?.text ?? "", "about": Self.about(row, home),
      "tags": (row["tags"]?.elements ?? []).compactMap(\.text),
      "servings_text": HouseholdVisit.written(row["base_servings"]),
      "servings_said": servings.map {
        home.say("recipe.serves", ["count": home.language.number($0.kitchenForm)])
      } ?? Nothing() as Any,
      "written_for": home.number(written["base_servings"]).map {
        home.say("recipe.written_for", ["count": $0])
      } ?? Nothing() as Any,
      "scaled": isScaled, "as_written_link": home.link("recipes/\(recipe)"),
      "fewer": step(-1), "more": step(1), "action": "/household/recipes/\(recipe)",
      "refused": refused,
      "ingredients": home.ingredients(row, isScaled: isScaled),
      "notes": row["notes"]?.shown ?? Nothing(),
      "source": Self.source(row) ?? Nothing() as Any,
      "recipes_link": home.link("recipes"), "recipes_back": home.path("recipes"),
      "plan_link": home.link("plan", [("recipe", recipe)]) + "#add",
      "cook_link": home.link("recipes/\(recipe)", kept + [("cook", "1")]),
    ]
    let steps = row.steps(home.visit).map(\.text)
    fields["any_ingredients"] = !(row["ingredients"]?.elements ?? []).isEmpty
    fields["any_steps"] = !steps.isEmpty
    if query["cook"] == "1" {
      fields.merge(cooking(steps, kept, home)) { _, own in own }
      return Content("cook", written["title"]?.text ?? "", fields)
    }
    fields["steps"] = steps
    fields["form"] = Self.form(written, home)
    return Content(
      "recipe", written["title"]?.text ?? "", fields, Timeline(about: recipe, canPutBack: true))
  }

  /// One step at a time, with the ways to those before and after it.
  private func cooking(
    _ steps: [String], _ kept: [(String, String)], _ home: HouseholdVisit
  ) -> Fields {
    let asked = home.visit.request.query["step"].flatMap { Int($0) } ?? 1
    let number = min(max(asked, 1), max(1, steps.count))
    func link(_ number: Int) -> Any {
      guard (1...max(1, steps.count)).contains(number) else { return Nothing() }
      return home.link("recipes/\(recipe)", kept + [("cook", "1"), ("step", String(number))])
    }
    return [
      "step_text": steps.isEmpty ? Nothing() : steps[number - 1] as Any,
      "step_said": home.say(
        "recipe.step", ["number": String(number), "count": String(steps.count)]),
      "step_number": String(number), "step_count": String(max(1, steps.count)),
      "step_before": link(number - 1), "step_after": link(number + 1),
      "leave_link": home.link("recipes/\(recipe)", kept),
    ]
  }

  /// How long it takes, and how many it serves.
  static func about(_ recipe: JSON, _ home: HouseholdVisit) -> String {
    func minutes(_ column: String, _ key: String) -> String? {
      recipe[column]?.integer.map { home.say(key, ["count": String($0)]) }
    }
    let servings = home.number(recipe["base_servings"]).map {
      home.say("recipe.serves", ["count": $0])
    }
    return [servings, minutes("prep_time", "recipe.prep"), minutes("cook_time", "recipe.cooking")]
      .compactMap(\.self).joined(separator: " · ")
  }

  /// The page that it comes from. What is no address of the web is shown, and leads nowhere.
  private static func source(_ recipe: JSON) -> Fields? {
    guard let text = recipe["source_url"]?.text, !text.isEmpty else { return nil }
    let isOfTheWeb = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
    return ["text": text, "link": isOfTheWeb ? text : Nothing() as Any]
  }

  /// The values of the form that makes or changes a recipe; lists have an element a line.
  static func form(_ recipe: JSON?, _ home: HouseholdVisit) -> Fields {
    let (visit, recipe) = (home.visit, recipe ?? .null)
    func text(_ column: String) -> String { HouseholdVisit.written(recipe[column]) }
    return [
      "changes": recipe != .null, "name": text("title"), "servings": text("base_servings"),
      "prep": text("prep_time"),
      "cook": text("cook_time"), "source": text("source_url"), "notes": text("notes"),
      "ingredients": recipe.ingredients(visit).map(\.text.line).joined(separator: "\n"),
      "steps": recipe.steps(visit).map(\.text.line).joined(separator: "\n"),
      "tags": (recipe["tags"]?.elements ?? []).compactMap(\.text).joined(separator: "\n"),
    ]
  }
}
