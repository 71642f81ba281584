import Avro
import Daybook
import DaybookStore
import Kitchen
import Values

extension AppTable {
  /// Recipes (MC-4).
  static var recipes: AppTable {
    let fields: [Field<NumberedEntity<Recipe>>] = [
      Field("id", .freshKey) { $0.key }, .household { $0.household },
      Field("title") { $0.content.title },
      Field("source_url") { $0.content.sourceURL },
      Field("source_type", .value(.text("manual"))) { $0.content.sourceType },
      Field("base_servings", .value(.decimal("4"))) { Decimal($0.content.baseServings) },
      Field("ingredients", .always(.json([]))) { recipe in
        JSON.array(recipe.content.ingredients.map(\.rowJSON))
      },
      Field("steps", .always(.json([]))) { JSON.array($0.content.steps.map(\.writtenJSON)) },
      Field("tags", .always(.array([]))) { $0.content.tags },
      Field("prep_time") { $0.content.prepMinutes.map { Int($0) } },
      Field("cook_time") { $0.content.cookMinutes.map { Int($0) } },
      Field("notes") { $0.content.notes }, .account("created_by", .caller, .once) { $0.creator },
      Field("created_at", .null, .once) { $0.created },
      Field("updated_at", .null, .server) { $0.updated },
    ]
    return .household(
      "recipes", fields, of: .recipe, in: \.recipes,
      writer: EntityWriter(
        "recipes", "recipe", CreateRecipe.self, UpdateRecipe.self, DeleteRecipe.self,
        in: \.recipes, fields: recipeFields, alongDeletion: removeMeals))
  }

  /// Deletes the meals planned with a deleted recipe, because the app has no meals without one.
  private static func removeMeals(_ recipe: Recipe.ID, _ write: inout TableWrite) throws {
    for meal in write.batch.state.meals(with: recipe) { try write.record(RemoveMeal(meal)) }
  }

  private static func recipeFields(_ row: RowWrite) -> [JSON.Member] {
    row.columns.fields([
      "title", "source_url", "source_type", "base_servings", "ingredients", "steps", "tags",
      "prep_time", "cook_time", "notes",
    ]).map { member in
      guard member.name == "ingredients" else { return member }
      let elements = member.value.elements?.map { Ingredient.parts(of: $0) }
      return JSON.Member(member.name, elements.map { .array($0) } ?? member.value)
    }
  }
}

extension Decimal {
  /// A number as a decimal, exact where possible and rounded otherwise.
  init?(_ number: Rational?) {
    guard let number else { return nil }
    if case .number(let text) = number.json {
      self.text = text
    } else {
      text = String(Double(number.numerator) / Double(number.denominator))
    }
  }
}
