import Avro
import Daybook
import Kitchen
import Values

extension Table {
  /// Recipes (MC-4).
  static var recipes: Table {
    let fields: [Field<Numbered<Recipe>>] = [
      Field("id", .freshKey, of: \.key), .household(\.household),
      Field("title", of: \.content.title),
      Field("source_url", of: \.content.sourceURL), Field("source_type", of: \.content.sourceType),
      Field("base_servings") { Decimal($0.content.baseServings) },
      Field("ingredients", .value(.json([]))) { recipe in
        JSON.array(recipe.content.ingredients.map(\.rowJSON))
      },
      Field("steps", .value(.json([]))) { JSON.array($0.content.steps.map { .string($0) }) },
      Field("tags", .value(.array([])), of: \.content.tags),
      Field("prep_time") { $0.content.prepMinutes.map { Int($0) } },
      Field("cook_time") { $0.content.cookMinutes.map { Int($0) } },
      Field("notes", of: \.content.notes), .account("created_by", .null, .server, of: \.creator),
      Field("created_at", .null, .server, of: \.created),
      Field("updated_at", .null, .server, of: \.updated),
    ]
    return .household(
      "recipes", fields, of: .recipe, in: \.recipes,
      writer: HouseholdThingWriter(
        "recipes", "recipe", CreateRecipe.self, UpdateRecipe.self, DeleteRecipe.self,
        in: \.recipes, fields: recipeFields))
  }

  private static func recipeFields(_ columns: RowColumns) -> [JSON.Member] {
    columns.fields([
      "title", "source_url", "source_type", "base_servings", "ingredients", "steps", "tags",
      "prep_time", "cook_time", "notes",
    ]).map { member in
      switch member.name {
      case "ingredients": JSON.Member(member.name, member.value.mapElements(\.ingredientParts))
      case "steps": JSON.Member(member.name, member.value.mapElements(\.stepText))
      default: member
      }
    }
  }
}

extension Decimal {
  /// A number as a decimal: exactly where one says it, nearly otherwise.
  init?(_ number: Rational?) {
    guard let number else { return nil }
    if case .number(let text) = number.json {
      self.text = text
    } else {
      text = String(Double(number.numerator) / Double(number.denominator))
    }
  }
}

extension Ingredient {
  /// Its parts as apps have them: those that there are, and its line only where that says more.
  fileprivate var rowJSON: JSON {
    var parts: [JSON.Member] = []
    let add = { (name: String, value: JSON?) in
      if let value { parts.append(JSON.Member(name, value)) }
    }
    add("quantity", amount?.json)
    add("upper_quantity", upperAmount?.json)
    add("unit", unit.map { .string($0) })
    add("name", food.map { .string($0) })
    add("category", category.map { .string($0.rawValue) })
    add("note", note.map { .string($0) })
    add("recipe_id", recipe.map { .string($0.description) })
    if text != Self.words(amount, unit, food, note) { add("text", .string(text)) }
    return .object(parts)
  }
}

extension JSON {
  /// The array with each element made into another; anything else as it is.
  fileprivate func mapElements(_ change: (JSON) -> JSON) -> JSON {
    elements.map { .array($0.map(change)) } ?? self
  }

  /// An ingredient without what Daybook does not know of one.
  fileprivate var ingredientParts: JSON {
    guard let members else { return self }
    let known: Set = [
      "text", "quantity", "upper_quantity", "unit", "name", "note", "category", "recipe_id",
    ]
    return .object(
      members.filter { known.contains($0.name) }.map { member in
        guard member.name == "category", let text = member.value.text,
          GroceryCategory(rawValue: text) == nil
        else { return member }
        return JSON.Member("category", .string(GroceryCategory.other.rawValue))
      })
  }

  /// A step that an app says with more than its text.
  fileprivate var stepText: JSON {
    guard members != nil else { return self }
    return ["text", "instruction", "description", "step"].lazy.compactMap { self[$0] }
      .first { $0.text != nil } ?? self
  }
}
