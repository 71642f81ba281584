public import Kitchen

/// How a household cooks something (MC-4).
public typealias Recipe = HouseholdItem<RecipeContent>

extension RecipeContent: HouseholdItemContent {
  /// "recipe-number".
  public static var entityName: StaticString { "recipe-number" }
  /// "Recipe".
  public static var itemRecordName: String { "Recipe" }
  /// Its title.
  public var displayName: String { title }
}

extension RecipeCreated: CreationEvent {
  func created(_ head: EntryHead) -> Recipe {
    Recipe(
      key: key, household: household, creator: owner, content: content,
      at: head.at)
  }
}

extension RecipeDescribed: ChangeEvent {
  var changed: Recipe.ID { recipe }
  func change(_ recipe: inout Recipe, _ head: EntryHead) {
    recipe.setContent(content, at: head.at)
  }
}

extension RecipeDeleted: ChangeEvent {
  var changed: Recipe.ID { recipe }
  func change(_ recipe: inout Recipe, _ head: EntryHead) {
    recipe.delete(at: head.at)
  }
}

extension RecipeRestored: ChangeEvent {
  var changed: Recipe.ID { recipe }
  func change(_ recipe: inout Recipe, _ head: EntryHead) {
    recipe.restore(at: head.at)
  }
}
