public import Avro

extension State {
  /// The recipe's row of `recipes`.
  public func recipeRow(_ recipe: Recipe) -> JSON {
    let content = recipe.content
    return [
      "id": .key(recipe.key), "household_id": .key(households[recipe.household]?.key),
      "title": .string(content.title), "source_url": .text(content.sourceURL),
      "source_type": .text(content.sourceType),
      "base_servings": content.baseServings?.json ?? .null,
      "ingredients": .array(content.ingredients.map(\.row)),
      "steps": .array(content.steps.map { .string($0) }),
      "tags": .array(content.tags.map { .string($0) }),
      "prep_time": content.prepMinutes.map { .number(Int64($0)) } ?? .null,
      "cook_time": content.cookMinutes.map { .number(Int64($0)) } ?? .null,
      "notes": .text(content.notes), "created_by": .key(accounts[recipe.creator]?.key),
      "created_at": .instant(recipe.created), "updated_at": .instant(recipe.updated),
    ]
  }

  var recipeRows: [JSON] { shown(recipes).map { recipeRow($0) } }

  func recipeRow(_ number: Recipe.ID) -> JSON { recipes[number].map { recipeRow($0) } ?? .null }
}

extension Ingredient {
  /// The ingredient as a recipe's row has it.
  public var row: JSON {
    [
      "text": .string(text), "quantity": amount?.json ?? .null, "unit": .text(unit),
      "name": .text(food), "note": .text(note), "category": .text(category?.rawValue),
      "recipe_id": .key(recipe),
    ]
  }
}
