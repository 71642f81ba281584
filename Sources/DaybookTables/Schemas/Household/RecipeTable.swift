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
      Field("steps", .value(.json([]))) { JSON.array($0.content.steps.map(\.writtenJSON)) },
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
      guard member.name == "ingredients" else { return member }
      return JSON.Member(member.name, member.value.mapElements(\.ingredientParts))
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
  /// Its parts as apps have them: those that there are, its line only where that says more, and what an app wrote
  /// besides. A category that the book does not know is told as it was written.
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
    let extra = extraMembers
    if extra.contains(where: { $0.name == "category" && $0.value != .null }) {
      parts.removeAll { $0.name == "category" }
    }
    let own = Set(parts.map(\.name))
    return .object(parts + extra.filter { !own.contains($0.name) })
  }
}

extension JSON {
  /// The array with each element made into another; anything else as it is.
  fileprivate func mapElements(_ change: (JSON) -> JSON) -> JSON {
    elements.map { .array($0.map(change)) } ?? self
  }

  /// An ingredient in the words of the commands: what Daybook does not know of one stands apart.
  fileprivate var ingredientParts: JSON {
    guard let members else { return self }
    var (parts, extra): ([JSON.Member], [JSON.Member]) = ([], [])
    for member in members {
      if member.name == "category", let text = member.value.text,
        GroceryCategory(rawValue: text) == nil
      {
        parts.append(JSON.Member("category", .string(GroceryCategory.other.rawValue)))
        extra.append(member)
      } else if Ingredient.partNames.contains(member.name), member.value != .null {
        parts.append(member)
      } else {
        extra.append(member)
      }
    }
    if !extra.isEmpty { parts.append(JSON.Member("extra", .object(extra))) }
    return .object(parts)
  }
}
